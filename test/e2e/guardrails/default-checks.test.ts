import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { contentOf, type GuardedWorld, guardedWorld, guardrail, hooksOf } from './support/world.ts'

/** What the server of the operator was asked: method, path, headers, body. */
const asked: { readonly method: string; readonly path: string; readonly headers: Headers; readonly body: string }[] = []
let reply: (path: string) => Response | Promise<Response> = () => new Response(null, { status: 404 })

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const path = new URL(request.url).pathname
    asked.push({ method: request.method, path, headers: request.headers, body: await request.text() })
    return reply(path)
  },
})
const at = (path: string): string => `http://127.0.0.1:${server.port}${path}`

let world: GuardedWorld
beforeAll(async () => {
  world = await guardedWorld()
})
afterAll(async () => {
  await world.close()
  await server.stop(true)
})
beforeEach(() => {
  asked.length = 0
})

const hold = (id: string, parameters: Record<string, unknown>, on: 'input' | 'output' = 'input'): void =>
  world.hold({ slug: 'held', on, definition: guardrail([{ id, parameters }], { deny: true }) })

test('a pattern redacts what is asked, and words refuse what is answered', async () => {
  hold('default.regexReplace', { rule: '\\d{3}-\\d{2}-\\d{4}', redactText: '[SSN]' })
  expect(contentOf(await world.chat('mine is 123-45-6789'))).toBe('mine is [SSN]')
  expect(world.asked()[0]).not.toContain('6789')
  hold('default.contains', { words: ['Apollo'], operator: 'none' }, 'output')
  expect((await world.chat('tell of Apollo')).status).toBe(446)
  expect((await world.chat('tell of Zeus')).status).toBe(200)
})

test('a webhook is told of the request, and changes it', async () => {
  hold('default.webhook', { webhookURL: at('/hook'), forwardHeaders: ['x-tenant'], headers: { 'x-own': 'own' } })
  const json = { model: 'mock', messages: [{ role: 'user', content: 'something else' }] }
  reply = () => Response.json({ verdict: true, transformedData: { request: { json } } })
  const answer = await world.chat('secret words', {}, { 'x-tenant': 't1', 'x-other': 'o' })
  expect(contentOf(answer)).toBe('something else')
  const [told] = asked
  expect([told?.method, told?.headers.get('x-tenant'), told?.headers.get('x-own')]).toEqual(['POST', 't1', 'own'])
  expect([told?.headers.get('x-other'), told?.headers.get('x-gateway-api-key')]).toEqual([null, null])
  expect(JSON.parse(told?.body ?? '')).toMatchObject({
    request: { text: 'secret words', isStreamingRequest: false },
    provider: 'acme',
    requestType: 'chatComplete',
    eventType: 'beforeRequestHook',
  })
  reply = () => Response.json({ verdict: false })
  expect((await world.chat('secret words')).status).toBe(446)
})

test('a webhook that is away passes, or refuses where errors shall fail', async () => {
  reply = () => new Response('broken', { status: 500 })
  hold('default.webhook', { webhookURL: at('/hook') })
  expect((await world.chat('Hi')).status).toBe(200)
  hold('default.webhook', { webhookURL: at('/hook'), failOnError: true })
  expect((await world.chat('Hi')).status).toBe(446)
})

test('a private address that nobody trusts is not asked', async () => {
  hold('default.webhook', { webhookURL: 'http://169.254.169.254/latest', failOnError: true })
  const refused = await world.chat('Hi')
  expect(refused.status).toBe(446)
  expect(hooksOf(refused).before_request_hooks[0]?.checks[0]?.error).toBeDefined()
})

test('a token lets a call through, and nothing else does', async () => {
  const keys = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256' }
  reply = () => Response.json({ keys: [jwk] })
  hold('default.jwt', { jwksUri: at('/keys'), headerKey: 'x-user-token', requiredClaims: ['sub'] })
  const sign = (payload: object) =>
    new SignJWT({ ...payload })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(keys.privateKey)
  const call = async (token?: string) =>
    (await world.chat('Hi', {}, token === undefined ? {} : { 'x-user-token': `Bearer ${token}` })).status
  expect(await call(await sign({ sub: 'me' }))).toBe(200)
  expect(await call(await sign({}))).toBe(446)
  expect(await call(`${await sign({ sub: 'me' })}x`)).toBe(446)
  expect(await call()).toBe(446)
  expect(asked.map(({ path }) => path)).toEqual(['/keys'])
  reply = () => new Response(null, { status: 503 })
  hold('default.jwt', { jwksUri: at('/other-keys'), headerKey: 'x-user-token' })
  expect(await call(await sign({ sub: 'me' }))).toBe(446)
})

test('URLs of an answer are asked for', async () => {
  reply = (path) => new Response(null, { status: path === '/there' ? 200 : 404 })
  hold('default.validUrls', {}, 'output')
  expect((await world.chat(`see ${at('/there')}.`)).status).toBe(200)
  expect((await world.chat(`see ${at('/gone')}.`)).status).toBe(446)
  expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual(['HEAD /there', 'HEAD /gone'])
})

test('a picture stands in the request instead of its URL', async () => {
  reply = () => new Response(new Uint8Array([1, 2, 3]), { headers: { 'content-type': 'image/png' } })
  hold('default.inlineImageUrls', {})
  const content = [
    { type: 'text', text: 'what is it?' },
    { type: 'image_url', image_url: { url: at('/p.png') } },
  ]
  await world.chat('', { messages: [{ role: 'user', content }] })
  expect(world.asked()[0]).toContain('data:image/png;base64,AQID')
})

test('requests are judged by model, kind and parameters', async () => {
  hold('default.modelWhitelist', { models: ['mock'] })
  expect((await world.chat('Hi')).status).toBe(200)
  expect((await world.chat('Hi', { model: 'other' })).status).toBe(446)
  hold('default.allowedRequestTypes', { allowedTypes: ['embed'] })
  expect((await world.chat('Hi')).status).toBe(446)
  expect((await world.post('/v1/embeddings', { model: 'mock-embedding', input: 'Hi' })).status).toBe(200)
  hold('default.requestParametersCheck', { params: { values: { temperature: { allowedValues: [0] } } } })
  expect((await world.chat('Hi', { temperature: 0 })).status).toBe(200)
  expect((await world.chat('Hi', { temperature: 1 })).status).toBe(446)
})
