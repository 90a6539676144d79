import { expect, test } from 'bun:test'
import { CALLER_SCOPES, ORGANISATION_SCOPES, WORKSPACE_SERVICE_SCOPES, WORKSPACE_USER_SCOPES } from './scopes.ts'

const organisation: readonly string[] = ORGANISATION_SCOPES
const service: readonly string[] = WORKSPACE_SERVICE_SCOPES
const user: readonly string[] = WORKSPACE_USER_SCOPES

test('no list names a scope twice', () => {
  for (const list of [organisation, service, user]) expect(new Set(list).size).toBe(list.length)
})

test('an organisation key manages and never calls a model', () => {
  for (const scope of ['completions.write', 'prompts.render', 'guardrails.invoke', 'mcp.invoke', 'logs.write']) {
    expect(organisation).not.toContain(scope)
    expect(service).toContain(scope)
    expect(user).toContain(scope)
  }
  expect(organisation).toContain('organisation_service_api_keys.rotate')
  expect(organisation).toContain('workspaces.create')
})

test('a workspace key sees the integrations of its organisation and changes none', () => {
  for (const family of [
    'organisation_integrations',
    'organisation_mcp_integrations',
    'organisation_agent_integrations',
  ]) {
    expect(service.filter((scope) => scope.startsWith(`${family}.`))).toEqual([`${family}.list`])
    expect(organisation.filter((scope) => scope.startsWith(`${family}.`))).toHaveLength(5)
  }
})

test('a user key differs from a service key by the keys it cannot manage', () => {
  const families = ['workspace_service_api_keys', 'workspace_user_api_keys']
  const managing = families.flatMap((family) =>
    ['create', 'read', 'update', 'delete', 'list', 'rotate'].map((verb) => `${family}.${verb}`),
  )
  expect(service.filter((scope) => !user.includes(scope)).sort()).toEqual(managing.sort())
  expect(user.filter((scope) => !service.includes(scope))).toEqual([])
})

test('who calls models manages nothing', () => {
  for (const scope of CALLER_SCOPES) {
    expect(organisation).not.toContain(scope)
    expect(scope).toMatch(/\.(?:write|render|invoke)$/)
  }
})
