import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SLOW_START_MS } from '../../../src/store/testing.ts'
import type { Browser } from './support/browser.ts'
import { type EvilIssuer, type Lie, startEvilIssuer } from './support/evil-issuer.ts'
import { openScene, type Scene } from './support/scene.ts'

let scene: Scene
let evil: EvilIssuer
let other: EvilIssuer

const SECRET = 'the-secret-of-weir-at-the-evil-issuer'
const isCallback = ({ pathname }: URL): boolean => pathname.startsWith('/v2/sign-in/callback/')

beforeAll(async () => {
  scene = await openScene()
  evil = await startEvilIssuer()
  other = await startEvilIssuer()
  const domains = ['evil.example']
  await scene.start({
    issuers: [
      { id: 'evil', name: 'Evil', issuer: evil.url, clientId: 'weir', clientSecret: SECRET, domains },
      { id: 'other', name: 'Other', issuer: other.url, clientId: 'weir', domains },
      { id: 'renamed', name: 'Renamed', issuer: `${evil.url}/renamed`, clientId: 'weir', domains },
      { id: 'plain', name: 'Plain', issuer: 'http://issuer.invalid', clientId: 'weir', domains },
      { id: 'inner', name: 'Inner', issuer: 'https://10.0.0.1', clientId: 'weir', domains },
    ],
  })
}, SLOW_START_MS)
afterAll(async () => {
  await Promise.allSettled([evil?.close(), other?.close()])
  await scene?.close()
})

const start = (id: string): string => `${scene.url}/v2/sign-in/start?issuer=${id}`

const hasSession = ({ cookies }: Browser): boolean => cookies(scene.url).has('__Host-weir_session')

/** Signs in while the issuer lies. */
const signIn = async (lie: Lie, issuer = evil) => {
  issuer.lie = lie
  const { browser } = scene.visitor()
  const { response } = await browser.go(start(issuer === evil ? 'evil' : 'other'))
  return { browser, status: response?.status, text: (await response?.text()) ?? '' }
}

test('the truth is accepted', async () => {
  const { browser, status } = await signIn({})
  expect([status, hasSession(browser)]).toEqual([200, true])
  const form = evil.tokens.at(-1)
  expect(form?.get('code_verifier')).toMatch(/^[\w-]{43}$/)
  expect(form?.has('client_secret')).toBe(false)
})

const now = Math.floor(Date.now() / 1000)
const lies: readonly (readonly [string, Lie, number?])[] = [
  ['no signature', { algorithm: 'none' }],
  ['a signature made with the public key as a secret', { algorithm: 'HS256 with the public key' }],
  ['a signature of another key', { algorithm: 'another key' }],
  ['claims that were altered', { algorithm: 'altered' }],
  ['another audience', { claims: { aud: 'somebody else' } }],
  ['one audience of several, and another party', { claims: { aud: ['weir', 'x'], azp: 'x' } }],
  ['no audience', { claims: { aud: null } }],
  ['another issuer', { claims: { iss: 'https://accounts.example' } }],
  ['another nonce', { claims: { nonce: 'x' } }],
  ['no nonce', { claims: { nonce: null } }],
  ['an end that is over', { claims: { exp: now - 120 } }],
  ['no end', { claims: { exp: null } }],
  ['a beginning that is to come', { claims: { nbf: now + 600 } }],
  ['no subject', { claims: { sub: null } }],
  ['an address that is not verified', { claims: { sub: 'one', email_verified: false } }],
  ['an address of which nothing is said', { claims: { sub: 'two', email_verified: null } }],
  ['an address that is none', { claims: { sub: 'three', email: 'a@b@evil.example' } }, 400],
  ['a redirect in the name of another issuer', { issInRedirect: 'https://accounts.example' }],
  ['a redirect in nobody’s name', { issInRedirect: null }],
  ['an answer of two megabytes', { size: 2 * 1024 * 1024 }, 503],
]

test.each(lies)('%s: refused, without a word of what was sent', async (_what, lie, expected = 403) => {
  const { browser, status, text } = await signIn(lie)
  expect([status, hasSession(browser)]).toEqual([expected, false])
  expect(text).toStartWith('<!doctype html>')
  for (const secret of [SECRET, 'eyJ', 'accounts.example']) {
    expect(text).not.toContain(secret)
    expect(scene.lines.join('\n')).not.toContain(secret)
  }
})

test('the answer of one issuer is not taken for that of another', async () => {
  evil.lie = {}
  other.lie = {}
  const { browser } = scene.visitor()
  const { url } = await browser.go(start('evil'), isCallback)
  // Its code and state, at the address of the other; then in the other's name; then another's state.
  const elsewhere = new URL(url.href.replace('/callback/evil', '/callback/other'))
  expect((await browser.send(elsewhere.href)).status).toBe(400)
  await browser.go(start('other'), isCallback)
  const asked = other.tokens.length + evil.tokens.length
  expect((await browser.send(elsewhere.href)).status).toBe(403)
  expect((await browser.send(url.href)).status).toBe(400)
  expect(other.tokens.length + evil.tokens.length).toBe(asked)
  expect(hasSession(browser)).toBe(false)
})

test('a sign-in that somebody else began is not finished: another state, no cookie, a cookie that was made up', async () => {
  evil.lie = {}
  const [victim, attacker] = [scene.visitor().browser, scene.visitor().browser]
  const { url } = await attacker.go(start('evil'), isCallback)
  expect((await victim.send(url.href)).status).toBe(400)
  await victim.go(start('evil'), isCallback)
  expect((await victim.send(url.href)).status).toBe(403)
  const sealed = attacker.cookies(scene.url).get('__Host-weir_sign_in') ?? ''
  for (const cookie of ['x', 'v1.1.a.b', sealed.slice(0, -2), `${sealed}; __Host-weir_sign_in=${sealed}`]) {
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie: `__Host-weir_sign_in=${cookie}` } })
    expect([cookie.length, answer.status]).toEqual([cookie.length, 400])
  }
})

test('a session that was planted before is not the one that comes of it', async () => {
  evil.lie = {}
  const { browser } = scene.visitor()
  const planted = 'p'.repeat(43)
  await browser.send(`${scene.url}/v2/session`, { headers: { cookie: `__Host-weir_session=${planted}` } })
  ;(browser.cookies(scene.url) as Map<string, string>).set('__Host-weir_session', planted)
  await browser.go(start('evil'))
  expect(browser.cookies(scene.url).get('__Host-weir_session')).not.toBe(planted)
  const answer = await fetch(`${scene.url}/v2/session`, { headers: { cookie: `__Host-weir_session=${planted}` } })
  expect(answer.status).toBe(401)
})

test.each(['//evil.example', '/\\evil.example', '%2F%2Fevil.example', 'https://evil.example', '/\r\nset-cookie:a=b'])(
  'back to %s: no',
  async (target) => {
    const { browser } = scene.visitor()
    const answer = await browser.send(`${start('evil')}&return_to=${encodeURIComponent(target)}`)
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { param: 'return_to' } }])
    expect(browser.cookies(scene.url).size).toBe(0)
  },
)

test.each([
  ['renamed', 'another name than its own'],
  ['plain', 'no https, and no trust'],
  ['inner', 'a private address, and no trust'],
])('an issuer %s: %s', async (id) => {
  const answer = await scene.visitor().browser.send(start(id))
  expect([answer.status, await answer.json()]).toMatchObject([503, { error: { code: 'AB04' } }])
  expect(scene.lines.join('\n')).toContain(`"issuer":"${id}"`)
})

test('an address may not try for ever: then it hears when it may again, and others are not held up', async () => {
  const { browser } = scene.visitor('2001:db8:5:5::1')
  const statuses: number[] = []
  for (let attempt = 0; attempt < 20; attempt++) statuses.push((await browser.send(start('evil'))).status)
  expect(new Set(statuses)).toEqual(new Set([303]))
  for (const [method, path] of [
    ['GET', '/v2/sign-in/start?issuer=evil'],
    ['GET', '/v2/sign-in/callback/evil?code=x&state=y'],
    ['POST', '/v2/sign-in/key'],
  ] as const) {
    const neighbour = scene.visitor('2001:db8:5:5:ffff::1')
    const answer = await neighbour.call(method, path, method === 'POST' ? { body: { api_key: 'x' }, csrf: false } : {})
    expect([path, answer.status]).toEqual([path, 429])
    expect(Number(answer.headers.get('retry-after'))).toBeWithin(1, 4)
  }
  expect((await scene.visitor('2001:db8:5:6::1').browser.send(start('evil'))).status).toBe(303)
})

test('what there is nobody to ask is not found, and nothing of it is kept', async () => {
  const answer = await scene.visitor().browser.send(start('unknown'))
  expect(answer.status).toBe(404)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('x-gateway-request-id')).toBe(answer.headers.get('x-request-id'))
})
