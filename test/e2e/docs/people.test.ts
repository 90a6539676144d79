import { expect, test } from 'bun:test'
import { INVITE_LIFETIME_MS } from '../../../src/people/invites.ts'
import {
  mayGiveOrganisationRole,
  mayGiveWorkspaceRole,
  SCOPES_OF_ORGANISATION_ROLE,
  SCOPES_OF_WORKSPACE_ROLE,
} from '../../../src/people/roles.ts'
import { ORGANISATION_ROLES, WORKSPACE_ROLES } from '../../../src/store/schema/people.ts'
import { ORGANISATION_SCOPES, WORKSPACE_SERVICE_SCOPES } from '../../../src/store/scopes.ts'
import { pageOf, tableUnder } from './pages.ts'

const PAGE = 'docs/people.md'
const MARKS = [
  'organisation_owners.update',
  'organisation_settings.update',
  'workspaces.update',
  'workspace_users.update',
]

test('the table of roles counts the scopes of each, and names what it lacks', () => {
  const rows = tableUnder(PAGE, 'Roles')
  const roles = [
    ...ORGANISATION_ROLES.map(
      (role) => [role, 'organisation', SCOPES_OF_ORGANISATION_ROLE[role], ORGANISATION_SCOPES] as const,
    ),
    ...WORKSPACE_ROLES.map(
      (role) => [role, 'workspace', SCOPES_OF_WORKSPACE_ROLE[role], WORKSPACE_SERVICE_SCOPES] as const,
    ),
  ]
  expect(rows.map((row) => row.slice(0, 2))).toEqual(roles.map(([role, place]) => [`\`${role}\``, place]))
  for (const [index, [, , scopes, whole]] of roles.entries()) {
    const text = rows[index]?.[2] ?? ''
    expect(text.match(/\d+/)?.[0] ?? '0').toBe(String(scopes.size))
    const lacking: readonly string[] = whole.filter((scope) => !scopes.has(scope))
    for (const [, named] of text.matchAll(/not `([a-z_.]+)`/g)) expect(lacking).toEqual([named ?? ''])
  }
})

test('a role is told from the lesser ones by its mark, which whoever gives it has', () => {
  const { text } = pageOf(PAGE)
  for (const mark of MARKS) expect(text).toContain(`\`${mark}\``)
  const giving = (scopes: readonly string[]) => ({ scopes: new Set(scopes) })
  for (const own of ORGANISATION_ROLES) {
    const holder = { scopes: SCOPES_OF_ORGANISATION_ROLE[own] }
    const given = ORGANISATION_ROLES.filter((role) => mayGiveOrganisationRole(holder, role))
    expect(given).toEqual(ORGANISATION_ROLES.slice(ORGANISATION_ROLES.indexOf(own)))
  }
  for (const own of WORKSPACE_ROLES) {
    const given = WORKSPACE_ROLES.filter((role) =>
      mayGiveWorkspaceRole({ scopes: SCOPES_OF_WORKSPACE_ROLE[own] }, role),
    )
    expect(given).toEqual(WORKSPACE_ROLES.slice(WORKSPACE_ROLES.indexOf(own)))
  }
  const others = [...ORGANISATION_SCOPES, ...WORKSPACE_SERVICE_SCOPES].filter((scope) => !MARKS.includes(scope))
  expect(ORGANISATION_ROLES.filter((role) => mayGiveOrganisationRole(giving(others), role))).toEqual(['member'])
  expect(WORKSPACE_ROLES.filter((role) => mayGiveWorkspaceRole(giving(others), role))).toEqual(['member'])
  expect(INVITE_LIFETIME_MS).toBe(7 * 86_400_000)
  expect(text).toContain('for seven days')
})
