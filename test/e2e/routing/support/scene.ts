import { errorBody, jsonPlan, type Plan } from '../../../../plugins/providers/mock/plan.ts'
import { type MockServer, startMockServer } from '../../../../plugins/providers/mock/server.ts'
import type { GatewayDeps } from '../../../../src/compose/gateway.ts'
import type { StoredConfig, StoredConfigs } from '../../../../src/core/ports.ts'
import { API_KEY, startTestGateway, type TestGateway } from '../../../support/gateway.ts'

/** What a provider is doing. */
export type State = 'up' | 'overloaded' | 'resetting'

export interface FakeProvider {
  state: State
  readonly server: MockServer
  /** Calls that arrived since the last look. */
  arrivals(): number
}

export interface Scene {
  readonly gateway: TestGateway
  readonly primary: FakeProvider
  readonly secondary: FakeProvider
  close(): Promise<void>
}

const PLANS: Readonly<Record<State, Plan | undefined>> = {
  up: undefined,
  overloaded: jsonPlan(503, errorBody('Come back later.', 'overloaded_error')),
  resetting: { pieces: [], ending: 'reset' },
}

export const startProvider = async (): Promise<FakeProvider> => {
  let seen = 0
  const provider: FakeProvider = {
    state: 'up',
    server: await startMockServer({ answer: () => PLANS[provider.state] }),
    arrivals() {
      const arrived = provider.server.counters.received - seen
      seen += arrived
      return arrived
    },
  }
  return provider
}

export interface SceneOptions {
  /** By slug. */
  readonly configs?: Readonly<Record<string, Record<string, unknown>>>
  readonly deps?: Partial<GatewayDeps>
  readonly deadlines?: { readonly totalMs: number }
  readonly primary?: FakeProvider
  readonly secondary?: FakeProvider
}

/** A gateway in front of two providers: `openai` is the primary, `ollama` the secondary. Retries hardly wait. */
export const startScene = async ({
  configs = {},
  deps = {},
  deadlines,
  ...given
}: SceneOptions = {}): Promise<Scene> => {
  const primary = given.primary ?? (await startProvider())
  const secondary = given.secondary ?? (await startProvider())
  const gateway = await startTestGateway({
    config: {
      ...(deadlines === undefined ? {} : { deadlines }),
      plugins: [
        'defaults',
        { route: { retryBaseMs: 1 } },
        { openai: { baseURL: `${primary.server.url}/v1`, apiKey: 'sk-primary-0123456789' } },
        { ollama: { baseURL: `${secondary.server.url}/v1` } },
      ],
    },
    deps: { configs: savedConfigs(configs), ...deps },
  })
  return {
    gateway,
    primary,
    secondary,
    async close() {
      await gateway.close()
      await Promise.all([primary.server.close(), secondary.server.close()])
    },
  }
}

/** Saved configs of every workspace. */
const savedConfigs = (configs: Readonly<Record<string, Record<string, unknown>>>): StoredConfigs => {
  const stored = new Map(
    Object.entries(configs).map(([slug, config]): [string, StoredConfig] => [
      slug,
      { id: `id-of-${slug}`, slug, versionId: `version-of-${slug}`, config },
    ]),
  )
  return { find: (_workspace, reference) => stored.get(reference), defaultOf: () => undefined }
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Path of the target that answered. */
  readonly target: string | null
  readonly record: Record<string, unknown>
}

/** One chat call. @param config slug, or an inline config */
export const chat = async (
  { gateway }: Scene,
  config: string | Record<string, unknown>,
  body: Record<string, unknown> = {},
  signal?: AbortSignal,
): Promise<Reply> => {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      'x-gateway-api-key': API_KEY,
      'x-gateway-config': typeof config === 'string' ? config : JSON.stringify(config),
    },
    body: JSON.stringify({ model: 'mock', messages: [{ role: 'user', content: 'Hello there' }], ...body }),
    ...(signal === undefined ? {} : { signal }),
  })
  const text = await response.text()
  const id = response.headers.get('x-gateway-request-id')
  return {
    status: response.status,
    headers: response.headers,
    text,
    target: response.headers.get('x-gateway-last-used-option-index'),
    record: await gateway.record((record) => record.id === id),
  }
}

/** Targets of a config by provider, with a model for the mock behind it. */
export const to = (provider: 'openai' | 'ollama', model = 'mock'): Record<string, unknown> => ({
  provider,
  override_params: { model },
})
