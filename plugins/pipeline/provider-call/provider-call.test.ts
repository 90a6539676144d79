import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { API_KEY, startTestGateway, type TestGateway } from '../../../test/support/gateway.ts'
import { type MockServer, type RecordedRequest, startMockServer } from '../../providers/mock/server.ts'

const OPERATOR_KEY = 'sk-operator-0123456789'
const CALLER_KEY = 'sk-caller-0123456789'

let operator: MockServer
let custom: MockServer
let gateway: TestGateway
beforeAll(async () => {
  operator = await startMockServer()
  custom = await startMockServer()
  gateway = await startTestGateway({
    config: {
      plugins: [
        'defaults',
        { openai: { baseURL: `${operator.url}/v1`, apiKey: OPERATOR_KEY } },
        // Needs no key, but this operator has set one.
        { ollama: { baseURL: `${operator.url}/v1`, apiKey: OPERATOR_KEY } },
      ],
    },
  })
})
afterAll(async () => {
  await gateway.close()
  await Promise.all([operator.close(), custom.close()])
})

const BODY = '{ "model":"mock", "messages":[{"role":"user","content":"Hello"}], "seed": 9007199254740993 }'

const send = async (headers: Record<string, string>, body = BODY): Promise<Response> => {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'x-gateway-api-key': API_KEY, 'x-gateway-provider': 'openai', ...headers },
    body,
  })
  await response.clone().arrayBuffer()
  return response
}

const last = ({ requests }: MockServer): RecordedRequest => {
  const request = requests.at(-1)
  if (request === undefined) throw new Error('nothing arrived')
  return request
}

describe('which key goes where', () => {
  test('the operator’s key goes to the operator’s host when the call brings none', async () => {
    expect((await send({})).status).toBe(200)
    expect(last(operator).headers.get('authorization')).toBe(`Bearer ${OPERATOR_KEY}`)
  })

  test('an empty bearer is no key: the operator’s is used', async () => {
    expect((await send({ authorization: 'Bearer ' })).status).toBe(200)
    expect(last(operator).headers.get('authorization')).toBe(`Bearer ${OPERATOR_KEY}`)
  })

  test('the key of the call wins over it', async () => {
    await send({ authorization: `Bearer ${CALLER_KEY}` })
    expect(last(operator).headers.get('authorization')).toBe(`Bearer ${CALLER_KEY}`)
  })

  test('a host that the caller chose never gets the operator’s key', async () => {
    const before = custom.requests.length
    const refused = await send({ 'x-gateway-custom-host': `${custom.url}/v1` })
    expect([refused.status, await refused.json()]).toMatchObject([401, { error: { code: 'provider_key_required' } }])
    expect(custom.requests.length).toBe(before)
    await send({ 'x-gateway-custom-host': `${custom.url}/v1/`, authorization: `Bearer ${CALLER_KEY}` })
    expect(last(custom).headers.get('authorization')).toBe(`Bearer ${CALLER_KEY}`)
    expect(last(custom).path).toBe('/v1/chat/completions')
  })

  test('nor does it when the provider would answer without a key', async () => {
    expect((await send({ 'x-gateway-provider': 'ollama' })).status).toBe(200)
    expect(last(operator).headers.get('authorization')).toBe(`Bearer ${OPERATOR_KEY}`)
    const before = custom.requests.length
    const response = await send({ 'x-gateway-provider': 'ollama', 'x-gateway-custom-host': `${custom.url}/v1` })
    expect([response.status, custom.requests.length]).toEqual([200, before + 1])
    expect(last(custom).rawHeaders.join('\n')).not.toContain(OPERATOR_KEY)
  })

  test('the gateway key never goes anywhere', async () => {
    await send({ authorization: `Bearer ${API_KEY}`, 'x-api-key': API_KEY })
    for (const { requests } of [operator, custom]) {
      for (const request of requests) {
        expect(request.rawHeaders.join('\n')).not.toContain(API_KEY)
        expect(request.rawHeaders.join('\n')).not.toContain('x-gateway-')
      }
    }
  })
})

describe('what goes out', () => {
  test('an unchanged body goes byte by byte', async () => {
    await send({})
    expect(new TextDecoder().decode(last(operator).body)).toBe(BODY)
  })

  test('a stream asks for usage on its own, in the bytes as they came', async () => {
    const body = BODY.replace('}]', '}],  "stream": true')
    await send({}, body)
    expect(new TextDecoder().decode(last(operator).body)).toBe(
      body.replace(/\}$/, ',"stream_options":{"include_usage":true}}'),
    )
  })

  test('parameters of the config change the body', async () => {
    await send({ 'x-gateway-config': '{"override_params":{"temperature":0},"drop_params":["seed"]}' })
    expect(JSON.parse(new TextDecoder().decode(last(operator).body))).toEqual({
      model: 'mock',
      messages: [{ role: 'user', content: 'Hello' }],
      temperature: 0,
    })
  })

  test('only the headers that were asked for, or that the provider declares', async () => {
    await send({
      'x-tenant': 'tenant-1',
      'x-other': 'other-1',
      'openai-beta': 'b1',
      'x-gateway-openai-project': 'p1',
      'x-gateway-forward-headers': 'X-Tenant, x-absent',
      cookie: 'session=1',
      'accept-encoding': 'gzip',
      'user-agent': 'client/1.0',
    })
    const { headers } = last(operator)
    expect(headers.get('x-tenant')).toBe('tenant-1')
    expect(headers.get('openai-beta')).toBe('b1')
    expect(headers.get('openai-project')).toBe('p1')
    expect([...headers.keys()].toSorted()).toEqual([
      'accept',
      'accept-encoding',
      'authorization',
      'content-length',
      'content-type',
      'host',
      'openai-beta',
      'openai-project',
      'user-agent',
      'x-tenant',
    ])
    expect(headers.get('user-agent')).toBe('weir')
    expect(headers.get('accept-encoding')).toBe('identity')
  })

  test('the answer names its target', async () => {
    const { headers } = await send({})
    expect(headers.get('x-gateway-provider')).toBe('openai')
    expect(headers.get('x-gateway-last-used-option-index')).toBe('config')
    expect(headers.get('x-gateway-retry-attempt-count')).toBe('0')
    const nested = await send({ 'x-gateway-config': '{"targets":[{"provider":"openai"}]}' })
    expect(nested.headers.get('x-gateway-last-used-option-index')).toBe('config.targets[0]')
  })
})

describe('the limit for the first token', () => {
  const config = JSON.stringify({ provider: 'openai', first_token_timeout: 50 })
  const body = (stream: boolean): string =>
    JSON.stringify({
      model: stream ? 'mock:fault=never-answer' : 'mock:latencyMs=150',
      stream,
      messages: [{ role: 'user', content: 'Hello' }],
    })

  test('ends the wait for the first byte of a stream', async () => {
    const response = await send({ 'x-gateway-config': config }, body(true))
    expect([response.status, await response.json()]).toMatchObject([504, { error: { code: 'first_byte_timeout' } }])
  })

  test('means nothing for an answer in one piece', async () => {
    expect((await send({ 'x-gateway-config': config }, body(false))).status).toBe(200)
  })
})
