import { describe, expect, test } from 'bun:test'
import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from 'jose'
import { MasterKey } from '../../secrets/master-key.ts'
import { createAccessTokens } from './access-tokens.ts'
import { type ManualClock, manualClock } from './test-support.ts'

const KEY_ID = '0198c5d2-0000-7000-8000-000000000001'
const bytes = new Uint8Array(32).fill(1)
const masterKey = new MasterKey(bytes)
const otherKey = new MasterKey(new Uint8Array(32).fill(2))

const create = (clock: ManualClock, current: MasterKey, previous?: MasterKey) =>
  createAccessTokens({
    masterKeys: previous === undefined ? { current } : { current, previous },
    clock,
    randomId: () => crypto.randomUUID(),
  })

describe('access tokens', () => {
  test('say what RFC 9068 asks for', async () => {
    const clock = manualClock()
    const token = await create(clock, masterKey).issue({ keyId: KEY_ID, scopes: ['logs.view', 'logs.list'] })
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'HS256', typ: 'at+jwt' })
    const issuedAt = clock.now() / 1000
    expect(decodeJwt(token)).toEqual({
      iss: 'weir',
      sub: KEY_ID,
      iat: issuedAt,
      exp: issuedAt + 900,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      scope: 'logs.view logs.list',
    })
  })

  test('are verified by every process of the same master key, and by no other', async () => {
    const clock = manualClock()
    const token = await create(clock, masterKey).issue({ keyId: KEY_ID })
    const expected = { keyId: KEY_ID, expiresAtMs: clock.now() + 900_000 }
    expect(await create(clock, masterKey).verify(token)).toEqual(expected)
    expect(await create(clock, otherKey).verify(token)).toBeUndefined()
  })

  test('outlive a rotation of the master key', async () => {
    const clock = manualClock()
    const token = await create(clock, otherKey).issue({ keyId: KEY_ID })
    const rotating = create(clock, masterKey, otherKey)
    expect(await rotating.verify(token)).toMatchObject({ keyId: KEY_ID })
    const fresh = await rotating.issue({ keyId: KEY_ID })
    expect(await create(clock, masterKey).verify(fresh)).toMatchObject({ keyId: KEY_ID })
  })

  test('expire after 900 s, also for a process that has seen them', async () => {
    const clock = manualClock()
    const tokens = create(clock, masterKey)
    const token = await tokens.issue({ keyId: KEY_ID })
    expect(await tokens.verify(token)).toBeDefined()
    clock.advance(899_000)
    expect(tokens.verify(token)).toMatchObject({ keyId: KEY_ID })
    clock.advance(1_000)
    expect(await tokens.verify(token)).toBeUndefined()
    expect(await create(clock, masterKey).verify(token)).toBeUndefined()
  })

  test('are found at once when they were verified before', async () => {
    const tokens = create(manualClock(), masterKey)
    const token = await tokens.issue({ keyId: KEY_ID })
    expect(tokens.verify(token)).toBeInstanceOf(Promise)
    await tokens.verify(token)
    expect(tokens.verify(token)).not.toBeInstanceOf(Promise)
  })

  test('are refused with any character changed', async () => {
    const tokens = create(manualClock(), masterKey)
    const token = await tokens.issue({ keyId: KEY_ID, scopes: ['logs.view'] })
    // The last character of the signature carries bits that no decoder reads.
    for (let index = 0; index < token.length - 1; index++) {
      const changed = `${token.slice(0, index)}${token[index] === 'A' ? 'B' : 'A'}${token.slice(index + 1)}`
      expect(await tokens.verify(changed)).toBeUndefined()
    }
  })

  test('of another type, issuer or algorithm are refused', async () => {
    const clock = manualClock()
    const tokens = create(clock, masterKey)
    const { kid } = decodeProtectedHeader(await tokens.issue({ keyId: KEY_ID }))
    const claims = { sub: KEY_ID, iss: 'weir', jti: 'x', exp: clock.now() / 1000 + 900 }
    const unsigned = new UnsecuredJWT(claims).encode()
    const byMasterKey = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', ...(kid === undefined ? {} : { kid }) })
      .sign(bytes)
    const withoutKeyId = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' }).sign(bytes)
    for (const forged of [unsigned, byMasterKey, withoutKeyId, 'a.b.c', '', 'not a token']) {
      expect(await tokens.verify(forged)).toBeUndefined()
    }
  })
})
