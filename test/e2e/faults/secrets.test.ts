import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Plan, textPlan } from '../../../plugins/providers/mock/plan.ts'
import { type MockServer, type RecordedRequest, startMockServer } from '../../../plugins/providers/mock/server.ts'
import { ADMIN_KEY, API_KEY, startTestGateway, type TestGateway, testConfig } from '../../support/gateway.ts'
import { delta, streamPlan } from './support/gated.ts'
import { chat, providerAt } from './support/probe.ts'
import { openWire } from './support/wire.ts'

/** A key for each place where one can be, none alike, so that a leak says where it came from. */
const CANARIES = {
  operator: 'sk-canary-operator-7d1f0a55',
  authorization: 'sk-canary-authorization-2b9c',
  apiKeyHeader: 'sk-canary-x-api-key-41ee',
  otherApiKeyHeader: 'sk-canary-api-key-90aa',
  inlineConfig: 'sk-canary-inline-config-5c',
  unknownGatewayKey: 'canary-unknown-gateway-key-1234567890',
  cookie: 'canary-session-cookie-77',
  userInfo: 'canary-user-info-password-3f',
  proxy: 'canary-proxy-authorization-0d',
  body: 'canary-body-text-is-private-66',
} as const
const SECRETS: readonly string[] = [...Object.values(CANARIES), API_KEY, ADMIN_KEY]

let upstream: MockServer
let gateway: TestGateway
let echo: ((request: RecordedRequest) => Plan) | undefined
const replies: string[] = []

beforeAll(async () => {
  upstream = await startMockServer({ answer: (request) => echo?.(request) })
  gateway = await startTestGateway({
    plugins: [providerAt(`${upstream.url}/v1`), providerAt(`${upstream.url}/v1`, 'operated', CANARIES.operator)],
    config: { plugins: ['defaults', 'operated'], deadlines: { firstByteMs: 500 } },
  })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

type Headers = Readonly<Record<string, string>>

/** Every way to bring a key, with the key that must then reach the provider. */
const WAYS: readonly (readonly [headers: Headers, sent: string | undefined])[] = [
  [{ 'x-gateway-api-key': API_KEY, 'x-gateway-provider': 'operated' }, CANARIES.operator],
  [{ authorization: `Bearer ${API_KEY}`, 'x-gateway-provider': 'operated' }, CANARIES.operator],
  [
    {
      'x-gateway-api-key': API_KEY,
      'x-gateway-provider': 'probe',
      authorization: `Bearer ${CANARIES.authorization}`,
      cookie: `session=${CANARIES.cookie}`,
      'proxy-authorization': `Basic ${CANARIES.proxy}`,
    },
    CANARIES.authorization,
  ],
  [
    { 'x-gateway-api-key': API_KEY, 'x-gateway-provider': 'operated', 'x-api-key': CANARIES.apiKeyHeader },
    CANARIES.apiKeyHeader,
  ],
  [
    { 'x-gateway-api-key': API_KEY, 'x-gateway-provider': 'probe', 'api-key': CANARIES.otherApiKeyHeader },
    CANARIES.otherApiKeyHeader,
  ],
  [
    {
      'x-gateway-api-key': API_KEY,
      'x-gateway-config': JSON.stringify({ provider: 'probe', api_key: CANARIES.inlineConfig }),
    },
    CANARIES.inlineConfig,
  ],
]

/** What a provider may do with a key it does not like. */
const ECHOES: Readonly<Record<string, (key: string) => Plan>> = {
  'in the message': (key) =>
    json(401, { error: { message: `Incorrect API key provided: ${key}.`, type: 'auth', code: null } }),
  'in code, type and param': (key) => json(401, { error: { message: 'no', type: key, code: key, param: key } }),
  'in an unknown shape': (key) => json(403, { detail: [{ msg: `bad key ${key}` }], key }),
  'as text': (key) => textPlan(500, `bad key ${key}`, { 'content-type': 'text/plain' }),
  'as a page': (key) => textPlan(502, `<html><body>${key}</body></html>`, { 'content-type': 'text/html' }),
  'in a 200': (key) => json(200, { error: { message: `bad key ${key}` } }),
  'in the first event': (key) => streamPlan([`data: ${JSON.stringify({ error: { message: `bad key ${key}` } })}\n\n`]),
  'in a later event': (key) =>
    streamPlan(
      (async function* () {
        yield delta('begun')
        await Bun.sleep(30)
        yield `data: ${JSON.stringify({ error: { message: `bad key ${key}`, code: key, type: key } })}\n\n`
      })(),
    ),
  'in a cookie': (key) => ({
    ...json(401, { error: { message: 'no' } }),
    head: { status: 401, headers: { 'set-cookie': `key=${key}`, 'www-authenticate': `Bearer realm="${key}"` } },
  }),
}
const json = (status: number, body: unknown): Plan =>
  textPlan(status, JSON.stringify(body), { 'content-type': 'application/json' })

const post = async (headers: Headers, body: unknown, path = '/v1/chat/completions'): Promise<number> => {
  const response = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  replies.push(`${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`)
  return response.status
}

/** All that left the process: replies, call records, the operator's log. */
const expectNoSecret = (): void => {
  expect(gateway.records.length).toBeGreaterThan(0)
  const left = [...replies.splice(0), JSON.stringify(gateway.records), JSON.stringify(gateway.lines)]
  const leaks = SECRETS.flatMap((secret) =>
    left.filter((text) => text.includes(secret)).map((text) => `${secret} in ${text.slice(-300)}`),
  )
  expect(leaks).toEqual([])
}

test('every way to bring a key brings that key to the provider and no other', async () => {
  echo = undefined
  for (const [headers, sent] of WAYS) {
    expect(await post(headers, chat({}, { stop: CANARIES.body }))).toBe(200)
    const arrived = upstream.requests.at(-1)
    expect(arrived?.headers.get('authorization')).toBe(`Bearer ${sent}`)
    const other = SECRETS.filter((secret) => secret !== sent)
    for (const secret of other) expect(arrived?.rawHeaders.join('\n')).not.toContain(secret)
  }
  expectNoSecret()
})

test('a provider that repeats the key it was sent does not make it leave', async () => {
  for (const [name, plan] of Object.entries(ECHOES)) {
    for (const [headers] of WAYS) {
      echo = ({ headers: arrived }) => plan((arrived.get('authorization') ?? '').replace('Bearer ', ''))
      const stream = name.includes('event')
      const status = await post(headers, chat({}, { stream, stop: CANARIES.body }))
      expect([name, status >= 400 || name === 'in a later event']).toEqual([name, true])
    }
  }
  expectNoSecret()
})

test('neither do calls that fail on their own', async () => {
  echo = undefined
  for (const [headers] of WAYS) {
    for (const fault of ['reset-before-head', 'not-http', 'never-answer', 'not-json', 'redirect']) {
      await post(headers, chat({ fault }, { stop: CANARIES.body }))
    }
    await post(headers, `{"model":"${CANARIES.body}"`)
    await post(headers, chat({}, { temperature: CANARIES.body }))
    await post(headers, chat({}, { messages: [{ role: CANARIES.body, content: CANARIES.body }] }))
    await post({ ...headers, 'x-gateway-custom-host': `http://user:${CANARIES.userInfo}@127.0.0.1:1/v1` }, chat())
    await post(
      { ...headers, 'x-gateway-custom-host': `http://127.0.0.1:1/${CANARIES.userInfo}?k=${CANARIES.userInfo}` },
      chat(),
    )
    await post({ ...headers, 'x-gateway-request-timeout': CANARIES.userInfo }, chat())
    await post({ ...headers, 'x-gateway-config': `{"provider":"probe","api_key":"${CANARIES.inlineConfig}"` }, chat())
    await post(
      { ...headers, 'x-gateway-config': JSON.stringify({ provider: 'probe', api_key: [CANARIES.inlineConfig] }) },
      chat(),
    )
    await post(
      { ...headers, 'x-gateway-config': JSON.stringify({ provider: 'probe', api_key: CANARIES.inlineConfig, x: 1 }) },
      chat(),
    )
    await post(headers, chat(), `/v3/nowhere?key=${CANARIES.userInfo}`)
  }
  await post({ 'x-gateway-api-key': CANARIES.unknownGatewayKey, 'x-gateway-provider': 'probe' }, chat())
  await post({ authorization: `Bearer ${CANARIES.unknownGatewayKey}`, 'x-gateway-provider': 'probe' }, chat())
  await post({ 'x-gateway-api-key': ADMIN_KEY, 'x-gateway-provider': 'probe' }, chat())
  expectNoSecret()
})

test('a custom host never gets the key of the operator', async () => {
  const host = {
    'x-gateway-api-key': API_KEY,
    'x-gateway-provider': 'operated',
    'x-gateway-custom-host': `${upstream.url}/v1`,
  }
  await post(host, chat())
  expect(upstream.requests.at(-1)?.rawHeaders.join('\n')).not.toContain(CANARIES.operator)
  await post({ ...host, authorization: `Bearer ${CANARIES.authorization}` }, chat())
  expect(upstream.requests.at(-1)?.headers.get('authorization')).toBe(`Bearer ${CANARIES.authorization}`)
  expectNoSecret()
})

test('nor does a config that cannot run', async () => {
  await gateway.gateway
    .reload(testConfig({ plugins: ['defaults', { openai: { apiKey: CANARIES.operator, oops: 1 } as never }] }), 'bad')
    .catch((error: unknown) => replies.push(String(error)))
  expectNoSecret()
})

test('nor does a client that breaks off', async () => {
  const records = gateway.records.length
  const wire = await openWire(gateway.server.port ?? 0)
  wire.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nx-gateway-api-key: ${API_KEY}\r\nauthorization: Bearer ${CANARIES.authorization}\r\nx-gateway-provider: probe\r\ncontent-length: 500\r\n\r\n{"user":"${CANARIES.body}"`,
  )
  await Bun.sleep(20)
  wire.leave()
  await gateway.record((record) => gateway.records.indexOf(record) >= records)
  expectNoSecret()
})
