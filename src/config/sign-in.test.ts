import { expect, test } from 'bun:test'
import { check } from '../core/json/check.ts'
import { SignInSettings, signInViolations } from './sign-in.ts'

const ISSUER = { id: 'company', name: 'Company', issuer: 'https://login.example', clientId: 'weir' }

const pathsOf = (...issuers: readonly object[]): readonly string[] => {
  const checked = check(SignInSettings, { issuers })
  return (checked.ok ? signInViolations(checked.value) : checked.violations).map(({ path }) => path)
}

test('an issuer needs four keys, and has defaults for the others', () => {
  const checked = check(SignInSettings, { issuers: [ISSUER] })
  expect(checked.ok && checked.value).toEqual({
    issuers: [{ ...ISSUER, scopes: ['openid', 'email', 'profile'], domains: [], trustEmail: false, workspaces: [] }],
    sessionIdleHours: 12,
    sessionMaxHours: 168,
  })
  expect(pathsOf(ISSUER, { ...ISSUER, id: 'other' })).toEqual([])
})

test.each([
  ['id', { id: 'Company' }],
  ['id', { id: '-' }],
  ['domains[0]', { domains: ['Acme.example'] }],
  ['domains[0]', { domains: ['*.acme.example'] }],
  ['domains[0]', { domains: ['@acme.example'] }],
  ['secret', { secret: 'x' }],
])('%s of %j is refused by its form', (path, changes) => {
  expect(pathsOf({ ...ISSUER, ...changes })).toEqual([`issuers[0].${path}`])
})

test.each([
  ['issuer', { issuer: 'login.example' }],
  ['issuer', { issuer: 'https://login.example?x' }],
  ['issuer', { issuer: 'https://a:b@login.example' }],
  ['issuer', { issuer: 'file:///etc/passwd' }],
  ['scopes', { scopes: ['email'] }],
  ['roles', { roles: { claim: 'groups' } }],
])('%s of %j is refused for what it says', (path, changes) => {
  expect(pathsOf({ ...ISSUER, ...changes })).toEqual([`signIn.issuers[0].${path}`])
})

test('no two issuers have one id', () => {
  expect(pathsOf(ISSUER, ISSUER)).toEqual(['signIn.issuers[1].id'])
})
