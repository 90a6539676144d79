import { defined } from '../../core/defined.ts'
import { ManagementConflict, ManagementNotFound } from '../../errors/gateway-error.ts'
import { createApiKey } from '../../store/key-material.ts'
import { type ApiKeyRecord, apiKeyRows, rotateApiKey } from '../../store/objects/api-keys.ts'
import type { ApiKeyKind } from '../../store/schema/api-keys.ts'
import type { Db } from '../../store/types.ts'
import { reachDefault } from '../configs/default-config.ts'
import { invalidField } from '../invalid-field.ts'
import type { Place } from '../resolve-workspace.ts'
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

/** A key together with its secret in clear: the only time that it can be seen. */
export type KeyWithSecret = ApiKeyRecord & { readonly secret: string }

/**
 * @throws ManagementInvalid, ManagementForbidden for scopes that it cannot have or that may not be given;
 *   ManagementReference for a default config that the workspace does not have
 */
export const createKey = async (db: Db, input: NewKey, grants: MayGrant): Promise<KeyWithSecret> => {
  const { kind, workspaceId = null, userId = null, ...rest } = input
  const settings = await withKnownConfig(db, workspaceId, rest)
  const scopes = checkScopes(rest.scopes, kind, grants)
  const { key, publicId, hash, masked } = createApiKey()
  const row = { ...settings, kind, workspaceId, userId, scopes, publicId, hash, maskedKey: masked }
  return { ...(await apiKeyRows.insert(db, { ...row, creationMode: 'api' })), secret: key }
}

/**
 * @param lock in a transaction: nobody else changes or revokes the key until its end
 * @throws ManagementNotFound also for a key that was revoked or belongs to somebody else
 */
export const findKey = async (db: Db, place: Place, id: string, lock?: 'change'): Promise<ApiKeyRecord> => {
  const found = await apiKeyRows.find(db, { ...place, reference: id }, lock)
  if (found === undefined) throw new ManagementNotFound('There is no API key of that id.')
  return found
}

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
  // Any new expiry is in the future.
  const isPutOff = settings.expiresAt !== undefined && record.status === 'expired'
  const isRevived = isPutOff || (resetUsage && record.status === 'exhausted')
  const changed = await apiKeyRows.update(db, {
    id: record.id,
    ...(await withKnownConfig(db, record.workspaceId, settings)),
    ...defined({
      scopes: scopes && checkScopes(scopes, record.kind, grants, record.scopes),
      status: isRevived ? ('active' as const) : undefined,
    }),
  })
  return changed ?? record
}

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
): Promise<KeyWithSecret> => {
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
  return { ...rotated, secret: key }
}

/** Ends a key, with both of its secrets. It is gone from lists, and stays in the store for the sake of the audit log. */
export const revokeKey = async (db: Db, { id }: ApiKeyRecord): Promise<void> => {
  await apiKeyRows.update(db, { id, status: 'revoked' })
}

const CONFIG_FIELD = 'defaults.config_id'

/**
 * The settings of a key once the config that they name is known to exist; it stays until the end of the transaction.
 * @param workspaceId of the key; null for a key of the organisation
 * @throws ManagementInvalid for a key that calls no models; ManagementReference when the workspace has no such config
 */
const withKnownConfig = async <Settings extends KeySettings>(
  transaction: Db,
  workspaceId: string | null,
  settings: Settings,
): Promise<Settings> => {
  const configId = settings.defaults?.configId
  if (configId === undefined) return settings
  if (workspaceId === null) throw invalidField(CONFIG_FIELD, 'is for keys of a workspace')
  const config = await reachDefault(transaction, workspaceId, configId, CONFIG_FIELD)
  // Named as it was written, but so that it can be found again.
  const reference = configId === config.slug ? config.slug : config.id
  return { ...settings, defaults: { ...settings.defaults, configId: reference } }
}
