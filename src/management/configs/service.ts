import { ManagementConflict, ManagementNotFound } from '../../errors/gateway-error.ts'
import {
  CONFIG_SLUG_TAKEN,
  type ConfigLock,
  type CurrentConfig,
  findConfig,
  createConfig as insertConfig,
  updateConfig as storeConfig,
} from '../../store/configs.ts'
import { releaseDefault } from '../../store/default-configs.ts'
import { isUniqueViolation } from '../../store/errors.ts'
import { newId } from '../../store/rows.ts'
import type { Db } from '../../store/types.ts'
import type { Workspace } from '../../store/workspaces.ts'
import type { Actor } from '../actor.ts'
import { authorOf } from '../author.ts'
import { invalidField } from '../invalid-field.ts'
import { refuseWhileUsed } from './default-config.ts'
import type { ConfigDeps } from './deps.ts'
import type { ConfigChangeBody, NewConfigBody } from './model.ts'
import { type CheckedConfig, readConfig, toVersion2 } from './read-config.ts'
import { protectSecrets } from './secrets.ts'
import { toConfigSlug } from './slug.ts'

/** What was stored, and whether it came as version 1.0. */
export interface SavedConfig extends CurrentConfig {
  readonly isMigrated: boolean
}

/** @throws ManagementNotFound */
export const reachConfig = async (
  db: Db,
  workspaceId: string,
  reference: string,
  lock?: ConfigLock,
): Promise<CurrentConfig> => {
  const found = await findConfig(db, { workspaceId, reference }, lock)
  if (found === undefined) throw new ManagementNotFound(`There is no config '${reference}' in the workspace.`)
  return found
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
 * Stores a config. A default one needs `holdDefault` before.
 * @throws ManagementInvalid with the path of each violation; ManagementConflict
 */
export const createConfig = async (
  transaction: Db,
  deps: ConfigDeps,
  actor: Actor,
  { id: workspaceId, organisationId }: Pick<Workspace, 'id' | 'organisationId'>,
  body: NewConfigBody,
): Promise<SavedConfig> => {
  const { config: written, isMigrated } = readConfig(body.config, deps)
  const id = newId()
  const by = authorOf(actor)
  const slug = toConfigSlug(body.name, deps.randomId)
  const isDefault = readDefault(body) === true
  const content = await protectSecrets(transaction, deps, { organisationId, configId: id }, written, undefined)
  if (isDefault) await releaseDefault(transaction, workspaceId, by)
  try {
    const row = { id, organisationId, workspaceId, slug, name: body.name, isDefault }
    return { ...(await insertConfig(transaction, { ...row, content, by })), isMigrated }
  } catch (thrown) {
    if (!isUniqueViolation(thrown, CONFIG_SLUG_TAKEN)) throw thrown
    throw new ManagementConflict(`There is a config '${slug}' already: try again.`, { cause: thrown, param: 'name' })
  }
}

/**
 * Writes the given fields; a `config` becomes a new version. The config must have been reached with the lock `change`; a
 * new default needs `holdDefault` before that.
 * @throws ManagementInvalid; ManagementConflict for archiving one that calls still take
 */
export const changeConfig = async (
  transaction: Db,
  deps: ConfigDeps,
  actor: Actor,
  stored: CurrentConfig,
  body: ConfigChangeBody,
): Promise<SavedConfig> => {
  const by = authorOf(actor)
  const { config } = stored
  const isDefault = readDefault(body) ?? config.isDefault
  const status = body.status ?? config.status
  if (status === 'archived' && config.status === 'active') {
    await refuseWhileUsed(transaction, { ...config, isDefault }, 'archived')
  } else if (status === 'archived' && isDefault) {
    throw invalidField('isDefault', 'cannot be true for an archived config')
  }
  const checked: CheckedConfig | undefined = body.config === undefined ? undefined : readConfig(body.config, deps)
  const content =
    checked &&
    (await protectSecrets(
      transaction,
      deps,
      { organisationId: config.organisationId, configId: config.id },
      checked.config,
      { ...stored.current, config: toVersion2(stored.current.config) },
    ))
  if (isDefault && !config.isDefault) await releaseDefault(transaction, config.workspaceId, by)
  const saved = await storeConfig(transaction, stored, {
    by,
    status,
    isDefault,
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(content === undefined ? {} : { content }),
  })
  return { ...saved, isMigrated: checked?.isMigrated === true }
}
