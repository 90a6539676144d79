import { beforeAll, describe, expect, test } from 'bun:test'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import type { CheckPowers, CheckResponse } from '#kit'
import { faultsOf, inputOf, powersOf, prepare, run } from '../shared/test-support.ts'
import { jwt } from './check.ts'

const JWKS_URI = 'https://keys.example/jwks.json'
const PARAMETERS = { jwksUri: JWKS_URI, headerKey: 'Authorization' }

let keys: { readonly own: CryptoKeyPair; readonly other: CryptoKeyPair }
let jwks: { readonly keys: readonly JWK[] }

const publicKey = async (pair: CryptoKeyPair, kid: string): Promise<JWK> => ({
  ...(await exportJWK(pair.publicKey)),
  kid,
  alg: 'RS256',
  use: 'sig',
})

beforeAll(async () => {
  keys = { own: await generateKeyPair('RS256'), other: await generateKeyPair('RS256') }
  jwks = { keys: [await publicKey(keys.own, 'one')] }
})

const sign = (payload: JWTPayload = {}, header: object = {}, key = keys.own.privateKey): Promise<string> =>
  new SignJWT({ iat: now(), exp: now() + 600, ...payload })
    .setProtectedHeader({ alg: 'RS256', kid: 'one', ...header })
    .sign(key)

const now = (): number => Math.floor(Date.now() / 1_000)

const answer = (body: unknown, status = 200): CheckResponse => {
  const text = JSON.stringify(body)
  return {
    status,
    headers: new Headers(),
    bytes: new TextEncoder().encode(text),
    text: () => text,
    json: () => JSON.parse(text),
  }
}

const served = (): CheckPowers['fetch'] => async () => answer(jwks)
const bearing = (token: string) => ({ headers: new Headers({ authorization: `Bearer ${token}` }) })

const verdictOf = async (token: string, parameters: object = {}, fetch = served()) =>
  run(jwt, { ...PARAMETERS, ...parameters }, bearing(token), { fetch })

describe('a token', () => {
  test('that is signed by a known key passes', async () => {
    expect(await verdictOf(await sign())).toEqual({
      verdict: true,
      data: { verdict: true, explanation: 'The token is valid.' },
    })
  })

  test('may stand in another header, without a word in front of it', async () => {
    const input = { headers: new Headers({ 'x-user-token': await sign() }) }
    expect((await run(jwt, { ...PARAMETERS, headerKey: 'X-User-Token' }, input, { fetch: served() })).verdict).toBe(
      true,
    )
    expect((await run(jwt, PARAMETERS, input, { fetch: served() })).verdict).toBe(false)
  })

  test.each<readonly [what: string, make: () => Promise<string> | string, explanation: RegExp]>([
    ['another key', () => sign({}, {}, keys.other.privateKey), /signature verification failed/],
    ['an unknown key', () => sign({}, { kid: 'two' }), /no applicable key/],
    ['no signature', () => new UnsecuredJWT({ iat: now() }).encode(), /./],
    [
      'a shared secret',
      () => new SignJWT({ iat: now() }).setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32)),
      /"alg"/,
    ],
    ['a time that has passed', () => sign({ exp: now() - 60 }), /"exp" claim/],
    ['a time to come', () => sign({ nbf: now() + 60 }), /"nbf" claim/],
    ['an age beyond the limit', () => sign({ iat: now() - 90_000, exp: now() + 60 }), /"iat" claim/],
    [
      'no time',
      () => new SignJWT().setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(keys.own.privateKey),
      /"iat" claim/,
    ],
    ['text that is none', () => 'a.b.c', /./],
    ['too much text', () => 'a'.repeat(20_000), /too long/],
    ['nothing', () => '', /has no token/],
  ])('with %s is refused', async (_, make, explanation) => {
    const verdict = await verdictOf(await make())
    expect(verdict).toMatchObject({ verdict: false, data: { explanation: expect.stringMatching(explanation) } })
    expect(verdict.error).toBeUndefined()
  })

  test('with an algorithm that is not allowed is refused', async () => {
    expect(await verdictOf(await sign(), { algorithms: ['ES256', 'PS256'] })).toMatchObject({
      verdict: false,
      data: { explanation: expect.stringContaining('"alg"') },
    })
  })

  test('is given some seconds', async () => {
    expect((await verdictOf(await sign({ exp: now() - 60 }), { clockTolerance: 120 })).verdict).toBe(true)
    expect((await verdictOf(await sign({ iat: now() - 90_000 }), { maxTokenAge: '2d' })).verdict).toBe(true)
  })
})

describe('what a token says', () => {
  test.each<readonly [parameters: object, payload: JWTPayload, fault: string | undefined]>([
    [{ requiredClaims: ['sub', 'email'] }, { sub: 'u', email: 'e' }, undefined],
    [{ requiredClaims: ['sub', 'email', 'tid'] }, { sub: 'u' }, 'claims are missing: email, tid'],
    [{ claimValues: { iss: { values: 'https://a.example' } } }, { iss: 'https://a.example' }, undefined],
    [{ claimValues: { iss: { values: 'https://a.example' } } }, { iss: 'https://a.example.evil' }, 'iss'],
    [{ claimValues: { aud: { values: ['x', 'y'], matchType: 'contains' } } }, { aud: ['y', 'z'] }, undefined],
    [{ claimValues: { aud: { values: ['x'] } } }, { aud: ['x'] }, 'aud'],
    [{ claimValues: { tid: { values: ['t-1', 't-2'], matchType: 'contains' } } }, { tid: 't-2' }, undefined],
    // Words, not letters: another tenant's name may begin like this one's.
    [{ claimValues: { tid: { values: ['t-1'], matchType: 'contains' } } }, { tid: 't-12' }, 'tid'],
    [{ claimValues: { scope: { values: ['a', 'b'], matchType: 'containsAll' } } }, { scope: 'b c a' }, undefined],
    [{ claimValues: { scope: { values: ['a', 'b'], matchType: 'containsAll' } } }, { scope: 'a c' }, 'scope'],
    [{ claimValues: { email: { values: '.*@(x|y)\\.com$', matchType: 'regex' } } }, { email: 'a@y.com' }, undefined],
    [{ claimValues: { email: { values: '.*@(x|y)\\.com$', matchType: 'regex' } } }, { email: 'a@y.com.z' }, 'email'],
    [{ claimValues: { gone: { values: 'a' } } }, {}, 'gone'],
    [{ headerPayloadMatch: ['tid'] }, { tid: 't' }, undefined],
    [{ headerPayloadMatch: ['tid'] }, { tid: 'u' }, 'claims differ from the header: tid'],
  ])('%j %j', async (parameters, payload, fault) => {
    const verdict = await verdictOf(await sign(payload, { tid: 't' }), parameters)
    expect(verdict.verdict).toBe(fault === undefined)
    if (fault !== undefined) expect(JSON.stringify(verdict.data)).toContain(fault)
  })

  test('can be taken out', async () => {
    const parameters = { extractClaims: ['sub', 'tenant_id', 'groups', 'none'] }
    const { data } = await verdictOf(await sign({ sub: 'u', tenant_id: 4, groups: ['a', 'b'] }), parameters)
    expect(data).toMatchObject({
      claims: { 'x-jwt-sub': 'u', 'x-jwt-tenant-id': '4', 'x-jwt-groups': 'a,b' },
    })
  })
})

describe('the keys', () => {
  test('are asked for once, also by calls at the same time', async () => {
    let asked = 0
    const fetch: CheckPowers['fetch'] = async () => {
      asked++
      await Bun.sleep(5)
      return answer(jwks)
    }
    const check = prepare(jwt, PARAMETERS)
    const input = inputOf(bearing(await sign()))
    const verdicts = await Promise.all(Array.from({ length: 5 }, () => check.run(input, powersOf({ fetch }))))
    expect(verdicts.map(({ verdict }) => verdict)).toEqual([true, true, true, true, true])
    await check.run(input, powersOf({ fetch }))
    expect(asked).toBe(1)
  })

  test('are not asked for again by each token that names an unknown one', async () => {
    let asked = 0
    const fetch: CheckPowers['fetch'] = async () => {
      asked++
      return answer(jwks)
    }
    const check = prepare(jwt, PARAMETERS)
    for (const kid of ['two', 'three', 'four']) {
      expect((await check.run(inputOf(bearing(await sign({}, { kid }))), powersOf({ fetch }))).verdict).toBe(false)
    }
    expect(asked).toBe(1)
  })

  test('whose asker has gone are asked for by the next one', async () => {
    const first = Promise.withResolvers<CheckResponse>()
    const check = prepare(jwt, PARAMETERS)
    const input = inputOf(bearing(await sign()))
    const gone = check.run(input, powersOf({ fetch: () => first.promise }))
    const waiting = check.run(input, powersOf({ fetch: served() }))
    first.reject(new Error('aborted'))
    expect((await gone).verdict).toBe(false)
    expect((await waiting).verdict).toBe(true)
  })

  test.each<readonly [what: string, fetch: CheckPowers['fetch']]>([
    ['away', () => Promise.reject(new Error('no route'))],
    ['broken', async () => answer({}, 500)],
    ['no keys', async () => answer({ nothing: 1 })],
  ])('that are %s let nobody in, with an error', async (_, fetch) => {
    const verdict = await verdictOf(await sign(), {}, fetch)
    expect(verdict.verdict).toBe(false)
    expect(verdict.error).toBeInstanceOf(Error)
  })

  test('may stand in the parameters', async () => {
    expect((await run(jwt, { jwks }, bearing(await sign()))).verdict).toBe(true)
    expect((await run(jwt, { jwks }, bearing(await sign({}, {}, keys.other.privateKey)))).verdict).toBe(false)
  })
})

describe('a server that knows the tokens', () => {
  const endpoint = { introspectEndpoint: 'https://login.example/introspect' }
  const asking = async (reply: unknown, parameters: object = {}, status = 200) => {
    const asked: unknown[] = []
    const fetch: CheckPowers['fetch'] = async (url, request) => {
      asked.push([url, request?.method, request?.headers?.['content-type'], request?.body])
      return answer(reply, status)
    }
    const check = prepare(jwt, { ...endpoint, ...parameters })
    const ask = () => check.run(inputOf(bearing('opaque+')), powersOf({ fetch }))
    return { asked, verdicts: [await ask(), await ask()] }
  }

  test('is asked about each, or once for a while', async () => {
    const often = await asking({ active: true })
    expect(often.asked).toHaveLength(2)
    expect(often.asked[0]).toEqual([
      endpoint.introspectEndpoint,
      'POST',
      'application/x-www-form-urlencoded',
      'token=opaque%2B',
    ])
    const kept = await asking(
      { active: true },
      { introspectCacheMaxAge: 60, introspectContentType: 'application/json' },
    )
    expect(kept.asked).toEqual([[endpoint.introspectEndpoint, 'POST', 'application/json', { token: 'opaque+' }]])
    expect(kept.verdicts.map(({ verdict }) => verdict)).toEqual([true, true])
  })

  test.each<readonly [reply: unknown, status: number]>([
    [{ active: false }, 200],
    [{ active: 'true' }, 200],
    [{}, 200],
    [{ active: true }, 401],
    [{ active: true, exp: 1 }, 200],
    [{ active: true, nbf: 99_999_999_999 }, 200],
  ])('refuses when it says %j, %d', async (reply, status) => {
    const { verdicts } = await asking(reply, { introspectCacheMaxAge: 60 }, status)
    expect(verdicts.map(({ verdict }) => verdict)).toEqual([false, false])
  })

  test('says what the token says', async () => {
    expect((await asking({ active: true, scope: 'a' }, { requiredClaims: ['scope'] })).verdicts[0]?.verdict).toBe(true)
    expect((await asking({ active: true }, { requiredClaims: ['scope'] })).verdicts[0]?.verdict).toBe(false)
  })
})

test.each([
  [{}, 'jwksUri is needed'],
  [{ jwksUri: JWKS_URI, introspectEndpoint: JWKS_URI }, 'jwksUri is needed'],
  [{ jwksUri: 'keys' }, 'jwksUri must be an http or https URL'],
  [{ jwks: { keys: [{ kty: 'oct', k: 'x' }] } }, 'jwks.keys[0] must be a public key'],
  [{ ...PARAMETERS, algorithms: ['none'] }, 'algorithms[0] must be one of: RS256,'],
  [{ ...PARAMETERS, algorithms: ['HS256'] }, 'algorithms[0] must be one of: RS256,'],
  [{ ...PARAMETERS, algorithms: [] }, 'algorithms must have at least 1 item'],
  [{ ...PARAMETERS, maxTokenAge: 'soon' }, 'maxTokenAge'],
  [{ ...PARAMETERS, claimValues: { a: { values: '(', matchType: 'regex' } } }, 'claimValues.a.values is no pattern'],
])('wrong parameters: %j', (parameters, fault) => {
  expect(faultsOf(jwt, parameters).join('; ')).toStartWith(fault)
})
