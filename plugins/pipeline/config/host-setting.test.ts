import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { API_KEY, startTestGateway, type TestGateway } from '../../../test/support/gateway.ts'

let gateway: TestGateway
let upstream: ReturnType<typeof Bun.serve>
let own: string
let arrived: { path: string; authorization: string | null }[] = []

beforeAll(async () => {
  upstream = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      arrived.push({ path: new URL(request.url).pathname, authorization: request.headers.get('authorization') })
      const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }]
      return Response.json({ id: '1', object: 'chat.completion', created: 1, model: 'm', choices })
    },
  })
  own = `http://127.0.0.1:${upstream.port}/own/v1`
  const settings = { baseURL: `http://127.0.0.1:${upstream.port}/router/v1`, apiKey: 'key-of-the-operator' }
  gateway = await startTestGateway({ config: { plugins: ['defaults', { huggingface: settings }] } })
})
beforeEach(() => {
  arrived = []
})
afterAll(async () => {
  await gateway.close()
  await upstream.stop(true)
})

const ask = async (headers: Readonly<Record<string, string>>) => {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'x-gateway-api-key': API_KEY, 'x-gateway-provider': 'huggingface', ...headers },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] }),
  })
  const { error } = (await response.json()) as { error?: { code: string; message: string; param: string | null } }
  return { status: response.status, error }
}

const KEY = { authorization: 'Bearer key-of-the-caller' }

test('a setting that is a base URL is the host of the call, with the key of the caller', async () => {
  expect((await ask({ ...KEY, 'x-gateway-huggingface-base-url': own })).status).toBe(200)
  const config = JSON.stringify({ provider: 'huggingface', huggingface_base_url: own })
  expect((await ask({ ...KEY, 'x-gateway-config': config })).status).toBe(200)
  const there = { path: '/own/v1/chat/completions', authorization: KEY.authorization }
  expect(arrived).toEqual([there, there])
})

test("it never sees the operator's key", async () => {
  expect(await ask({ 'x-gateway-huggingface-base-url': own })).toMatchObject({ status: 401 })
  expect(arrived).toEqual([])
  expect((await ask({})).status).toBe(200)
  expect(arrived).toEqual([{ path: '/router/v1/chat/completions', authorization: 'Bearer key-of-the-operator' }])
})

test('it is checked as a custom host is, which goes first', async () => {
  const inside = await ask({ ...KEY, 'x-gateway-huggingface-base-url': 'http://169.254.169.254/v1' })
  const named = await ask({ ...KEY, 'x-gateway-custom-host': 'http://169.254.169.254/v1' })
  expect([inside.status, inside.error?.code]).toEqual([400, 'egress_refused'])
  expect([inside.error?.message, inside.error?.code]).toEqual([named.error?.message, named.error?.code])
  expect([inside.error?.param, named.error?.param]).toEqual(['huggingface_base_url', null])
  const both = { 'x-gateway-custom-host': own, 'x-gateway-huggingface-base-url': 'http://169.254.169.254/v1' }
  expect((await ask({ ...KEY, ...both })).status).toBe(200)
})
