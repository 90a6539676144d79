import { beforeAll, describe, expect, test } from 'bun:test'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { JwtSettings } from '../../config/jwt-settings.ts'
import { ExpiredApiKey, InvalidApiKey, StoreUnavailable } from '../../errors/gateway-error.ts'
import { createExternalTokens } from './jwt.ts'
import { manualClock, ORGANISATION_ID, silentLog } from './test-support.ts'

const URL = 'https://issuer.example/jwks'

interface Signer {
  readonly privateKey: CryptoKey
  readonly jwk: Record<string, unknown>
}

const signer = async (algorithm: 'RS256' | 'ES256' | 'RS512', kid: string): Promise<Signer> => {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true })
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid } }
}

const clock = manualClock()
const inAnHour = (): number => clock.now() / 1000 + 3600
let rsa: Signer
let curve: Signer

beforeAll(async () => {
  rsa = await signer('RS256', 'rsa-1')
  curve = await signer('ES256', 'curve-1')
})

const sign = (
  by: Signer,
  claims: Readonly<Record<string, unknown>> = {},
  header: { readonly alg?: string; readonly kid?: string | null } = {},
): Promise<string> => {
  const kid = header.kid === undefined ? String(by.jwk.kid) : header.kid
  const alg = header.alg ?? (by.jwk.kty === 'EC' ? 'ES256' : 'RS256')
  const payload = {
    organisation_id: ORGANISATION_ID,
    workspace_slug: 'ws-default',
    scope: 'completions.write',
    sub: 'someone',
    exp: inAnHour(),
    ...claims,
  }
  return new SignJWT(payload).setProtectedHeader({ alg, ...(kid === null ? {} : { kid }) }).sign(by.privateKey)
}

const noFetch = async (): Promise<unknown> => {
  throw new Error('nothing is fetched here')
}

const verifierOf = (settings: JwtSettings, fetchJson: (url: string) => Promise<unknown> = noFetch) =>
  createExternalTokens(settings, { fetchJson, clock, log: silentLog })

const inline = (...signers: readonly Signer[]): JwtSettings => ({ jwks: { keys: signers.map(({ jwk }) => jwk) } })

describe('external tokens', () => {
  test('of both algorithms are read', async () => {
    const tokens = verifierOf(inline(rsa, curve))
    for (const by of [rsa, curve]) {
      const token = await sign(by)
      const expected = {
        organisationId: ORGANISATION_ID,
        workspace: 'ws-default',
        userId: 'someone',
        scopes: new Set(['completions.write']),
        expiresAtMs: (inAnHour() + 5) * 1000,
      }
      expect(await tokens.verify(token)).toEqual(expected)
      expect(tokens.verify(token)).toEqual(expected)
    }
  })

  test('have their claims in either spelling, and scopes of ours only, without a vendor in front', async () => {
    const tokens = verifierOf(inline(rsa))
    const claims = {
      organisation_id: undefined,
      oid: ORGANISATION_ID,
      workspace_slug: undefined,
      workspace: 'ws-other',
      scope: undefined,
      scopes: ['acme.logs.view', 'acme:completions.write', 'openid', 'workspace_service_api_keys.create', 'logs.list'],
      email_id: 'someone@example.com',
      uid: 'u-1',
      defaults: { config_id: 'pc-1', metadata: { team: 'blue' } },
    }
    expect(await tokens.verify(await sign(rsa, claims))).toMatchObject({
      organisationId: ORGANISATION_ID,
      workspace: 'ws-other',
      userId: 'someone@example.com',
      scopes: new Set(['logs.view', 'completions.write', 'logs.list']),
      defaults: { configId: 'pc-1', metadata: { team: 'blue' } },
    })
    expect(await tokens.verify(await sign(rsa, { sub: undefined, uid: 'u-1' }))).toMatchObject({ userId: 'u-1' })
  })

  test('may bring limits, in the words of keys', async () => {
    const tokens = verifierOf(inline(rsa))
    const since = { startMs: 0, setAtMs: 0 }
    const rateLimits = [{ type: 'requests', unit: 'rps', value: 5 }]
    const usageLimits = [
      { credit_limit: 5, periodic_reset: 'monthly' },
      { type: 'tokens', credit_limit: 1000, enforcement: 'reserve' },
    ]
    expect(await tokens.verify(await sign(rsa, { usage_limits: usageLimits, rate_limits: rateLimits }))).toMatchObject({
      usageLimits: [
        { type: 'cost', creditLimit: 5, periodicReset: 'monthly', since },
        { type: 'tokens', creditLimit: 1000, enforcement: 'reserve', since },
      ],
      rateLimits,
    })
    expect(await tokens.verify(await sign(rsa, { usage_limits: usageLimits[0] }))).toMatchObject({
      usageLimits: [{ type: 'cost', creditLimit: 5 }],
    })
    for (const nothing of [
      { usage_limits: null, rate_limits: null },
      { usage_limits: [], rate_limits: [] },
    ]) {
      const token = await tokens.verify(await sign(rsa, nothing))
      expect(token).not.toContainAnyKeys(['usageLimits', 'rateLimits'])
    }
  })

  test.each<[string, Record<string, unknown>]>([
    ['usage_limits[0].credit_limit', { usage_limits: { credit_limit: -1 } }],
    ['usage_limits[0].credit_limit', { usage_limits: { credit_limit: 1e30 } }],
    ['usage_limits[0].credit_limit', { usage_limits: { credit_limit: 'NaN' } }],
    ['usage_limits[0].alert_threshold', { usage_limits: { credit_limit: 5, alert_threshold: 6 } }],
    [
      'usage_limits[0].periodic_reset_days',
      { usage_limits: { credit_limit: 5, periodic_reset: 'weekly', periodic_reset_days: 1 } },
    ],
    [
      'usage_limits[0].next_usage_reset_at',
      { usage_limits: { credit_limit: 5, next_usage_reset_at: '2030-01-01T00:00:00' } },
    ],
    ['usage_limits[0].periodic_rest', { usage_limits: { credit_limit: 5, periodic_rest: 'weekly' } }],
    ['usage_limits[1].type', { usage_limits: [{ credit_limit: 5 }, { credit_limit: 6 }] }],
    ['usage_limits[0]', { usage_limits: 'all' }],
    ['rate_limits', { rate_limits: 5 }],
    ['rate_limits[0].unit', { rate_limits: [{ type: 'requests', unit: 'rpy', value: 5 }] }],
    ['rate_limits[0].value', { rate_limits: [{ type: 'requests', unit: 'rpd', value: -5 }] }],
  ])('are refused where a limit is not valid: %s', async (path, claims) => {
    const token = await sign(rsa, claims)
    const verified = (async () => verifierOf(inline(rsa)).verify(token))()
    await expect(verified).rejects.toThrow(InvalidApiKey)
    await expect(verified).rejects.toThrow(`\`${path}\``)
  })

  test('must be signed by a key of that id with that algorithm', async () => {
    const stranger = await signer('RS256', 'rsa-1')
    const sha512 = await signer('RS512', 'rsa-512')
    const tokens = verifierOf(inline(rsa, curve, sha512))
    const hmac = await new SignJWT({ organisation_id: ORGANISATION_ID, exp: inAnHour() })
      .setProtectedHeader({ alg: 'HS256', kid: 'rsa-1' })
      .sign(new TextEncoder().encode(JSON.stringify(rsa.jwk)))
    const none = `${Buffer.from('{"alg":"none","kid":"rsa-1"}').toString('base64url')}.${(await sign(rsa)).split('.')[1]}.`
    for (const token of [
      await sign(stranger),
      await sign(rsa, {}, { kid: null }),
      await sign(rsa, {}, { kid: 'curve-1' }),
      await sign(rsa, {}, { kid: '__proto__' }),
      await sign(sha512, {}, { alg: 'RS512' }),
      hmac,
      none,
    ]) {
      expect(await tokens.verify(token)).toBeUndefined()
    }
  })

  test('must say when they expire; 5 s of difference between clocks are forgiven', async () => {
    const tokens = verifierOf(inline(rsa))
    const now = clock.now() / 1000
    expect(await tokens.verify(await sign(rsa, { exp: undefined }))).toBeUndefined()
    expect(await tokens.verify(await sign(rsa, { exp: now - 4 }))).toBeDefined()
    expect(await tokens.verify(await sign(rsa, { nbf: now + 4 }))).toBeDefined()
    expect(await tokens.verify(await sign(rsa, { nbf: now + 6 }))).toBeUndefined()
    const expired = await sign(rsa, { exp: now - 6 })
    expect(async () => await tokens.verify(expired)).toThrow(ExpiredApiKey)
  })

  test('must be for this gateway, when the operator says how to tell', async () => {
    const other = '0198c5d2-0000-7000-8000-00000000ffff'
    const settings = {
      ...inline(rsa),
      issuer: 'https://issuer.example',
      audience: 'weir',
      organisationId: ORGANISATION_ID,
    }
    const tokens = verifierOf(settings)
    const good = { iss: 'https://issuer.example', aud: ['weir', 'other'] }
    expect(await tokens.verify(await sign(rsa, good))).toBeDefined()
    for (const bad of [{ iss: 'x' }, { aud: 'x' }, { iss: undefined }, { organisation_id: other }]) {
      expect(await tokens.verify(await sign(rsa, { ...good, ...bad }))).toBeUndefined()
    }
  })

  test('with claims of the wrong type are refused', async () => {
    const tokens = verifierOf(inline(rsa))
    const wrong: readonly Readonly<Record<string, unknown>>[] = [
      { organisation_id: 1 },
      { organisation_id: undefined },
      { workspace_slug: ['ws-default'] },
      { workspace_slug: '' },
      { scope: 5 },
      { scope: ['completions.write', 5] },
      { email_id: { a: 1 } },
      { defaults: 'pc-1' },
      { defaults: { config_id: 7 } },
      { defaults: { metadata: { team: 1 } } },
      { defaults: { metadata: [] } },
    ]
    for (const claims of wrong) expect(await tokens.verify(await sign(rsa, claims))).toBeUndefined()
    expect(await tokens.verify(await sign(rsa, { scope: undefined }))).toMatchObject({ scopes: new Set() })
  })
})

describe('keys behind a URL', () => {
  const publish = (first: readonly Signer[]) => {
    const state = { signers: first, isAway: false, fetches: 0, answer: undefined as unknown }
    const fetchJson = async (): Promise<unknown> => {
      state.fetches++
      await Bun.sleep(0)
      if (state.isAway) throw new Error('connection refused')
      return state.answer ?? { keys: state.signers.map(({ jwk }) => jwk) }
    }
    return { state, fetchJson }
  }

  test('are fetched once for tokens that come together', async () => {
    const { state, fetchJson } = publish([rsa, curve])
    const tokens = verifierOf({ jwksUri: URL }, fetchJson)
    const both = await Promise.all([tokens.verify(await sign(rsa)), tokens.verify(await sign(curve))])
    expect(both.every((token) => token !== undefined)).toBe(true)
    expect(state.fetches).toBe(1)
  })

  test('are fetched again for an unknown id, at most every 30 s', async () => {
    const { state, fetchJson } = publish([rsa])
    const tokens = verifierOf({ jwksUri: URL }, fetchJson)
    expect(await tokens.verify(await sign(rsa))).toBeDefined()
    expect(await tokens.verify(await sign(curve))).toBeUndefined()
    expect(state.fetches).toBe(1)
    clock.advance(30_000)
    state.signers = [rsa, curve]
    expect(await tokens.verify(await sign(curve))).toBeDefined()
    expect(await tokens.verify(await sign(curve, {}, { kid: 'made-up' }))).toBeUndefined()
    expect(state.fetches).toBe(2)
  })

  test('stay in use while the issuer is away or answers nonsense', async () => {
    const { state, fetchJson } = publish([rsa])
    const tokens = verifierOf({ jwksUri: URL }, fetchJson)
    await tokens.verify(await sign(rsa))
    state.isAway = true
    clock.advance(3_600_000)
    expect(await tokens.verify(await sign(rsa, { jti: '1' }))).toBeDefined()
    await Bun.sleep(5)
    expect(state.fetches).toBe(2)
    state.isAway = false
    state.answer = '<html>'
    clock.advance(3_600_000)
    expect(await tokens.verify(await sign(rsa, { jti: '2' }))).toBeDefined()
  })

  test('end the tokens of a key that is withdrawn within ten minutes, also where all of them were seen before', async () => {
    const { state, fetchJson } = publish([rsa, curve])
    const tokens = verifierOf({ jwksUri: URL }, fetchJson)
    const [withdrawn, kept] = [await sign(rsa), await sign(curve)]
    const stillIn = async (): Promise<readonly boolean[]> =>
      (await Promise.all([tokens.verify(withdrawn), tokens.verify(kept)])).map((token) => token !== undefined)
    expect(await stillIn()).toEqual([true, true])
    state.signers = [curve]
    clock.advance(299_999)
    expect(await stillIn()).toEqual([true, true])
    expect(state.fetches).toBe(1)
    clock.advance(1)
    // The old keys serve until the new ones are here, so nobody waits.
    expect(tokens.verify(withdrawn)).not.toBeInstanceOf(Promise)
    await Bun.sleep(5)
    expect(await stillIn()).toEqual([false, true])
    expect(state.fetches).toBe(2)
    expect(tokens.verify(kept)).not.toBeInstanceOf(Promise)
  })

  test('are waited for after ten minutes without a call', async () => {
    const { state, fetchJson } = publish([rsa])
    const tokens = verifierOf({ jwksUri: `${URL}, ${URL}/2` }, fetchJson)
    const token = await sign(rsa)
    expect(await tokens.verify(token)).toBeDefined()
    state.signers = []
    clock.advance(600_000)
    expect(await tokens.verify(token)).toBeUndefined()
    state.signers = [rsa]
    clock.advance(30_000)
    expect(await tokens.verify(token)).toBeDefined()
  })

  test('that are another with the same id end the tokens of the one before', async () => {
    const { state, fetchJson } = publish([rsa])
    const tokens = verifierOf({ jwksUri: URL }, fetchJson)
    const token = await sign(rsa)
    expect(await tokens.verify(token)).toBeDefined()
    state.signers = [await signer('RS256', 'rsa-1')]
    clock.advance(600_000)
    expect(await tokens.verify(token)).toBeUndefined()
  })

  test('that stay as they are make nobody check a token again', async () => {
    const { state, fetchJson } = publish([rsa])
    const tokens = verifierOf({ jwksUri: URL }, fetchJson)
    const token = await sign(rsa)
    const first = await tokens.verify(token)
    clock.advance(600_000)
    expect(await tokens.verify(token)).toBe(first)
    expect(state.fetches).toBe(2)
    state.isAway = true
    clock.advance(600_000)
    expect(await tokens.verify(token)).toBe(first)
    expect(tokens.verify(token)).toBe(first)
  })

  test('that were never there make a token neither good nor bad', async () => {
    const { state, fetchJson } = publish([rsa])
    state.isAway = true
    const tokens = verifierOf({ jwksUri: URL }, fetchJson)
    const token = await sign(rsa)
    expect(async () => await tokens.verify(token)).toThrow(StoreUnavailable)
    expect(async () => await tokens.verify(token)).toThrow(StoreUnavailable)
    expect(state.fetches).toBe(1)
    state.isAway = false
    clock.advance(1_000)
    expect(await tokens.verify(token)).toBeDefined()
  })

  test('may be at several URLs', async () => {
    const fetchJson = async (url: string): Promise<unknown> => {
      if (url.endsWith('/broken')) throw new Error('away')
      return { keys: [url.endsWith('/1') ? rsa.jwk : curve.jwk] }
    }
    const tokens = verifierOf(
      { jwksUri: 'https://a.example/broken, https://a.example/1,https://a.example/2' },
      fetchJson,
    )
    expect(await tokens.verify(await sign(curve))).toBeDefined()
    expect(await tokens.verify(await sign(rsa))).toBeDefined()
  })

  test('of one id: one for each algorithm, of which the first counts', async () => {
    const [second, other] = [await signer('RS256', 'rsa-1'), await signer('ES256', 'rsa-1')]
    const tokens = verifierOf(inline(rsa, second, other))
    for (const by of [rsa, other]) expect(await tokens.verify(await sign(by))).toBeDefined()
    expect(await tokens.verify(await sign(second))).toBeUndefined()
  })

  test('that are weak, private in use or of another curve do not count', async () => {
    const weak = { kty: 'RSA', kid: 'weak', e: 'AQAB', n: Buffer.alloc(128, 0xff).toString('base64url') }
    const padded = { ...weak, n: Buffer.concat([Buffer.alloc(128), Buffer.alloc(128, 0xff)]).toString('base64url') }
    const off = { kty: 'EC', crv: 'P-256', kid: 'off', x: Buffer.alloc(32, 1).toString('base64url'), y: 'AQ' }
    for (const jwk of [
      weak,
      padded,
      { ...rsa.jwk, use: 'enc' },
      { ...rsa.jwk, alg: 'RS512' },
      { kty: 'oct', k: 'AA' },
    ]) {
      expect(() => verifierOf({ jwks: { keys: [jwk] } })).toThrow('no key has a `kid`')
    }
    expect(await verifierOf({ jwks: { keys: [off] } }).verify(await sign(curve, {}, { kid: 'off' }))).toBeUndefined()
  })
})

test('settings that cannot be used are told to the operator', () => {
  expect(() => verifierOf({})).toThrow('jwt: give one of jwksUri and jwks')
  expect(() => verifierOf({ ...inline(rsa), jwksUri: URL })).toThrow('jwt: give one of jwksUri and jwks')
  expect(() => verifierOf({ jwksUri: 'https://a.example, ftp://b' })).toThrow("'ftp://b' is not an http(s) URL")
})
