import { createApiKey } from '../store/key-material.ts'
import { type ApiKeyRecord, apiKeyRows, holdKeysOfUser } from '../store/objects/api-keys.ts'
import type { User } from '../store/objects/users.ts'
import type { WorkspaceRole } from '../store/schema/people.ts'
import type { Db } from '../store/types.ts'
import { type AlignedKeys, alignKeysOf } from './keys-of-people.ts'
import { keyScopesOf } from './roles.ts'

/**
 * Makes the keys of a person fit what the person is now: those of a workspace that they have left end, others lose what their
 * role there does not let them do. To be called in the transaction of the change, after it.
 */
export const alignKeys = (
  transaction: Db,
  { id, organisationId }: Pick<User, 'id' | 'organisationId'>,
): Promise<AlignedKeys> => alignKeysOf(transaction, organisationId, [id])

/** What a key that somebody gets without asking is like. */
export interface KeyWish {
  /** Absent: the address of the person. */
  readonly name?: string
  /** Absent: all that the role lets them do. */
  readonly scopes?: readonly string[]
  readonly expiresAt?: Date
  readonly metadata?: Readonly<Record<string, string>>
}

/** A key with its secret, which is shown once, or never. */
export type MadeKey = ApiKeyRecord & { readonly secret: string }

/**
 * Makes the key that a new member gets without asking. Whoever does not hand the secret on leaves it to the person, who gets
 * one by rotating the key.
 * @returns undefined when they have one already, or nothing of what was wished for is allowed to their role
 */
export const makeAutomaticKey = async (
  transaction: Db,
  {
    user,
    workspaceId,
    role,
    wish,
  }: {
    readonly user: User
    readonly workspaceId: string
    readonly role: WorkspaceRole
    readonly wish: KeyWish
  },
): Promise<MadeKey | undefined> => {
  const { id: userId, organisationId, email } = user
  const own = await holdKeysOfUser(transaction, { organisationId, userId })
  const allowed = keyScopesOf(role)
  const wanted = new Set(wish.scopes ?? allowed)
  const scopes = allowed.filter((scope) => wanted.has(scope))
  const hasOne = own.some((key) => key.workspaceId === workspaceId && key.creationMode === 'auto')
  if (hasOne || scopes.length === 0) return undefined
  const { key: secret, publicId, hash, masked } = createApiKey()
  const made = await apiKeyRows.insert(transaction, {
    ...{ kind: 'workspace-user', organisationId, workspaceId, userId, scopes, creationMode: 'auto' },
    ...{ publicId, hash, maskedKey: masked, name: wish.name ?? email },
    expiresAt: wish.expiresAt ?? null,
    defaults: wish.metadata === undefined ? null : { metadata: wish.metadata },
  })
  return { ...made, secret }
}
