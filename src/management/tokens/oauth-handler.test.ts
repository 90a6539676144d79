import { describe, expect, test } from 'bun:test'
import { MasterKey } from '../../secrets/master-key.ts'
import { StoreUnavailable } from '../../store/errors.ts'
import { createApiKey } from '../../store/key-material.ts'
import { createAccessTokens } from './access-tokens.ts'
import { createOAuthHandler } from './oauth-handler.ts'
import { keyRecord, manualClock, silentLog } from './test-support.ts'

const ID = '0198c5d2-0000-7000-8000-000000000001'
const EXPIRED_ID = '0198c5d2-0000-7000-8000-000000000002'
const { key: secret } = createApiKey()
const { key: expiredSecret } = createApiKey()
const clock = manualClock()
const tokens = createAccessTokens({
  masterKeys: { current: new MasterKey(new Uint8Array(32).fill(1)) },
  clock,
  randomId: () => crypto.randomUUID(),
})

const records = new Map([
  [secret, keyRecord({ id: ID })],
  [expiredSecret, keyRecord({ id: EXPIRED_ID, expiresAt: new Date(clock.now()) })],
])
const handle = createOAuthHandler({ keys: { find: (key) => records.get(key) }, tokens, clock, log: silentLog })

const bodyOf = async (response: Response): Promise<{ access_token: string; scope: string; error: string }> =>
  (await response.json()) as { access_token: string; scope: string; error: string }
const send = (body: string | Uint8Array<ArrayBuffer> | URLSearchParams, headers: Record<string, string> = {}) =>
  handle(new Request('http://weir.test/oauth/token', { method: 'POST', body, headers }))
const sendJson = (body: unknown, headers: Record<string, string> = {}) =>
  send(JSON.stringify(body), { 'content-type': 'application/json', ...headers })
const whole = { grant_type: 'client_credentials', client_id: ID, client_secret: secret }
const basic = (id: string, key: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${key}`).toString('base64')}`,
})

describe('POST /oauth/token', () => {
  const ways: readonly (readonly [string, () => Promise<Response>])[] = [
    ['a form', () => send(new URLSearchParams(whole))],
    ['JSON', () => sendJson(whole)],
    ['HTTP Basic', () => send(new URLSearchParams({ grant_type: 'client_credentials' }), basic(ID, secret))],
    ['HTTP Basic, the id in the body too', () => sendJson({ ...whole, client_secret: '' }, basic(ID, secret))],
    ['unknown parameters beside', () => sendJson({ ...whole, resource: 'x', extra: 5 })],
  ]
  test.each(ways)('gives a token for a key sent as %s', async (_, ask) => {
    const response = await ask()
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const body = await bodyOf(response)
    expect<unknown>(body).toEqual({
      access_token: expect.stringMatching(/^eyJ/),
      token_type: 'Bearer',
      expires_in: 900,
      scope: 'completions.write logs.view',
    })
    expect(await tokens.verify(body.access_token)).toEqual({ keyId: ID, expiresAtMs: clock.now() + 900_000 })
  })

  test('narrows the token to the scopes asked for', async () => {
    const response = await sendJson({ ...whole, scope: ' logs.view  logs.view' })
    const body = await bodyOf(response)
    expect(body.scope).toBe('logs.view')
    expect(await tokens.verify(body.access_token)).toMatchObject({ scopes: new Set(['logs.view']) })
  })

  const refused: readonly (readonly [string, () => Promise<Response>, number, string])[] = [
    ['an unknown id', () => sendJson({ ...whole, client_id: EXPIRED_ID }), 401, 'invalid_client'],
    ['a wrong secret', () => sendJson({ ...whole, client_secret: `${secret}x` }), 401, 'invalid_client'],
    [
      'an expired key',
      () => sendJson({ ...whole, client_id: EXPIRED_ID, client_secret: expiredSecret }),
      401,
      'invalid_client',
    ],
    ['no secret', () => sendJson({ ...whole, client_secret: undefined }), 401, 'invalid_client'],
    ['no grant type', () => sendJson({ ...whole, grant_type: undefined }), 400, 'invalid_request'],
    ['another grant type', () => sendJson({ ...whole, grant_type: 'password' }), 400, 'unsupported_grant_type'],
    ['a scope the key lacks', () => sendJson({ ...whole, scope: 'logs.view workspaces.create' }), 400, 'invalid_scope'],
    ['two ways to name the client', () => sendJson(whole, basic(ID, secret)), 400, 'invalid_request'],
    ['Basic without a colon', () => sendJson(whole, { authorization: 'Basic YWJj' }), 400, 'invalid_request'],
    ['Basic that is not encoded', () => sendJson(whole, basic('%', 'x')), 400, 'invalid_request'],
    ['a secret that is a number', () => sendJson({ ...whole, client_secret: 5 }), 400, 'invalid_request'],
    [
      'a parameter twice',
      () => send('grant_type=client_credentials&grant_type=x', { 'content-type': 'application/x-www-form-urlencoded' }),
      400,
      'invalid_request',
    ],
    [
      'a broken form',
      () => send(new Uint8Array([0x61, 0xff]), { 'content-type': 'application/x-www-form-urlencoded' }),
      400,
      'invalid_request',
    ],
    ['broken JSON', () => send('{', { 'content-type': 'application/json' }), 400, 'invalid_request'],
    ['another type of body', () => send('<a/>', { 'content-type': 'text/xml' }), 400, 'invalid_request'],
    ['no body', () => send('', {}), 400, 'invalid_request'],
    ['a body that is too large', () => sendJson({ ...whole, extra: 'x'.repeat(40_000) }), 413, 'invalid_request'],
  ]
  test.each(refused)('refuses %s in the form of the standard', async (_, ask, status, code) => {
    const response = await ask()
    expect(response.status).toBe(status)
    const text = await response.text()
    expect(JSON.parse(text)).toEqual({ error: code, error_description: expect.any(String) })
    expect(text).not.toContain(secret)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.has('www-authenticate')).toBe(status === 401)
  })

  test('says the same for an unknown id, a wrong secret and an expired key', async () => {
    const answers = await Promise.all([
      sendJson({ ...whole, client_id: 'nobody' }),
      sendJson({ ...whole, client_secret: createApiKey().key }),
      sendJson({ ...whole, client_id: EXPIRED_ID, client_secret: expiredSecret }),
    ])
    expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1)
  })

  test('says 503 while the store is away, and 500 for a fault of ours', async () => {
    const failing = (thrown: Error) =>
      createOAuthHandler({ keys: { find: () => Promise.reject(thrown) }, tokens, clock, log: silentLog })
    const request = () =>
      new Request('http://weir.test/oauth/token', { method: 'POST', body: new URLSearchParams(whole) })
    const away = await failing(new StoreUnavailable('10.0.0.1:5432'))(request())
    expect([away.status, (await bodyOf(away)).error]).toEqual([503, 'temporarily_unavailable'])
    const broken = await failing(new TypeError('secret'))(request())
    expect(broken.status).toBe(500)
    expect(await broken.text()).not.toContain('secret"')
  })
})
