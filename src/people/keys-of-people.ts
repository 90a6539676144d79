import { createApiKey } from '../store/key-material.ts'
import { revokeApiKeys } from '../store/objects/api-keys.ts'
import {
  holdKeysOfPeople,
  insertKeys,
  keyConfigsOf,
  membershipsOfPeople,
  narrowKeys,
  peopleById,
} from '../store/objects/keys-of-people.ts'
import type { WorkspaceRole } from '../store/schema/people.ts'
import type { Db } from '../store/types.ts'
import { keyScopesOf, workspaceRoleOf } from './roles.ts'

/** What `keys.ts` does for one person, for thousands at once: as a group of a directory joins and leaves workspaces. */

const placeOf = ({
  userId,
  workspaceId,
}: {
  readonly userId: string | null
  readonly workspaceId: string | null
}): string => `${userId} ${workspaceId}`

/** What became of keys. Ids. */
export interface AlignedKeys {
  readonly revoked: readonly string[]
  readonly narrowed: readonly string[]
}

/** Makes the keys of people fit what they are now. To be called in the transaction of the change, after it. */
export const alignKeysOf = async (
  transaction: Db,
  organisationId: string,
  userIds: readonly string[],
): Promise<AlignedKeys> => {
  const keys = await holdKeysOfPeople(transaction, organisationId, userIds)
  const holders = [...new Set(keys.flatMap(({ userId }) => userId ?? []))]
  const people = await peopleById(transaction, organisationId, holders)
  const roles = new Map((await membershipsOfPeople(transaction, holders)).map((row) => [placeOf(row), row.role]))
  const revoked: string[] = []
  /** Ids of keys by the scopes that they keep. */
  const narrowed = new Map<string, string[]>()
  for (const key of keys) {
    const role = workspaceRoleOf(people.get(key.userId ?? ''), roles.get(placeOf(key)))
    const allowed: ReadonlySet<string> = new Set(role === undefined ? [] : keyScopesOf(role))
    const kept = key.scopes.filter((scope) => allowed.has(scope))
    if (kept.length === 0) revoked.push(key.id)
    else if (kept.length < key.scopes.length) {
      const ids = narrowed.get(kept.join(' ')) ?? []
      ids.push(key.id)
      narrowed.set(kept.join(' '), ids)
    }
  }
  if (revoked.length > 0) await revokeApiKeys(transaction, revoked)
  for (const [scopes, ids] of narrowed) await narrowKeys(transaction, ids, scopes.split(' '))
  return { revoked, narrowed: [...narrowed.values()].flat() }
}

/** Somebody who joined a workspace. */
export interface NewcomerToWorkspace {
  readonly userId: string
  readonly workspaceId: string
  readonly role: WorkspaceRole | null
}

/**
 * Makes the keys that their workspaces give to new members without asking. Nobody sees their secrets: each person gets one by
 * rotating the key.
 */
export const makeAutomaticKeys = async (
  transaction: Db,
  organisationId: string,
  newcomers: readonly NewcomerToWorkspace[],
): Promise<void> => {
  const configs = await keyConfigsOf(transaction, [...new Set(newcomers.map(({ workspaceId }) => workspaceId))])
  const wanting = newcomers.filter(({ workspaceId }) => configs.get(workspaceId)?.isAutomatic === true)
  if (wanting.length === 0) return
  const userIds = [...new Set(wanting.map(({ userId }) => userId))]
  const people = await peopleById(transaction, organisationId, userIds)
  const owned = await holdKeysOfPeople(transaction, organisationId, userIds)
  const have = new Set(owned.filter(({ creationMode }) => creationMode === 'auto').map(placeOf))
  const rows = wanting.flatMap(({ userId, workspaceId, role: given }) => {
    const person = people.get(userId)
    const role = workspaceRoleOf(person, given ?? undefined)
    if (person === undefined || role === undefined || have.has(placeOf({ userId, workspaceId }))) return []
    const allowed = keyScopesOf(role)
    const wished: ReadonlySet<string> = new Set(configs.get(workspaceId)?.scopes ?? allowed)
    const scopes = allowed.filter((scope) => wished.has(scope))
    if (scopes.length === 0) return []
    const { publicId, hash, masked } = createApiKey()
    return [
      {
        ...({ kind: 'workspace-user', creationMode: 'auto' } as const),
        ...{ organisationId, workspaceId, userId, scopes, publicId, hash, maskedKey: masked, name: person.email },
      },
    ]
  })
  await insertKeys(transaction, rows)
}
