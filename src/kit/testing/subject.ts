import type { TObject } from '@sinclair/typebox'
import { defined } from '../../core/defined.ts'
import { check } from '../../core/json/check.ts'
import { grant, type Parts, type Plugin } from '../plugin.ts'
import type { ChatRequest } from '../provider/openai.ts'
import {
  type Adapter,
  type AdapterContext,
  adapterOf,
  type OutgoingRequest,
  type Provider,
} from '../provider/provider.ts'
import { deepFreeze } from './deep-freeze.ts'
import { type FakeHost, fakeHost } from './fake-host.ts'
import { withFiles } from './files.ts'
import { type Fixture, isStreamed } from './fixture.ts'

/** The provider key of every conformance test: it may show up in a header and nowhere else. */
export const CONFORM_KEY = 'conform-secret-key'

/** Call id and time (seconds since 1970) of every context, for the goldens of replies that have none of their own. */
export const CONFORM_CALL_ID = 'call-1'
export const CONFORM_CREATED = 1_700_000_000

/**
 * The adapter of any endpoint. The kit only moves JSON through it and compares what comes out, so it is typed as the
 * richest of the three.
 */
export type AnyAdapter = Adapter<'chat'>

/** A plugin that runs, with what it brought. */
export interface Subject {
  readonly parts: Parts
  readonly providers: readonly Provider[]
}

/**
 * Sets a plugin up the way the engine does: defaults first, then the check of its schema.
 * @param config what the operator's file would say, over the test key.
 */
export const setUp = async <Config extends TObject>(
  plugin: Plugin<Config>,
  config: Readonly<Record<string, unknown>> = {},
  host: FakeHost = fakeHost(),
): Promise<Subject> => {
  const withKey = 'apiKey' in plugin.config.properties ? { apiKey: CONFORM_KEY, ...config } : { ...config }
  const checked = check(plugin.config, withKey)
  if (!checked.ok) {
    const problems = checked.violations.map(({ path, message }) => `${path}: ${message}`)
    throw new Error(`config of plugin '${plugin.name}': ${problems.join('; ')}`)
  }
  const parts = await plugin.setup(checked.value, grant(plugin, host))
  return { parts, providers: parts.providers ?? [] }
}

/** The provider that a case is about. */
export const providerOf = ({ providers }: Subject, fixture: Fixture): Provider => {
  const ids = providers.map(({ id }) => id).join(', ')
  if (fixture.provider === undefined) {
    const only = providers[0]
    if (only === undefined || providers.length > 1) {
      throw new Error(`the case must name its provider: the plugin brings ${ids === '' ? 'none' : ids}`)
    }
    return only
  }
  const named = providers.find(({ id }) => id === fixture.provider)
  if (named === undefined) throw new Error(`no provider '${fixture.provider}': the plugin brings ${ids}`)
  return named
}

/** The adapter that a case is about. */
export const adapterOfCase = (provider: Provider, { endpoint, request }: Fixture): AnyAdapter => {
  const adapter = adapterOf(provider, endpoint, modelOf(request))
  if (adapter === undefined) throw new Error(`provider '${provider.id}' has no endpoint '${endpoint}'`)
  return adapter as unknown as AnyAdapter
}

export const settingsOf = (provider: Provider, fixture?: Fixture): Readonly<Record<string, string>> => ({
  ...provider.defaultSettings,
  ...fixture?.settings,
})

/** What the adapter may know of a case. Frozen. */
export const contextOf = (
  provider: Provider,
  fixture: Fixture,
  overrides: Partial<AdapterContext> = {},
): AdapterContext =>
  deepFreeze({
    model: modelOf(fixture.request),
    stream: isStreamed(fixture) || fixture.request.stream === true,
    strict: fixture.strict ?? true,
    ownFinishReason: fixture.ownFinishReason,
    includeUsage: fixture.includeUsage ?? false,
    asked: fixture.request,
    callId: CONFORM_CALL_ID,
    created: CONFORM_CREATED,
    settings: settingsOf(provider, fixture),
    provider: provider.id,
    ...defined({ pathParams: fixture.pathParams, search: fixture.search }),
    ...overrides,
  })

const modelOf = ({ model }: Fixture['request']): string => (typeof model === 'string' ? model : '')

/** The request of a case as the adapter gets it: only its first fields were ever checked. Frozen. */
export const requestOf = (request: Readonly<Record<string, unknown>>): ChatRequest =>
  deepFreeze(withFiles(structuredClone(request))) as unknown as ChatRequest

/** A request for those who sign. */
export const CONFORM_OUTGOING: OutgoingRequest = {
  method: 'POST',
  url: 'https://provider.example/v1/chat',
  body: '{}',
  isStreamed: false,
}
