import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Provider } from '#kit'
import { fakeHost, setUp } from '#kit/testing'
import { builtInPlugins } from '../../plugins/built-in.ts'
import { jsonPlan } from '../../plugins/providers/mock/plan.ts'
import { type MockServer, startMockServer } from '../../plugins/providers/mock/server.ts'
import { API_KEY, startTestGateway, type TestGateway } from '../support/gateway.ts'

/** Headers in which a provider may get credentials. */
const KEY_HEADERS = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key']

/** What calls may say of logins, whether or not the provider knows it (behaviour reference, section 1.3). */
const LOGINS = [
  'azure_auth_mode',
  'azure_entra_tenant_id',
  'azure_entra_client_id',
  'azure_entra_client_secret',
  'azure_entra_scope',
  'azure_managed_client_id',
  'azure_workload_client_id',
  'aws_access_key_id',
  'aws_secret_access_key',
  'aws_session_token',
  'aws_role_arn',
  'aws_auth_type',
  'vertex_service_account_json',
  'vertex_auth_type',
] as const

const providerPlugins = await Promise.all(
  builtInPlugins.map(async (plugin) => {
    const { parts } = await setUp(plugin, {}, fakeHost())
    await parts.close?.()
    return { name: plugin.name, provider: parts.providers?.[0] }
  }),
)
const PROVIDERS = providerPlugins.flatMap(({ name, provider }): readonly (readonly [string, Provider])[] =>
  provider === undefined || name === 'mock' ? [] : [[name, provider]],
)

/** What an operator says of a place that is more than an address. */
const PLACES_OF: Readonly<Record<string, object>> = { 'vertex-ai': { projectId: 'project-1', region: 'us-central1' } }

/** Logins of an operator, where a provider has no keys that are sent as they are. */
const LOGINS_OF: Readonly<Record<string, object>> = {
  sagemaker: { region: 'us-east-1', accessKeyId: 'AKIDEXAMPLE12345', secretAccessKey: 'sk-of-the-operator' },
}

let upstream: MockServer
/** One whose operator has no keys, and one whose operator has all. */
let keyless: TestGateway
let keyed: TestGateway
beforeAll(async () => {
  upstream = await startMockServer({ answer: () => jsonPlan(200, { object: 'list', data: [] }) })
  const start = (more: object, logins: Readonly<Record<string, object>> = {}) =>
    startTestGateway({
      config: {
        plugins: [
          'defaults',
          ...PROVIDERS.map(([name]) => ({
            [name]: { baseURL: `${upstream.url}/v1`, ...PLACES_OF[name], ...(logins[name] ?? more) },
          })),
        ],
      },
    })
  keyless = await start({})
  keyed = await start({ apiKey: 'sk-of-the-operator' }, LOGINS_OF)
})
afterAll(async () => {
  await keyless.close()
  await keyed.close()
  await upstream.close()
})

type Fields = Readonly<Record<string, string>>

interface Outcome {
  readonly status: number
  readonly param: string | null | undefined
  /** Credentials that the provider got; undefined when it was not called. */
  readonly sent: readonly string[] | undefined
}

const ask = async ({ gateway }: TestGateway, path: string, headers: Fields): Promise<Outcome> => {
  const before = upstream.counters.received
  const response = await gateway.handle(
    new Request(`http://gateway.test${path}`, {
      method: 'POST',
      headers: { 'x-gateway-api-key': API_KEY, ...headers },
      body: '{"model":"m","messages":[{"role":"user","content":"x"}],"input":"x"}',
    }),
  )
  const { error } = Object(await response.json().catch(() => ({})))
  const arrived = upstream.counters.received === before ? undefined : upstream.requests.at(-1)
  return {
    status: response.status,
    param: error?.param,
    sent: arrived && KEY_HEADERS.flatMap((name) => arrived.headers.get(name) ?? []),
  }
}

const PASSED = '/v1/gateway/chat/completions'

/** Where the provider is asked: not all of them chat. */
const placeOf = ({ endpoints }: Pick<Provider, 'endpoints'>): string => {
  if (endpoints.chat !== undefined) return '/v1/chat/completions'
  return endpoints.embeddings === undefined ? PASSED : '/v1/embeddings'
}

describe.each(PROVIDERS)('%s', (id, provider) => {
  const { needsKey, settings = {}, headers: passed = [] } = provider
  const place = placeOf(provider)
  const places = [place, PASSED]
  const named: Fields = { 'x-gateway-provider': id }

  test('is never called without the credentials that it needs', async () => {
    for (const path of places) {
      for (const headers of [{}, ...LOGINS.map((name) => ({ [`x-gateway-${name.replaceAll('_', '-')}`]: 'x' }))]) {
        const { status, sent } = await ask(keyless, path, { ...named, ...headers })
        if (needsKey) expect([headers, sent, status === 400 || status === 401]).toEqual([headers, undefined, true])
        else expect(sent).toEqual([])
      }
    }
  })

  test('is never called with the key instead of a login that it knows by name and cannot make', async () => {
    for (const name of LOGINS.filter((login) => login in settings)) {
      for (const headers of [
        { ...named, [`x-gateway-${settings[name]}`]: 'x' },
        { 'x-gateway-config': JSON.stringify({ provider: id, [name]: 'x' }) },
      ]) {
        for (const path of places) {
          expect(await ask(keyed, path, headers)).toEqual({ status: 400, param: name, sent: undefined })
        }
      }
    }
  })

  test('takes all that its headers say from a config too', async () => {
    for (const header of passed) {
      const config = { provider: id, [header.replaceAll('-', '_')]: 'said-by-config' }
      for (const path of places) {
        const { sent } = await ask(keyed, path, {
          'x-gateway-config': JSON.stringify(config),
          [header]: 'said-by-call',
        })
        expect(sent?.length).toBe(1)
        expect(upstream.requests.at(-1)?.headers.get(header)).toBe('said-by-config')
      }
    }
    for (const name of Object.keys(settings)) {
      const config = JSON.stringify({ provider: id, [name]: 'x' })
      const { status, param } = await ask(keyed, place, { 'x-gateway-config': config })
      // A login that cannot be made is refused by its name: it was read.
      expect([name, status === 400 ? param : name]).toEqual([name, name])
    }
  })

  test('refuses a header of a config that no header can hold', async () => {
    for (const header of passed) {
      const setting = header.replaceAll('-', '_')
      const config = JSON.stringify({ provider: id, [setting]: 'a\r\nx-evil: 1' })
      expect(await ask(keyed, place, { 'x-gateway-config': config })).toEqual({
        status: 400,
        param: setting,
        sent: undefined,
      })
    }
  })
})

test('the place at Azure goes by its longer names too', async () => {
  const config = {
    provider: 'azure-openai',
    azure_resource_name: 'contoso',
    azure_deployment_id: 'mine',
    azure_api_version: '2024-10-21',
  }
  const { sent } = await ask(keyed, '/v1/chat/completions', { 'x-gateway-config': JSON.stringify(config) })
  expect(sent).toEqual(['sk-of-the-operator'])
  expect(upstream.requests.at(-1)?.path).toContain('/openai/deployments/mine/chat/completions?api-version=2024-10-21')
})
