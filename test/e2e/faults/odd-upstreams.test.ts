import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { rawCall } from '../../../plugins/providers/mock/test-support/raw-client.ts'
import { whole } from '../../support/fault-server/answers.ts'
import { type FaultServer, startFaultServer } from '../../support/fault-server/server.ts'
import { API_KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts'

let provider: FaultServer
let gateway: TestGateway
beforeAll(async () => {
  provider = await startFaultServer(() => [])
  gateway = await startTestGateway({ config: { plugins: ['defaults', 'openai'] } })
})
afterAll(async () => {
  await gateway.close()
  await provider.close()
})
afterEach(() => {
  gateway.lines.length = 0
})

const headers = () => ({
  'x-gateway-api-key': API_KEY,
  'x-gateway-provider': 'openai',
  'x-gateway-custom-host': `${provider.url}/v1`,
  authorization: 'Bearer caller-key-0123456789',
})
const BODY = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello' }] })
const WAYS = ['/v1/chat/completions', '/v1/gateway/anything'] as const
const post = (path: string): Promise<Response> =>
  fetch(`${gateway.url}${path}`, { method: 'POST', headers: headers(), body: BODY })
const faultsOfOurs = () => gateway.lines.filter(({ level }) => level === 'error')

describe.each(WAYS)('at %s', (path) => {
  test.each([600, 700, 999])('a status %d is a bad gateway, and no fault of ours', async (status) => {
    provider.play = () => [whole('{"error":{"message":"odd"}}', { status })]
    const response = await post(path)
    expect([response.status, await response.json()]).toMatchObject([502, { error: { code: 'upstream_invalid' } }])
    expect(faultsOfOurs()).toEqual([])
  })

  test('a 500 of the provider is in the record of the call alone', async () => {
    provider.play = () => [whole('{"error":{"message":"It broke."}}', { status: 500 })]
    const response = await post(path)
    expect(response.status).toBe(500)
    const id = response.headers.get('x-gateway-request-id')
    expect(await gateway.record((record) => record.id === id)).toMatchObject({
      status: 500,
      provider: 'openai',
      error: { code: 'upstream_error', message: 'openai: It broke.' },
    })
    expect(faultsOfOurs()).toEqual([])
  })

  test('words of a provider are masked and cut in the record, and whole for the client', async () => {
    const words = `Key sk-other-0123456789abcdef is not yours. You said: ${'private '.repeat(60)}`
    provider.play = () => [whole(JSON.stringify({ error: { message: words } }), { status: 401 })]
    const response = await post(path)
    expect((await response.text()).includes('private '.repeat(59))).toBe(true)
    const id = response.headers.get('x-gateway-request-id')
    const { message } = Object(await gateway.record((record) => record.id === id)).error
    expect(message).toStartWith('openai: Key [redacted] is not yours.')
    expect(message).toHaveLength(200)
  })

  test.each([200, 400])('what is not the provider’s to say is left out (%d)', async (status) => {
    const answer = status === 200 ? { choices: [{ message: { content: 'x' } }] } : { error: { message: 'No.' } }
    provider.play = () => [
      whole(JSON.stringify(answer), {
        status,
        headers: {
          'clear-site-data': '"*"',
          refresh: '0; url=http://evil.test/',
          'access-control-allow-origin': '*',
          'Access-Control-Allow-Credentials': 'true',
          'reporting-endpoints': 'a="http://evil.test/"',
          'service-worker-allowed': '/',
          'set-cookie': 'a=b',
          'X-Gateway-Provider': 'forged',
          'x-gateway-request-id': 'forged',
          'x-gateway-cost': '0',
          'x-ratelimit-remaining-requests': '7',
        },
      }),
    ]
    const response = await post(path)
    expect(response.status).toBe(status)
    const names = [...response.headers.keys()]
    for (const name of names) {
      expect(name).not.toMatch(
        /^(?:access-control-.*|clear-site-data|refresh|reporting-.*|service-.*|set-cookie|.*-cost)$/,
      )
    }
    expect(JSON.stringify([...response.headers])).not.toContain('forged')
    expect(response.headers.get('x-ratelimit-remaining-requests')).toBe('7')
  })
})

test.each(['TRACE', 'CONNECT'])('a %s request is never a fault of ours', async (method) => {
  provider.play = () => [whole('{}', { status: 405 })]
  const { port = 0 } = gateway.server
  const { status } = await rawCall({ port, path: '/v1/gateway/anything', method, headers: headers() })
  expect(status).toBe(405)
  expect(faultsOfOurs()).toEqual([])
})

test('a provider does not speak under the prefix by which the client knows the gateway', async () => {
  const named = await startTestGateway({
    config: { plugins: ['defaults', { auth: { headerPrefixes: ['x-acme-'] } }, 'openai'] },
  })
  provider.play = () => [
    whole('{"choices":[]}', { headers: { 'x-acme-provider': 'forged', 'x-acme-cost': '0', 'x-other': 'kept' } }),
  ]
  const own = Object.fromEntries(
    Object.entries(headers()).map(([name, value]) => [name.replace('x-gateway-', 'x-acme-'), value]),
  )
  const response = await fetch(`${named.url}/v1/chat/completions`, { method: 'POST', headers: own, body: BODY })
  expect([response.headers.get('x-acme-provider'), response.headers.get('x-acme-cost')]).toEqual(['openai', null])
  expect(response.headers.get('x-other')).toBe('kept')
  await named.close()
})
