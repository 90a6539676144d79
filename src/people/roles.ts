import type { OrganisationRole, WorkspaceRole } from '../store/schema/people.ts'
import { ORGANISATION_SCOPES, type Scope, WORKSPACE_SERVICE_SCOPES, WORKSPACE_USER_SCOPES } from '../store/scopes.ts'

/** What members of a workspace may only look at; a manager changes these. */
const MANAGED_FAMILIES = [
  'workspace_users',
  'workspaces',
  'guardrails',
  'virtual_keys',
  'providers',
  'policies',
  'workspace_integrations',
  'workspace_mcp_integrations',
  'workspace_agent_integrations',
  'mcp_servers',
  'agent_servers',
] as const

const isManaging = (scope: Scope): boolean => {
  const [family = '', verb] = scope.split('.')
  if (scope === 'logs.export') return true
  const isRead = verb === 'read' || verb === 'list' || verb === 'invoke'
  return !isRead && MANAGED_FAMILIES.some((managed) => managed === family)
}

/**
 * The scope that tells a role from the lesser ones. Whoever has it may give the role, and change somebody who has it: a role
 * is given as a scope is, by who has it. So a key that is made by a person can never do more for them than they can.
 */
const MARK_OF_ORGANISATION_ROLE = {
  owner: 'organisation_owners.update',
  admin: 'organisation_settings.update',
} as const satisfies Partial<Record<OrganisationRole, Scope>>

const MARK_OF_WORKSPACE_ROLE = {
  admin: 'workspaces.update',
  manager: 'workspace_users.update',
} as const satisfies Partial<Record<WorkspaceRole, Scope>>

/**
 * What a role of the organisation lets a person do, in every workspace of it. A member has nothing from here: what they may do,
 * their workspaces say.
 */
export const SCOPES_OF_ORGANISATION_ROLE: Readonly<Record<OrganisationRole, ReadonlySet<Scope>>> = {
  owner: new Set(ORGANISATION_SCOPES),
  admin: new Set(ORGANISATION_SCOPES.filter((scope) => scope !== MARK_OF_ORGANISATION_ROLE.owner)),
  member: new Set(),
}

/** What a role in a workspace lets a person do there. A member uses what is there and works on prompts and configs; sees no key. */
export const SCOPES_OF_WORKSPACE_ROLE: Readonly<Record<WorkspaceRole, ReadonlySet<Scope>>> = {
  admin: new Set(WORKSPACE_SERVICE_SCOPES),
  manager: new Set(WORKSPACE_SERVICE_SCOPES.filter((scope) => scope !== MARK_OF_WORKSPACE_ROLE.admin)),
  member: new Set(WORKSPACE_USER_SCOPES.filter((scope) => !isManaging(scope))),
}

/** Whoever calls, as far as roles are concerned. */
interface Holder {
  readonly scopes: ReadonlySet<string>
}

/** Whether somebody may give a role of the organisation, or change whoever has it. */
export const mayGiveOrganisationRole = ({ scopes }: Holder, role: OrganisationRole): boolean =>
  role === 'member' || scopes.has(MARK_OF_ORGANISATION_ROLE[role])

/** Whether somebody may give a role in a workspace that they reach, or change whoever has it. */
export const mayGiveWorkspaceRole = ({ scopes }: Holder, role: WorkspaceRole): boolean =>
  role === 'member' || scopes.has(MARK_OF_WORKSPACE_ROLE[role])

const MIGHT = { owner: 3, admin: 2, manager: 1, member: 0 } as const satisfies Record<
  OrganisationRole | WorkspaceRole,
  number
>

/** The mightier one of two roles of one kind. */
export const mightier = <Role extends OrganisationRole | WorkspaceRole>(one: Role, other: Role): Role =>
  MIGHT[one] >= MIGHT[other] ? one : other

/** What somebody is in a workspace: owners and admins of the organisation are its admins, whether they are members or not. */
export const workspaceRoleOf = (
  user: { readonly role: OrganisationRole; readonly status: 'active' | 'inactive' } | undefined,
  membership: WorkspaceRole | undefined,
): WorkspaceRole | undefined => {
  if (user?.status !== 'active') return undefined
  return user.role === 'member' ? membership : 'admin'
}

/** What a key of a person may do in a workspace: what its kind can, and their role there does. */
export const keyScopesOf = (role: WorkspaceRole): readonly Scope[] =>
  WORKSPACE_USER_SCOPES.filter((scope) => SCOPES_OF_WORKSPACE_ROLE[role].has(scope))
