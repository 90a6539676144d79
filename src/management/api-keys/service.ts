import { ManagementConflict, ManagementNotFound } from '../../errors/gateway-error.ts'
import {
  type ApiKeyRecord,
  findApiKey,
  insertApiKey,
  listApiKeys,
  type NewApiKeyRecord,
  rotateApiKey,
  updateApiKey,
} from '../../store/api-keys.ts'
import { createApiKey } from '../../store/key-material.ts'
import { isUuid, type Page, type Paged } from '../../store/rows.ts'
import type { ApiKeyKind } from '../../store/schema/api-keys.ts'
import type { Db } from '../../store/types.ts'
import type { Place } from '../resolve-workspace.ts'
import { withKnownConfig } from './default-config.ts'
import { MINIMUM_TRANSITION_MS } from './model.ts'
import { checkPossession, checkScopes, type MayGrant } from './scopes.ts'
import type { KeySettings } from './settings.ts'

export interface NewKey extends KeySettings {
  readonly kind: ApiKeyKind
  readonly organisationId: string
  /** For every kind but `organisation-service`. */
  readonly workspaceId?: string
  /** For the kind `workspace-user`. */
  readonly userId?: string
  readonly name: string
  readonly scopes: readonly string[]
}

/** A key in clear: the only time that it can be seen. */
export interface KeyWithSecret {
  readonly record: ApiKeyRecord
  readonly key: string
}

/**
 * @throws ManagementInvalid, ManagementForbidden for scopes that it cannot have or that may not be given;
 *   ManagementReference for a default config that the workspace does not have
 */
export const createKey = async (db: Db, input: NewKey, grants: MayGrant): Promise<KeyWithSecret> => {
  const { kind, workspaceId, userId, ...rest } = await withKnownConfig(db, input.workspaceId ?? null, input)
  const scopes = checkScopes(rest.scopes, kind, grants)
  const { key, publicId, hash, masked } = createApiKey()
  const row: NewApiKeyRecord = {
    ...rest,
    kind,
    workspaceId: workspaceId ?? null,
    userId: userId ?? null,
    scopes,
    publicId,
    hash,
    maskedKey: masked,
    creationMode: 'api',
  }
  return { record: await insertApiKey(db, row), key }
}

/** @throws ManagementNotFound also for a key that was revoked or belongs to somebody else */
export const findKey = (db: Db, place: Place, id: string): Promise<ApiKeyRecord> => find(db, place, id, false)

/** The same in a transaction, for a change: nobody else changes or revokes the key until its end. */
export const findKeyToChange = (db: Db, place: Place, id: string): Promise<ApiKeyRecord> => find(db, place, id, true)

const find = async (
  db: Db,
  { organisationId, workspaceId }: Place,
  id: string,
  isToChange: boolean,
): Promise<ApiKeyRecord> => {
  const record = isUuid(id) ? await findApiKey(db, { organisationId, id, isToChange }) : undefined
  const isTheirs = workspaceId === undefined || record?.workspaceId === workspaceId
  if (record === undefined || !isTheirs) throw new ManagementNotFound('There is no API key of that id.')
  return record
}

export const listKeys = (
  db: Db,
  filter: Place & {
    readonly kinds?: readonly ApiKeyKind[]
    readonly status?: 'active' | 'exhausted' | 'expired'
  },
  page: Page,
): Promise<Paged<ApiKeyRecord>> => listApiKeys(db, filter, page)

export interface KeyChanges extends KeySettings {
  readonly scopes?: readonly string[]
  /** Makes an exhausted key active again. */
  readonly resetUsage?: boolean
}

/**
 * @throws ManagementInvalid, ManagementForbidden for added scopes that it cannot have or that may not be given;
 *   ManagementReference for a default config that the workspace does not have
 */
export const updateKey = async (
  db: Db,
  record: ApiKeyRecord,
  { scopes, resetUsage = false, ...settings }: KeyChanges,
  grants: MayGrant,
): Promise<ApiKeyRecord> => {
  const isRevived = (resetUsage && record.status === 'exhausted') || (isPutOff(settings) && record.status === 'expired')
  return existing(
    await updateApiKey(db, {
      id: record.id,
      ...(await withKnownConfig(db, record.workspaceId, settings)),
      ...(scopes === undefined ? {} : { scopes: checkScopes(scopes, record.kind, grants, record.scopes) }),
      ...(isRevived ? { status: 'active' as const } : {}),
    }),
  )
}

/** Any new expiry is in the future. */
const isPutOff = ({ expiresAt }: KeySettings): boolean => expiresAt !== undefined

/**
 * Gives a key a new secret; the one of now works for the time of transition.
 * @param transitionPeriodMs absent: what the policy of the key says, else half an hour
 * @throws ManagementConflict for a key whose old secret still works, or that is set by the environment
 * @throws ManagementForbidden when the caller may not give what the key has
 */
export const rotateKey = async (
  db: Db,
  record: ApiKeyRecord,
  options: { readonly nowMs: number; readonly transitionPeriodMs: number | undefined; readonly grants: MayGrant },
): Promise<KeyWithSecret & { readonly previousExpiresAt: Date }> => {
  const { nowMs, transitionPeriodMs, grants } = options
  checkPossession(record.scopes, grants)
  if (record.preset !== null) {
    throw new ManagementConflict('The key is set by the environment of the gateway: change it there.')
  }
  const periodMs = transitionPeriodMs ?? record.rotationPolicy?.keyTransitionPeriodMs ?? MINIMUM_TRANSITION_MS
  const previousExpiresAt = new Date(nowMs + periodMs)
  const { key, ...next } = createApiKey()
  const rotated = await rotateApiKey(db, { id: record.id, next, previousExpiresAt })
  if (rotated === undefined) {
    const until = record.previousExpiresAt === null ? '' : ` until ${record.previousExpiresAt.toISOString()}`
    throw new ManagementConflict(`The key is still in the transition of its last rotation${until}.`)
  }
  return { record: rotated, key, previousExpiresAt }
}

/** Ends a key, with both of its secrets. It is gone from lists, and stays in the store for the sake of the audit log. */
export const revokeKey = async (db: Db, record: ApiKeyRecord): Promise<void> => {
  existing(await updateApiKey(db, { id: record.id, status: 'revoked' }))
}

/** A key that was deleted with its workspace since it was read. */
const existing = (record: ApiKeyRecord | undefined): ApiKeyRecord => {
  if (record === undefined) throw new ManagementNotFound('There is no API key of that id.')
  return record
}
