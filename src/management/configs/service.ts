import {
  CONFIG_SLUG_TAKEN,
  type ConfigAt,
  configRows,
  holdDefault,
  releaseDefault,
} from '../../store/objects/configs.ts'
import { newId } from '../../store/objects/rows.ts'
import type { WorkspacePlace } from '../../store/objects/rows-of.ts'
import type { Db } from '../../store/types.ts'
import { type Actor, authorOf } from '../actor.ts'
import { reachNamed } from '../guardrails/references.ts'
import { invalidField } from '../invalid-field.ts'
import { columnsOf } from '../resource/answer.ts'
import { refuseTaken } from '../resource/taken.ts'
import { toShortSlug } from '../slug.ts'
import { refuseWhileUsed } from './default-config.ts'
import type { ConfigDeps } from './deps.ts'
import type { ConfigChangeBody, NewConfigBody } from './model.ts'
import { type CheckedConfig, readConfig, toVersion2 } from './read-config.ts'
import { protectSecrets } from './secrets.ts'

/** What was stored, and whether it came as version 1.0. */
export interface SavedConfig extends ConfigAt {
  readonly isMigrated: boolean
}

/**
 * Whether a body makes its config the default one, under either name of the field.
 * @throws ManagementInvalid when the two differ
 */
export const readDefault = (body: Pick<ConfigChangeBody, 'isDefault' | 'is_default'>): boolean | undefined => {
  const [given, other] = [body.isDefault, body.is_default].map((flag) => (flag === undefined ? undefined : !!flag))
  if (given !== undefined && other !== undefined && given !== other) {
    throw invalidField('is_default', 'says something else than `isDefault`')
  }
  return given ?? other
}

/**
 * Stores a config.
 * @throws ManagementInvalid with the path of each violation; ManagementReference; ManagementConflict
 */
export const createConfig = async (
  transaction: Db,
  deps: ConfigDeps,
  actor: Actor,
  place: WorkspacePlace,
  body: NewConfigBody,
): Promise<SavedConfig> => {
  const { organisationId, workspaceId } = place
  const isDefault = readDefault(body) === true
  if (isDefault) await holdDefault(transaction, workspaceId)
  const { config: written, isMigrated, guardrails } = readConfig(body.config, deps)
  await reachNamed(transaction, place, guardrails)
  const id = newId()
  const by = authorOf(actor)
  const slug = toShortSlug('pc', body.name, deps.randomId, 'config')
  const content = await protectSecrets(transaction, deps, { organisationId, configId: id }, written, undefined)
  if (isDefault) await releaseDefault(transaction, workspaceId, by)
  const row = { id, ...place, slug, name: body.name, isDefault, content, by }
  const made = await refuseTaken(CONFIG_SLUG_TAKEN, 'name', `There is a config '${slug}' already: try again.`, () =>
    configRows.create(transaction, row),
  )
  return { ...made, isMigrated }
}

/**
 * Writes the given fields; a `config` becomes a new version. The config must have been reached with the lock `change`; a
 * new default needs `holdDefault` before that.
 * @throws ManagementInvalid; ManagementReference; ManagementConflict for archiving one that calls still take
 */
export const changeConfig = async (
  transaction: Db,
  deps: ConfigDeps,
  actor: Actor,
  stored: ConfigAt,
  body: ConfigChangeBody,
): Promise<SavedConfig> => {
  const by = authorOf(actor)
  const { object: config, version: current } = stored
  const isDefault = readDefault(body) ?? config.isDefault
  const status = body.status ?? config.status
  if (status === 'archived' && config.status === 'active') {
    await refuseWhileUsed(transaction, { ...config, isDefault }, 'archived')
  } else if (status === 'archived' && isDefault) {
    throw invalidField('isDefault', 'cannot be true for an archived config')
  }
  const checked: CheckedConfig | undefined = body.config === undefined ? undefined : readConfig(body.config, deps)
  if (checked !== undefined) await reachNamed(transaction, config, checked.guardrails)
  const owner = { organisationId: config.organisationId, configId: config.id }
  const before = { ...current, config: toVersion2(current.config) }
  const content = checked && (await protectSecrets(transaction, deps, owner, checked.config, before))
  if (isDefault && !config.isDefault) await releaseDefault(transaction, config.workspaceId, by)
  const changes = { by, status, isDefault, ...columnsOf(body, ['name']), content }
  return { ...(await configRows.change(transaction, stored, changes)), isMigrated: checked?.isMigrated === true }
}
