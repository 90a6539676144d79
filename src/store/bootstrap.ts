import { defined } from '../core/defined.ts'
import { PresetKeyRefused } from './errors.ts'
import { createApiKey, describeKey, MAXIMUM_KEY_LENGTH, MINIMUM_KEY_LENGTH, sameHash } from './key-material.ts'
import { takeLock } from './locks.ts'
import {
  type ApiKeyRecord,
  apiKeyRows,
  findApiKeyByPublicId,
  type NewApiKeyRecord,
  revokeEarlierPresets,
} from './objects/api-keys.ts'
import { createOrganisation, findFirstOrganisation } from './objects/tenancy.ts'
import { createWorkspace, DEFAULT_WORKSPACE_SLUG, findDefaultWorkspace } from './objects/workspaces.ts'
import type { PresetSlot } from './schema/api-keys.ts'
import { CALLER_SCOPES, ORGANISATION_SCOPES } from './scopes.ts'
import type { Db } from './types.ts'

/** Keys the operator chose, at least 32 printable characters each. */
export interface PresetKeys {
  /** WEIR_ADMIN_KEY: a key of the kind `organisation-service`. */
  readonly adminKey?: string
  /** WEIR_API_KEY: a key of the kind `workspace-service` for the default workspace, which calls models and manages nothing. */
  readonly apiKey?: string
}

/** Keys in clear: the only time they can be seen. */
export interface CreatedKeys {
  readonly adminKey?: string
  readonly apiKey?: string
}

export interface Bootstrapped {
  /** Those made by this call. Absent when none was. */
  readonly created?: CreatedKeys
}

/** A key of the slot without its secret parts. */
type KeyTemplate = Pick<NewApiKeyRecord, 'name' | 'kind' | 'organisationId' | 'workspaceId' | 'scopes' | 'creationMode'>

const VARIABLES: Readonly<Record<PresetSlot, string>> = { admin: 'WEIR_ADMIN_KEY', api: 'WEIR_API_KEY' }

/**
 * Makes a fresh database usable: an organisation, a workspace and the first two keys, once, however many processes start
 * together. Later starts only see to the preset keys: a new value is stored and ends the key it replaces. A key that is
 * stored keeps the scopes it has.
 * @param keep gets the new keys before they are stored; when it throws, there are none
 * @throws PresetKeyRefused naming the variable; StoreUnavailable
 */
export const bootstrap = async (
  db: Db,
  presets: PresetKeys,
  keep?: (created: CreatedKeys) => void,
): Promise<Bootstrapped> => {
  checkPresets(presets)
  return db.transaction(async (transaction) => {
    await takeLock(transaction, 'bootstrap')
    const organisation = await findFirstOrganisation(transaction)
    const isNew = organisation === undefined
    const { id: organisationId } = organisation ?? (await createOrganisation(transaction, { name: 'default' }))
    const workspace = isNew
      ? await createWorkspace(transaction, { organisationId, name: 'default', slug: DEFAULT_WORKSPACE_SLUG })
      : await findDefaultWorkspace(transaction, organisationId)

    const adminKey = await settleKey(transaction, 'admin', presets.adminKey, isNew, {
      name: 'Administrator',
      kind: 'organisation-service',
      organisationId,
      workspaceId: null,
      scopes: [...ORGANISATION_SCOPES],
      creationMode: 'auto',
    })
    if (workspace === undefined) {
      if (presets.apiKey === undefined) return {}
      throw new PresetKeyRefused(
        `WEIR_API_KEY belongs to the workspace ${DEFAULT_WORKSPACE_SLUG}, which no longer exists. Leave it unset.`,
      )
    }
    const apiKey = await settleKey(transaction, 'api', presets.apiKey, isNew, {
      name: 'Default',
      kind: 'workspace-service',
      organisationId,
      workspaceId: workspace.id,
      scopes: [...CALLER_SCOPES],
      creationMode: 'auto',
    })
    if (adminKey === undefined && apiKey === undefined) return {}
    const created = defined({ adminKey, apiKey })
    keep?.(created)
    return { created }
  })
}

/** @returns the key in clear if it was made now */
const settleKey = async (
  db: Db,
  slot: PresetSlot,
  preset: string | undefined,
  isNew: boolean,
  template: KeyTemplate,
): Promise<string | undefined> => {
  if (preset !== undefined) {
    await storePreset(db, slot, preset, template)
    return undefined
  }
  if (!isNew) return undefined
  const { key, publicId, hash, masked } = createApiKey()
  await apiKeyRows.insert(db, { ...template, publicId, hash, maskedKey: masked })
  return key
}

const storePreset = async (db: Db, slot: PresetSlot, key: string, template: KeyTemplate): Promise<void> => {
  const { publicId, hash, masked } = describeKey(key)
  const stored = await findApiKeyByPublicId(db, publicId)
  if (stored !== undefined && !sameHash(stored.hash, hash)) {
    throw new PresetKeyRefused(`${VARIABLES[slot]} has the public part of a stored key but not its secret part.`)
  }
  const { id } =
    stored === undefined
      ? await apiKeyRows.insert(db, { ...template, publicId, hash, maskedKey: masked, preset: slot })
      : await restorePreset(db, slot, stored.record, template)
  await revokeEarlierPresets(db, { slot, keepId: id })
}

/** The value is stored already: from the last start, from an earlier preset, or as a key of the management routes. */
const restorePreset = async (
  db: Db,
  slot: PresetSlot,
  stored: ApiKeyRecord,
  template: KeyTemplate,
): Promise<ApiKeyRecord> => {
  if (stored.kind !== template.kind) {
    throw new PresetKeyRefused(`${VARIABLES[slot]} holds a key that is stored with another kind, ${stored.kind}.`)
  }
  if (stored.status === 'revoked') {
    if (stored.preset !== slot) throw new PresetKeyRefused(`${VARIABLES[slot]} holds a key that was revoked.`)
    await apiKeyRows.update(db, { id: stored.id, status: 'active' })
  }
  return stored
}

export const checkPresets = ({ adminKey, apiKey }: PresetKeys): void => {
  for (const [slot, key] of [
    ['admin', adminKey],
    ['api', apiKey],
  ] as const) {
    if (key === undefined) continue
    const variable = VARIABLES[slot]
    if (key.length < MINIMUM_KEY_LENGTH || key.length > MAXIMUM_KEY_LENGTH) {
      throw new PresetKeyRefused(
        `${variable} has ${key.length} characters; it needs ${MINIMUM_KEY_LENGTH} to ${MAXIMUM_KEY_LENGTH}.`,
      )
    }
    if (!/^[\x21-\x7e]+$/.test(key)) {
      throw new PresetKeyRefused(`${variable} may hold only printable ASCII characters, and no spaces.`)
    }
  }
  if (adminKey !== undefined && adminKey === apiKey) {
    throw new PresetKeyRefused('WEIR_ADMIN_KEY and WEIR_API_KEY must be two different keys.')
  }
}
