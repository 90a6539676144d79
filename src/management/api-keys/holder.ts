import { ManagementForbidden, ManagementReference } from '../../errors/gateway-error.ts'
import { keyScopesOf, workspaceRoleOf } from '../../people/roles.ts'
import type { ApiKeyRecord } from '../../store/objects/api-keys.ts'
import { holdPerson } from '../../store/objects/workspace-members.ts'
import type { Db } from '../../store/types.ts'
import type { Actor } from '../actor.ts'
import type { KeyVerb } from './scopes.ts'

type HeldKey = Pick<ApiKeyRecord, 'organisationId'> & { readonly workspaceId: string; readonly userId: string }

/**
 * Sees to it that a key of a person can do no more than the person, who stays what they are until the end of the transaction.
 * @param scopes that the key gets
 * @throws ManagementReference for somebody who is no member of the workspace; ManagementForbidden for a scope beyond their role
 */
export const checkHolder = async (transaction: Db, key: HeldKey, scopes: readonly string[]): Promise<void> => {
  const found = await holdPerson(transaction, key)
  const role = found && workspaceRoleOf(found.user, found.role)
  if (role === undefined) {
    throw new ManagementReference('There is no such member of the workspace.', { param: 'user_id' })
  }
  refuseBeyond(role, scopes)
}

/**
 * The same for scopes that are added to a key. Keys of before there were users name people that nobody knows: they stay as free
 * as they were.
 */
export const checkAdded = async (transaction: Db, record: ApiKeyRecord, scopes: readonly string[]): Promise<void> => {
  const { kind, organisationId, workspaceId, userId, scopes: held } = record
  if (kind !== 'workspace-user' || workspaceId === null || userId === null) return
  const found = await holdPerson(transaction, { organisationId, workspaceId, userId })
  const role = found && workspaceRoleOf(found.user, found.role)
  if (role !== undefined) refuseBeyond(role, scopes, held)
}

const refuseBeyond = (
  role: Parameters<typeof keyScopesOf>[0],
  scopes: readonly string[],
  held: readonly string[] = [],
): void => {
  const allowed = new Set<string>([...keyScopesOf(role), ...held])
  const index = scopes.findIndex((scope) => !allowed.has(scope))
  if (index < 0) return
  throw new ManagementForbidden(`The user is ${role} of the workspace, and cannot have a key with ${scopes[index]}.`, {
    param: `scopes[${index}]`,
  })
}

/** What people may always do with keys of their own. Limits and budgets of a key are for others to change. */
const OWN_VERBS: ReadonlySet<string> = new Set(['create', 'read', 'list', 'delete', 'rotate'] satisfies KeyVerb[])

/** Whether somebody may act on a key because it is theirs. */
export const isOwn = (
  { kind, userId }: Actor,
  key: Pick<ApiKeyRecord, 'kind'> & { readonly userId?: string | null | undefined },
  verb: KeyVerb,
): boolean => kind === 'user' && key.kind === 'workspace-user' && key.userId === userId && OWN_VERBS.has(verb)
