import { defined } from '../../core/defined.ts'
import { ManagementNotFound } from '../../errors/gateway-error.ts'
import { createApiKey } from '../../store/key-material.ts'
import { type ApiKeyRecord, apiKeyRows } from '../../store/objects/api-keys.ts'
import type { ApiKeyKind } from '../../store/schema/api-keys.ts'
import type { Db } from '../../store/types.ts'
import { reachDefault } from '../configs/default-config.ts'
import { invalidField } from '../invalid-field.ts'
import type { Place } from '../resolve-workspace.ts'
import { checkAdded, checkHolder } from './holder.ts'
import type { KeyWithSecret } from './rotation.ts'
import { checkScopes, type MayGrant } from './scopes.ts'
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
  /** `api` unless given. */
  readonly creationMode?: ApiKeyRecord['creationMode']
}

/**
 * To be called in a transaction.
 * @throws ManagementInvalid, ManagementForbidden for scopes that it cannot have or that may not be given;
 *   ManagementReference for a default config that the workspace does not have, or a user who is no member of it
 */
export const createKey = async (db: Db, input: NewKey, grants: MayGrant): Promise<KeyWithSecret> => {
  const { kind, workspaceId = null, userId = null, creationMode = 'api', ...rest } = input
  const settings = await withKnownConfig(db, workspaceId, rest)
  const scopes = checkScopes(rest.scopes, kind, grants)
  if (workspaceId !== null && userId !== null) {
    await checkHolder(db, { organisationId: rest.organisationId, workspaceId, userId }, scopes)
  }
  const { key, publicId, hash, masked } = createApiKey()
  const row = { ...settings, kind, workspaceId, userId, scopes, publicId, hash, maskedKey: masked }
  return { ...(await apiKeyRows.insert(db, { ...row, creationMode })), secret: key }
}

/**
 * @param lock in a transaction: nobody else changes or revokes the key until its end
 * @throws ManagementNotFound also for a key that was revoked or belongs to somebody else
 */
export const findKey = async (db: Db, place: Place, id: string, lock?: 'change'): Promise<ApiKeyRecord> => {
  const found = await apiKeyRows.find(db, { ...place, reference: id }, lock)
  if (found === undefined) throw unknownKey()
  return found
}

export const unknownKey = () => new ManagementNotFound('There is no API key of that id.')

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
  if (scopes !== undefined) await checkAdded(db, record, scopes)
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
