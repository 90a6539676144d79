import { and, asc, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import { byReference, countRows, isUuid, newId, only, type Page, type Paged, preferId } from './rows.ts'
import { configs, configVersions } from './schema/configs.ts'
import type { Db } from './types.ts'

export type Config = Readonly<typeof configs.$inferSelect>
export type ConfigVersion = Readonly<typeof configVersions.$inferSelect>

/** A config as it is now. */
export interface CurrentConfig {
  readonly config: Config
  readonly current: ConfigVersion
}

/** What a new version says. */
export type ConfigContent = Pick<ConfigVersion, 'config' | 'secrets'>

/** The id is chosen by the caller (`newId`), who needs it to seal the secrets. */
export interface NewConfig
  extends Pick<Config, 'id' | 'organisationId' | 'workspaceId' | 'slug' | 'name' | 'isDefault'> {
  readonly content: ConfigContent
  /** Who makes it. */
  readonly by: string
}

/** Constraint that a second config of the same slug breaks, for `isUniqueViolation`. */
export const CONFIG_SLUG_TAKEN = 'configs_workspace_slug'

/**
 * Stores a config with its first version. A new default needs `releaseDefault` of `default-configs.ts` first.
 * @throws QueryFailed for a slug that the workspace has already: `isUniqueViolation(error, CONFIG_SLUG_TAKEN)`
 */
export const createConfig = async (transaction: Db, { content, by, ...row }: NewConfig): Promise<CurrentConfig> => {
  const config = only(
    await transaction
      .insert(configs)
      .values({ ...row, ownerId: by, updatedBy: by })
      .returning(),
  )
  return { config, current: await addVersion(transaction, config, content, by) }
}

const addVersion = async (
  transaction: Db,
  { id: configId, version: number }: Config,
  content: ConfigContent,
  by: string,
): Promise<ConfigVersion> =>
  only(
    await transaction
      .insert(configVersions)
      .values({ id: newId(), configId, number, ...content, ownerId: by })
      .returning(),
  )

const isCurrent = and(eq(configVersions.configId, configs.id), eq(configVersions.number, configs.version))

export interface ConfigReference {
  readonly workspaceId: string
  /** Id or slug. */
  readonly reference: string
}

/** In a transaction: nobody else may change the config, or take it away, until its end. */
export type ConfigLock = 'change' | 'keep'

/** A config of the workspace, archived ones too. */
export const findConfig = async (
  db: Db,
  { workspaceId, reference }: ConfigReference,
  lock?: ConfigLock,
): Promise<CurrentConfig | undefined> => {
  const isWanted = and(eq(configs.workspaceId, workspaceId), byReference(configs, reference))
  if (lock !== undefined) {
    // Apart from the reading: that of a joined row would see the version of before another change.
    await db
      .select({ id: configs.id })
      .from(configs)
      .where(isWanted)
      .for(lock === 'change' ? 'update' : 'share')
  }
  const found = await db
    .select({ config: getTableColumns(configs), current: getTableColumns(configVersions) })
    .from(configs)
    .innerJoin(configVersions, isCurrent)
    .where(isWanted)
  const wanted = preferId(
    found.map(({ config }) => config),
    reference,
  )
  return found.find(({ config }) => config.id === wanted?.id)
}

/** By time of creation, the oldest first; archived ones too. */
export const listConfigs = async (db: Db, workspaceId: string, page: Page): Promise<Paged<Config>> => {
  const where = eq(configs.workspaceId, workspaceId)
  const rows = await db
    .select()
    .from(configs)
    .where(where)
    .orderBy(asc(configs.createdAt), asc(configs.id))
    .limit(page.limit)
    .offset(page.offset)
  return { rows, total: await countRows(db, configs, where) }
}

/** All versions of a config, the newest first. */
export const listConfigVersions = async (db: Db, configId: string, page: Page): Promise<Paged<ConfigVersion>> => {
  const where = eq(configVersions.configId, configId)
  const rows = await db
    .select()
    .from(configVersions)
    .where(where)
    .orderBy(desc(configVersions.number))
    .limit(page.limit)
    .offset(page.offset)
  return { rows, total: await countRows(db, configVersions, where) }
}

/** @returns undefined also for an id that is no UUID */
export const findConfigVersion = async (
  db: Db,
  { configId, id }: { readonly configId: string; readonly id: string },
): Promise<ConfigVersion | undefined> => {
  if (!isUuid(id)) return undefined
  const [row] = await db
    .select()
    .from(configVersions)
    .where(and(eq(configVersions.configId, configId), eq(configVersions.id, id)))
  return row
}

export interface ConfigChange extends Partial<Pick<Config, 'name' | 'status' | 'isDefault'>> {
  /** Becomes a new version. */
  readonly content?: ConfigContent
  /** Who changes it. */
  readonly by: string
}

/** Writes the given fields. The config must have been found with the lock `change`; a new default needs `releaseDefault`. */
export const updateConfig = async (
  transaction: Db,
  { config: { id, version }, current }: CurrentConfig,
  { content, by, ...fields }: ConfigChange,
): Promise<CurrentConfig> => {
  const config = only(
    await transaction
      .update(configs)
      .set({
        ...fields,
        ...(content === undefined ? {} : { version: version + 1 }),
        updatedBy: by,
        lastUpdatedAt: sql`now()`,
      })
      .where(eq(configs.id, id))
      .returning(),
  )
  return { config, current: content === undefined ? current : await addVersion(transaction, config, content, by) }
}

/** Deletes the config with all of its versions. */
export const deleteConfig = async (db: Db, id: string): Promise<void> => {
  await db.delete(configs).where(eq(configs.id, id))
}
