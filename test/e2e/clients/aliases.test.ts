import { afterAll, beforeAll, expect, test } from 'bun:test'
import { API_KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts'

/** Every rule for `x-gateway-` holds for a prefix of the operator's. */

let arrived: Headers
let status = 200
const upstream = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch(request) {
    arrived = request.headers
    const headers = {
      'x-acme-provider': 'evil',
      'x-other-provider': 'evil',
      'x-gateway-provider': 'evil',
      'x-theirs': 'a',
    }
    const choice = { index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }
    const good = { id: 'c', object: 'chat.completion', created: 0, model: 'm', choices: [choice] }
    return Response.json(status === 200 ? good : { error: { message: 'No.' } }, { status, headers })
  },
})

let gateway: TestGateway
beforeAll(async () => {
  const openai = { openai: { baseURL: `http://127.0.0.1:${upstream.port}/v1` } }
  const auth = { auth: { headerPrefixes: ['x-acme-', 'x-other-'] } }
  gateway = await startTestGateway({ config: { plugins: ['defaults', openai, auth] } })
})
afterAll(async () => {
  await gateway.close()
  await upstream.stop(true)
})

const send = (path: string, headers: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: 'Bearer sk-of-the-provider',
      'x-other-unread': 'a',
      ...headers,
    },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello' }] }),
  })

const PLACES = [
  '/v1/chat/completions',
  '/v1/gateway/chat/completions',
  '/v1/proxy/chat/completions',
  '/openai/v1/chat/completions',
  '/chat/completions',
]
const BY = { 'x-acme-api-key': API_KEY, 'x-acme-provider': 'openai' }

test.each(PLACES)(
  '%s: nothing under a prefix reaches the provider, and nothing of the provider comes back under one',
  async (path) => {
    for (const code of [200, 429]) {
      status = code
      const response = await send(path, BY)
      expect(response.status).toBe(code)
      const names = [...arrived.keys()]
      expect(names.filter((name) => /^x-(?:acme|other|gateway)-/.test(name))).toEqual([])
      expect(arrived.get('authorization')).toBe('Bearer sk-of-the-provider')
      expect(response.headers.get('x-acme-provider')).toBe('openai')
      expect(response.headers.get('x-gateway-provider')).toBe('openai')
      expect(response.headers.has('x-other-provider')).toBe(false)
      expect(response.headers.get('x-acme-request-id')).toBe(response.headers.get('x-gateway-request-id'))
    }
    status = 200
    expect(
      (await send(path, { 'x-gateway-api-key': API_KEY, 'x-gateway-provider': 'openai' })).headers.has(
        'x-acme-provider',
      ),
    ).toBe(false)
  },
)

test.each(['x-acme-api-key', 'X-Other-Unread'])('a call cannot ask to have %s passed on', async (name) => {
  for (const asked of [
    { 'x-acme-forward-headers': `x-theirs, ${name}` },
    { 'x-acme-config': JSON.stringify({ provider: 'openai', forward_headers: [name] }) },
  ]) {
    const response = await send('/v1/chat/completions', { ...BY, ...asked })
    expect([response.status, await response.json()]).toMatchObject([400, { error: { code: 'invalid_header' } }])
  }
})
