import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { builtInPlugins } from '../../../plugins/built-in.ts'
import { RequestGatewayHeaders } from '../../../plugins/pipeline/auth/gateway-headers.ts'
import { NODE_KEYS, StrategyFields } from '../../../src/calls/config/fields.ts'
import { readCallConfig } from '../../../src/calls/config/read.ts'
import type { ErrorEnvelope } from '../../../src/errors/envelope.ts'
import { type ChatCompletion, FILE_SETTINGS } from '../../../src/kit/provider.ts'
import { setUp } from '../../../src/kit/testing.ts'
import { API_KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts'
import { namesUnder, pageOf, tableUnder } from './pages.ts'

const REQUESTS = 'docs/requests.md'
const CONFIGS = 'docs/configs.md'

const looked = spyOn(RequestGatewayHeaders.prototype, 'get')

let running: TestGateway
beforeAll(async () => {
  running = await startTestGateway()
})
afterAll(async () => {
  looked.mockRestore()
  await running.close()
})

interface Asked {
  readonly path?: string
  readonly headers?: Record<string, string>
  readonly body?: Record<string, unknown>
}

/** Sends a call past the socket, and keeps the names of the gateway headers that are looked for. */
const ask = async ({ path = '/v1/chat/completions', headers = {}, body }: Asked, names = new Set<string>()) => {
  const request = new Request(`http://127.0.0.1${path}`, {
    method: path === '/v1/models' ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, ...headers },
    ...(path === '/v1/models' ? {} : { body: JSON.stringify(body ?? CALL) }),
  })
  looked.mockClear()
  const response = await running.gateway.handle(request)
  for (const [name] of looked.mock.calls) names.add(`x-gateway-${name}`)
  // What is read of it is compared with what the pages say, so a wrong form fails there.
  const json = (await response.json()) as Partial<ErrorEnvelope & ChatCompletion>
  return { response, json }
}

const CALL = { model: 'mock', messages: [{ role: 'user', content: 'Hello' }] }

test('the request headers are those that the chain looks for', async () => {
  const names = new Set<string>()
  await ask({ headers: { 'x-gateway-provider': 'mock' } }, names)
  await ask({ path: '/v1/models', headers: { 'x-gateway-provider': 'mock' } }, names)
  await ask({ headers: { 'x-gateway-virtual-key': 'one' } }, names)
  await ask({ headers: { 'x-gateway-mode': 'proxy mock' } }, names)
  await ask({ headers: { 'x-gateway-provider': 'mock', 'x-gateway-cache': 'simple' } }, names)
  const lossy = { 'x-gateway-provider': 'google', 'x-goog-api-key': 'docs-key', 'x-gateway-strict-params': 'true' }
  const refused = await ask({ headers: lossy, body: { ...CALL, logit_bias: { '5': 1 } } }, names)
  expect([refused.response.status, refused.json.error?.param]).toEqual([400, 'logit_bias'])
  // Google's own, as those of other providers below.
  for (const name of Object.values(FILE_SETTINGS)) names.delete(`x-gateway-${name}`)
  const documented = namesUnder(REQUESTS, 'Request headers')
  expect([...documented].sort()).toEqual([...names].sort())
})

test('the settings of providers are looked for in the headers that are documented', async () => {
  for (const plugin of builtInPlugins) {
    const { parts, providers } = await setUp(plugin)
    await parts.close?.()
    for (const { id, settings = {}, headers = [] } of providers) {
      const names = new Set<string>()
      // The key makes the call get as far as its headers; the host is refused by name, so nothing is dialled.
      await ask({ headers: { 'x-gateway-provider': id, 'x-api-key': 'docs-key' } }, names)
      const common = new Set(namesUnder(REQUESTS, 'Request headers'))
      const wanted = [...Object.values(settings), ...headers].map((name) => `x-gateway-${name}`)
      const found = [...names].filter((name) => !common.has(name))
      for (const name of found) expect(wanted, id).toContain(name)
      for (const name of Object.values(settings)) expect(found, id).toContain(`x-gateway-${name}`)
    }
  }
})

test('the answer headers are those that answers carry', async () => {
  const { response } = await ask({
    headers: { 'x-gateway-provider': 'mock', 'x-gateway-config': '{"default_params":{"seed":1}}' },
  })
  expect(response.status).toBe(200)
  const names = [...response.headers.keys()].filter((name) => name.startsWith('x-gateway-') || name === 'x-request-id')
  // The mock drops nothing and has text completions. The README's provider shows the one header in commands.test.ts,
  // test/e2e/clients/completions-suite.ts the other, and test/e2e/messages/mock.test.ts those of messages.
  const others = [
    'x-gateway-dropped-params',
    'x-gateway-completions-via',
    'x-gateway-messages-via',
    'x-gateway-messages-count-tokens-via',
    'x-gateway-estimated',
    // test/e2e/budgets/calls.test.ts has budgets.
    'x-gateway-budget-remaining',
  ]
  expect([...names, ...others].sort()).toEqual(namesUnder(REQUESTS, 'Answer headers').sort())
})

test('the keys of a config are those that are known', () => {
  expect(namesUnder(CONFIGS, 'Keys of a target')).toEqual([...NODE_KEYS])
  expect(namesUnder(CONFIGS, 'Keys of a strategy')).toEqual(Object.keys(StrategyFields.properties))
})

test('the keys that are said not to run are refused by calls, and may be saved', async () => {
  const rows = tableUnder(CONFIGS, 'Keys of a target').filter(([, meaning = '']) => meaning.includes('not run yet'))
  expect(rows.map(([cell]) => cell)).toEqual(['`passthrough`'])
  const config = { provider: 'mock', passthrough: true }
  expect(() => readCallConfig(config, { settingNames: new Set() })).not.toThrow()
  const refused = await ask({ headers: { 'x-gateway-config': JSON.stringify(config) } })
  expect(refused.json.error?.code).toBe('unsupported_config')
  const { json } = await ask({ headers: { 'x-gateway-config': '{"provider":"mock","oracle_region":"eu"}' } })
  expect(json.error?.code).toBe('unsupported_config')
})

test('the violations that the page shows are those of the call above them', async () => {
  const [command, answer] = pageOf(CONFIGS).blocks.filter(({ text }) => /fallbak|failure/.test(text))
  const [, config = ''] = /x-gateway-config: (.+)'/.exec(command?.text ?? '') ?? []
  const { json } = await ask({ headers: { 'x-gateway-config': config } })
  expect(json).toMatchObject(JSON.parse(answer?.text ?? ''))
})

test('the configs that the page shows can be read, with the checks that run', async () => {
  const checks = (
    await Promise.all(builtInPlugins.map(async (plugin) => (await setUp(plugin)).parts.checks ?? []))
  ).flat()
  const directory = { get: (id: string) => checks.find((check) => check.id === id), list: () => checks }
  const shown = pageOf(CONFIGS).blocks.filter(({ kind, text }) => kind === 'json' && text.includes('"targets"'))
  expect(shown.length).toBeGreaterThan(1)
  for (const { text } of shown) {
    readCallConfig(JSON.parse(text), { settingNames: new Set(), checks: directory })
  }
})

test('a saved config and a stored provider that do not exist are refused', async () => {
  expect((await ask({ headers: { 'x-gateway-config': 'pc-one' } })).response.status).toBe(400)
  expect((await ask({ headers: { 'x-gateway-virtual-key': 'one' } })).json.error?.code).toBe('unknown_provider')
})

test('the table of time-outs has codes of the catalogue', () => {
  const codes = new Set(
    [...pageOf('docs/errors.md').text.matchAll(/^\| `([a-z_]+)`\s+\| (\d+)/gm)].map(
      ([, code, status]) => `${status} \`${code}\``,
    ),
  )
  for (const page of [REQUESTS, 'docs/operations.md']) {
    const named = [...pageOf(page).text.matchAll(/\b[45]\d\d `[a-z_]+`/g)].map(([name]) => name)
    expect(named.length, page).toBeGreaterThan(3)
    for (const name of named) expect(codes, page).toContain(name)
  }
})

/** The gateway key where it leaves `Authorization` to the provider's. */
const GATEWAY_KEY = { 'x-gateway-api-key': API_KEY }

test('the table of keys is how keys are read', async () => {
  const echo = async (headers: Record<string, string>) => {
    const { json } = await ask({
      headers: { 'x-gateway-provider': 'mock', ...headers },
      body: { ...CALL, model: 'mock-echo' },
    })
    const { headers: names }: { headers: string[] } = JSON.parse(json.choices?.[0]?.message.content ?? '')
    return names
  }
  expect(await echo({})).not.toContain('authorization')
  expect(await echo({ authorization: '', ...GATEWAY_KEY })).not.toContain('authorization')
  expect(await echo({ authorization: 'Bearer B', ...GATEWAY_KEY })).toContain('authorization')
  expect(await echo({ authorization: '', 'x-api-key': 'B', ...GATEWAY_KEY })).toContain('authorization')
  expect(await echo({ 'x-api-key': 'B' })).toContain('authorization')
  expect(await echo({ 'x-gateway-config': '{"api_key":"B"}' })).toContain('authorization')
  expect(await echo({ 'x-api-key': API_KEY })).not.toContain('authorization')
})
