import type { StoredConfig } from '#core/ports'
import type { FoundKey, StoredProvider } from '#kit/plugin'
import { API_KEY, startTestGateway, type TestGateway } from '../../../support/gateway.ts'
import { type Arrived, type Providers, startProviders } from './provider.ts'

/** Key of the caller at a provider. */
export const PROVIDER_KEY = 'sk-of-the-caller-0123456789'
/** Key of the virtual key `prod`, an OpenAI. */
export const STORED_KEY = 'sk-of-the-store-0123456789'
/** A gateway key whose calls may not bring their own config. */
export const FIXED_KEY = 'fixed-workspace-key-0123456789abcdef'
/** The prefix of the headers of both generations of the counterpart's client. */
export const ALIAS = 'x-portkey-'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  readonly text: string
  /** The JSON object in it. @throws SyntaxError when it is none */
  readonly body: Readonly<Record<string, unknown>>
}

export interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON. */
  readonly body?: object | string | Uint8Array<ArrayBuffer>
  /** Default: the key of the workspace. */
  readonly key?: string
}

/** A gateway as an operator of 2023 would set it up again, and the providers behind it. */
export interface Scene {
  readonly gateway: TestGateway
  readonly providers: Providers
  send(path: string, sent?: Sent): Promise<Reply>
  /** The request that came last. */
  last(): Arrived
  close(): Promise<void>
}

/** Saved configs by slug. */
const CONFIGS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'pc-single-1': { provider: 'groq' },
  'pc-nested-2': {
    strategy: { mode: 'fallback' },
    targets: [
      { provider: 'groq' },
      { strategy: { mode: 'fallback' }, targets: [{ provider: 'deepseek' }, { provider: 'together-ai' }] },
    ],
  },
}

const found = (name: string, defaults: FoundKey['defaults'] = {}): FoundKey => ({
  principal: {
    keyId: `key-${name}`,
    keyName: name,
    kind: 'workspace-service',
    organisationId: 'organisation-1',
    workspaceId: 'workspace-1',
    scopes: new Set(['completions.write']),
  },
  defaults,
})

const KEYS: ReadonlyMap<string, FoundKey> = new Map([
  [API_KEY, found('workspace')],
  [FIXED_KEY, found('fixed', { configId: 'pc-single-1', allowConfigOverride: false })],
])

const OWN_PROVIDERS = ['openai', 'groq', 'deepseek', 'together-ai', 'anthropic'] as const

export const startScene = async (): Promise<Scene> => {
  const providers = startProviders()
  const saved = new Map(
    Object.entries(CONFIGS).map(([slug, config]): [string, StoredConfig] => [
      slug,
      { id: `id-of-${slug}`, slug, versionId: `version-of-${slug}`, config },
    ]),
  )
  const stored: StoredProvider = {
    slug: 'prod',
    providerId: 'openai',
    apiKey: STORED_KEY,
    allows: () => true,
    forModel: () => ({ settings: {}, headers: {} }),
  }
  const gateway = await startTestGateway({
    config: {
      plugins: [
        'defaults',
        'mock',
        ...OWN_PROVIDERS.map((id) => ({ [id]: { baseURL: providers.baseURL(id) } })),
        { auth: { headerPrefixes: [ALIAS] } },
        { route: { retryBaseMs: 1 } },
      ],
    },
    keys: { find: (key) => KEYS.get(key) },
    deps: {
      configs: { find: (_, slug) => saved.get(slug), defaultOf: () => undefined },
      stored: { find: (_, slug) => (slug === stored.slug ? stored : undefined), models: () => [] },
    },
  })
  return {
    gateway,
    providers,
    async send(path, { method = 'POST', headers = {}, body, key = API_KEY } = {}) {
      const isObject = typeof body === 'object' && !(body instanceof Uint8Array)
      const response = await fetch(`${gateway.url}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          [`${ALIAS}api-key`]: key,
          ...(isObject ? { 'content-type': 'application/json' } : {}),
          ...headers,
        },
        ...(body === undefined ? {} : { body: isObject ? JSON.stringify(body) : body }),
      })
      const bytes = await response.bytes()
      const text = new TextDecoder().decode(bytes)
      return {
        status: response.status,
        headers: response.headers,
        bytes,
        text,
        get body() {
          return JSON.parse(text)
        },
      }
    },
    last() {
      const newest = providers.arrived.at(-1)
      if (newest === undefined) throw new Error('nothing reached a provider')
      return newest
    },
    async close() {
      await gateway.close()
      await providers.close()
    },
  }
}
