import { describe, expect, test } from 'bun:test'
import { API_KEY, startTestGateway } from '../../test/support/gateway.ts'
import { OperatorConfig } from '../config/schema.ts'
import { check } from '../core/json/check.ts'
import { type CorsSettings, withCors } from './cors.ts'

const PAGE = 'https://app.example'
const SETTINGS: CorsSettings = { origins: [PAGE], headers: ['*'], maxAgeSeconds: 600 }

const answered = async (): Promise<Response> => new Response('{}', { headers: { vary: 'Accept' } })

const ask = (settings: Partial<CorsSettings>, headers: Record<string, string>, method = 'POST'): Promise<Response> =>
  withCors(answered, { ...SETTINGS, ...settings })(new Request('http://weir/v1/chat/completions', { method, headers }))

const accessOf = ({ headers }: Response): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))

/** As Chromium sends it for a call of the openai client. */
const PREFLIGHT = {
  origin: PAGE,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type,x-gateway-api-key,x-stainless-lang',
}

describe('pages of other origins', () => {
  test('are told nothing unless one is allowed, and cost nothing', () => {
    expect(withCors(answered, { ...SETTINGS, origins: [] })).toBe(answered)
  })

  test('that are allowed may read an answer with all of its headers, but never send credentials', async () => {
    const response = await ask({}, { origin: PAGE })
    expect(accessOf(response)).toEqual({
      'access-control-allow-origin': PAGE,
      'access-control-expose-headers': '*',
    })
    expect(response.headers.get('vary')).toBe('Accept, Origin')
  })

  test.each([
    'https://evil.example',
    'https://app.example.evil.example',
    'http://app.example',
    'https://app.example:8443',
    'null',
  ])('that are not (%s) are told nothing, and no cache mistakes them for one that is', async (origin) => {
    for (const response of [await ask({}, { origin }), await ask({}, { ...PREFLIGHT, origin }, 'OPTIONS')]) {
      expect(accessOf(response)).toEqual({})
      expect(response.headers.get('vary')).toBe('Accept, Origin')
    }
  })

  test('are all the same where every one is allowed: none is reflected', async () => {
    for (const origin of ['https://anything.example', 'null']) {
      const response = await ask({ origins: ['*'] }, { origin })
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.headers.get('vary')).toBe('Accept')
    }
  })
})

describe('a preflight', () => {
  test('is answered at the door with what the page asks for', async () => {
    const response = await ask({}, PREFLIGHT, 'OPTIONS')
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect(accessOf(response)).toEqual({
      'access-control-allow-origin': PAGE,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': PREFLIGHT['access-control-request-headers'],
      'access-control-max-age': '600',
    })
    expect(response.headers.get('vary')).toBe('Origin, Access-Control-Request-Headers')
  })

  test('names the listed headers alone, where they are listed', async () => {
    const response = await ask({ headers: ['authorization', 'content-type'] }, PREFLIGHT, 'OPTIONS')
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization, content-type')
  })

  test('that is no browser’s gets no names back', async () => {
    for (const odd of ['a:b', 'x'.repeat(5000), 'a"b']) {
      const asked = { ...PREFLIGHT, 'access-control-request-headers': odd }
      const response = await ask({}, asked, 'OPTIONS')
      expect(response.headers.has('access-control-allow-headers')).toBe(false)
    }
  })
})

test.each([
  ['https://app.example', true],
  ['http://localhost:3000', true],
  ['chrome-extension://abcdef', true],
  ['*', true],
  ['https://app.example/', false],
  ['https://*.example', false],
  ['app.example', false],
  ['null', false],
])('the origin %s in the config: %p', (origin, ok) => {
  expect(check(OperatorConfig, { server: { cors: { origins: [origin] } } }).ok).toBe(ok)
})

test('a gateway lets an allowed page call a model, and everything that is refused be read too', async () => {
  const gateway = await startTestGateway({ config: { server: { cors: { origins: [PAGE] } } } })
  try {
    const url = `${gateway.url}/v1/chat/completions`
    const asked = await fetch(url, { method: 'OPTIONS', headers: PREFLIGHT })
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, PAGE])
    const body = JSON.stringify({ model: 'mock', messages: [{ role: 'user', content: 'Hello' }], stream: true })
    const headers = { origin: PAGE, 'x-gateway-provider': 'mock', authorization: `Bearer ${API_KEY}` }
    const streamed = await fetch(url, { method: 'POST', headers, body })
    expect(await streamed.text()).toContain('data: [DONE]')
    const refused = await fetch(url, { method: 'POST', headers: { origin: PAGE }, body })
    const missing = await fetch(`${gateway.url}/nowhere`, { headers: { origin: PAGE } })
    expect([streamed.status, refused.status, missing.status]).toEqual([200, 401, 404])
    for (const response of [streamed, refused, missing]) {
      expect(response.headers.get('access-control-allow-origin')).toBe(PAGE)
    }
    const stranger = { ...PREFLIGHT, origin: 'https://evil.example' }
    expect((await fetch(url, { method: 'OPTIONS', headers: stranger })).status).toBe(405)
  } finally {
    await gateway.close()
  }
})
