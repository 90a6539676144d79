import { expect, test } from 'bun:test'
import type { SignInIssuer } from '../../config/sign-in.ts'
import { type Claims, isMissing, mergeClaims, readIdentity } from './claims.ts'

const ISSUER: SignInIssuer = {
  ...{ id: 'company', name: 'Company', issuer: 'https://login.example', clientId: 'weir' },
  ...{ scopes: ['openid'], domains: [], trustEmail: false, workspaces: [] },
}
const read = (claims: Claims, settings: Partial<SignInIssuer> = {}) =>
  readIdentity({ sub: 'one', ...claims }, { ...ISSUER, ...settings })

test('an address counts only as far as the issuer has verified it', () => {
  const email = 'A@Acme.example'
  const of = (said: unknown, trustEmail = false) => read({ email, email_verified: said }, { trustEmail }).verifiedEmail
  expect([true, 'true'].map((said) => of(said))).toEqual(['a@acme.example', 'a@acme.example'])
  expect([false, 'false', undefined, 1, null].map((said) => of(said))).toEqual(Array(5).fill(undefined))
  expect([false, undefined].map((said) => of(said, true))).toEqual([undefined, 'a@acme.example'])
  expect(read({ email: ['a@acme.example'], email_verified: true }).verifiedEmail).toBeUndefined()
})

test('whether an address is verified is taken from where the address is', () => {
  const verified = (idToken: Claims, userInfo: Claims) => read(mergeClaims(idToken, userInfo)).verifiedEmail
  const [own, other] = ['a@acme.example', 'b@acme.example']
  expect(verified({}, { email: own, email_verified: true })).toBe(own)
  expect(verified({ email: own }, { email: own, email_verified: true })).toBe(own)
  expect(verified({ email: own }, { email: other, email_verified: true })).toBeUndefined()
  expect(verified({ email: own, email_verified: false }, { email: own, email_verified: true })).toBeUndefined()
  expect(verified({ email_verified: true }, { email: own })).toBeUndefined()
  expect(mergeClaims({ sub: 'one', groups: ['a'] }, { sub: 'two', groups: ['b'], more: 1 })).toMatchObject({
    ...{ sub: 'one', groups: ['a'], more: 1 },
  })
})

test('the mightiest role of the values decides; with none, what the settings say', () => {
  const roles = { claim: 'realm.roles', owner: ['o'], admin: ['a', 'b'], otherwise: 'member' } as const
  const of = (value: unknown, otherwise: 'member' | 'refuse' = 'member') =>
    read({ realm: { roles: value } }, { roles: { ...roles, owner: ['o'], admin: ['a', 'b'], otherwise } }).role
  expect([['x', 'b', 'o'], ['b'], 'a', ['x'], undefined, { o: true }].map((value) => of(value))).toEqual([
    ...(['owner', 'admin', 'admin', 'member', 'member', 'member'] as const),
  ])
  expect(of(['x'], 'refuse')).toBe('refused')
  expect(read({ groups: ['o'] }).role).toBeUndefined()
  // A name with dots of its own is one name.
  const named = { claim: 'https://acme.example/roles', admin: ['a'], otherwise: 'member' as const }
  expect(read({ 'https://acme.example/roles': ['a'] }, { roles: named }).role).toBe('admin')
  expect(read({}, { roles: { ...named, claim: 'constructor.name', admin: ['Object'] } }).role).toBe('member')
})

test('each workspace of the settings gets the mightiest role that a claim gives, or none', () => {
  const grant = (value: string, workspace: string, role: 'admin' | 'manager' | 'member') => ({
    ...{ claim: 'groups', value, workspace, role },
  })
  const workspaces = [grant('a', 'one', 'member'), grant('b', 'one', 'admin'), grant('c', 'two', 'manager')]
  expect([...read({ groups: ['a', 'b'] }, { workspaces }).workspaces]).toEqual([
    ['one', 'admin'],
    ['two', undefined],
  ])
  expect(isMissing({ email: 'x' }, { ...ISSUER, workspaces })).toBe(true)
  expect(isMissing({ email: 'x', groups: [] }, { ...ISSUER, workspaces })).toBe(false)
  expect(isMissing({}, ISSUER)).toBe(true)
})

test('names are kept short, and a token without a subject is none', () => {
  expect(read({ given_name: 'x'.repeat(300), family_name: 5 })).toMatchObject({ firstName: 'x'.repeat(255) })
  expect(() => readIdentity({ sub: '' }, ISSUER)).toThrow('no subject')
})
