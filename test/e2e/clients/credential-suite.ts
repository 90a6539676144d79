import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Door } from './support/door.ts'
import { PROVIDER_KEY } from './support/openai-client.ts'
import { startWireUpstream, type WireProvider, type WireUpstream } from './support/wire-upstream.ts'

const KEY_HEADERS = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'] as const

/** Which header holds which key, and what of it the provider sees: one test for each line of the interface's table. */
export const credentialSuite = (door: () => Door): void => {
  let upstream: WireUpstream
  beforeAll(async () => {
    upstream = await startWireUpstream()
  })
  afterAll(() => upstream.close())

  /** A call with these headers and the status it gets, and the keys that the provider saw, if it was called. */
  const call = async (
    provider: string,
    headers: Record<string, string>,
    wire: WireProvider = 'openai',
  ): Promise<{ status: number; code: string | undefined; seen: Record<string, string> | undefined }> => {
    const before = upstream.received
    const response = await door().fetch(`${door().url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-gateway-provider': provider,
        'x-gateway-custom-host': upstream.baseURL(wire, 'plain-text'),
        ...headers,
      },
      body: JSON.stringify({ model: 'gemini-2.5-flash', messages: [{ role: 'user', content: 'Hello' }] }),
    })
    const { error } = Object(await response.json())
    const seen = (): Record<string, string> => {
      const arrived = upstream.last()
      expect([...arrived.headers.values(), arrived.text].join()).not.toContain(door().apiKey)
      const keys = KEY_HEADERS.map((name) => [name, arrived.headers.get(name)])
      return Object.fromEntries(keys.filter(([, value]) => value !== undefined))
    }
    return { status: response.status, code: error?.code, seen: upstream.received === before ? undefined : seen() }
  }

  describe('credentials', () => {
    test.each([
      ['openai', { authorization: `Bearer ${PROVIDER_KEY}` }],
      ['anthropic', { 'x-api-key': PROVIDER_KEY }],
      ['azure-openai', { 'api-key': PROVIDER_KEY }],
      ['google', { 'x-goog-api-key': PROVIDER_KEY }],
    ] as const)('%s gets the key of the call in its own header, wherever it came from', async (provider, seen) => {
      for (const [name, value] of [
        ['authorization', `Bearer ${PROVIDER_KEY}`],
        ['x-api-key', PROVIDER_KEY],
        ['api-key', PROVIDER_KEY],
      ] as const) {
        const outcome = await call(provider, { 'x-gateway-api-key': door().apiKey, [name]: value }, provider)
        expect(outcome).toEqual({ status: 200, code: undefined, seen })
      }
    })

    test('`Authorization` alone is the gateway key, and is not sent on', async () => {
      const authorization = `Bearer ${door().apiKey}`
      // This provider needs no key.
      expect(await call('ollama', { authorization })).toEqual({ status: 200, code: undefined, seen: {} })
      const openai = await call('openai', { authorization })
      expect(openai).toEqual({ status: 401, code: 'provider_key_required', seen: undefined })
    })

    test('`Authorization` as the gateway key goes with a provider key in another header', async () => {
      const headers = { authorization: `Bearer ${door().apiKey}`, 'x-api-key': PROVIDER_KEY }
      expect(await call('anthropic', headers, 'anthropic')).toMatchObject({ seen: { 'x-api-key': PROVIDER_KEY } })
      expect(await call('openai', headers)).toMatchObject({ seen: { authorization: `Bearer ${PROVIDER_KEY}` } })
    })

    test('the same key in both headers is the gateway key alone', async () => {
      const headers = { authorization: `Bearer ${door().apiKey}`, 'x-gateway-api-key': door().apiKey }
      expect(await call('ollama', headers)).toEqual({ status: 200, code: undefined, seen: {} })
      expect(await call('openai', headers)).toMatchObject({ code: 'provider_key_required', seen: undefined })
      const everywhere = { ...headers, 'x-api-key': door().apiKey, 'api-key': door().apiKey }
      expect(await call('ollama', everywhere)).toEqual({ status: 200, code: undefined, seen: {} })
    })

    test('a gateway key that is wrong is no provider key', async () => {
      const wrong = { 'x-gateway-api-key': 'wrong', authorization: `Bearer ${door().apiKey}` }
      expect(await call('openai', wrong)).toEqual({ status: 401, code: '03', seen: undefined })
      const none = await call('openai', {})
      expect(none).toEqual({ status: 401, code: '03', seen: undefined })
    })

    test('a token is looked up like any key', async () => {
      const token = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm5hIn0.c2ln'
      for (const headers of [{ authorization: `Bearer ${token}` }, { 'x-gateway-api-key': token }]) {
        expect(await call('openai', headers)).toEqual({ status: 401, code: '03', seen: undefined })
      }
    })

    test('an organisation key is for no call, in either header', async () => {
      for (const headers of [
        { authorization: `Bearer ${door().adminKey}` },
        { 'x-gateway-api-key': door().adminKey, authorization: `Bearer ${PROVIDER_KEY}` },
      ]) {
        expect(await call('openai', headers)).toEqual({ status: 403, code: '033', seen: undefined })
      }
    })

    test('keys, cookies and our own headers are not forwarded on request', async () => {
      const headers = { 'x-gateway-api-key': door().apiKey, authorization: `Bearer ${PROVIDER_KEY}` }
      for (const name of ['authorization', 'cookie', 'x-gateway-api-key', 'X-Api-Key']) {
        const outcome = await call('openai', { ...headers, 'x-gateway-forward-headers': name })
        expect(outcome).toEqual({ status: 400, code: 'invalid_header', seen: undefined })
      }
      const named = {
        ...headers,
        'x-gateway-forward-headers': 'x-tenant, x-absent',
        'x-tenant': 'blue',
        'x-other': 'no',
      }
      expect(await call('openai', named)).toMatchObject({ status: 200 })
      expect(upstream.last().headers.get('x-tenant')).toBe('blue')
      expect(upstream.last().headers.has('x-other')).toBe(false)
    })
  })
}
