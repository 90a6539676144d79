import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm'
import { apiKeys } from '../schema/api-keys.ts'
import { configs, configVersions } from '../schema/configs.ts'
import { workspaces } from '../schema/tenancy.ts'
import type { Db } from '../types.ts'
import { type At, versionedRowsOf } from './versioned-rows.ts'

export type Config = Readonly<typeof configs.$inferSelect>
export type ConfigVersion = Readonly<typeof configVersions.$inferSelect>
export type ConfigAt = At<Config, ConfigVersion>

/** What a new version says. */
export type ConfigContent = Pick<ConfigVersion, 'config' | 'secrets'>

/** Constraint that a second config of the same slug breaks, for `isUniqueViolation`. */
export const CONFIG_SLUG_TAKEN = 'configs_workspace_slug'

/** A new default config needs `releaseDefault` first. */
export const configRows = versionedRowsOf(configs, configVersions, 'configId')

/**
 * Until the end of the transaction nobody else may choose the default config of the workspace. To be called before any
 * config is held, so that two who choose cannot wait for each other.
 */
export const holdDefault = async (transaction: Db, workspaceId: string): Promise<void> => {
  // No stronger: whatever refers to the workspace may be added meanwhile.
  await transaction
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId))
    .for('no key update')
}

/** The workspace has no default config any more. To be called after `holdDefault`. */
export const releaseDefault = async (transaction: Db, workspaceId: string, by: string): Promise<void> => {
  await transaction
    .update(configs)
    .set({ isDefault: false, updatedBy: by, lastUpdatedAt: sql`now()` })
    .where(and(eq(configs.workspaceId, workspaceId), eq(configs.isDefault, true)))
}

/** Slugs of the default configs, by workspace. */
export const findDefaultSlugs = async (
  db: Db,
  workspaceIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (workspaceIds.length === 0) return new Map()
  const rows = await db
    .select({ workspaceId: configs.workspaceId, slug: configs.slug })
    .from(configs)
    .where(and(inArray(configs.workspaceId, [...workspaceIds]), eq(configs.isDefault, true)))
  return new Map(rows.map(({ workspaceId, slug }) => [workspaceId, slug]))
}

/** Names of the keys whose calls take this config unless they bring their own; revoked ones do not count. */
export const findKeysNaming = async (
  db: Db,
  { id, slug, workspaceId }: Pick<Config, 'id' | 'slug' | 'workspaceId'>,
): Promise<readonly string[]> => {
  const rows = await db
    .select({ name: apiKeys.name })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.workspaceId, workspaceId),
        ne(apiKeys.status, 'revoked'),
        inArray(sql<string>`${apiKeys.defaults} ->> 'configId'`, [id, slug]),
      ),
    )
    .orderBy(asc(apiKeys.createdAt), asc(apiKeys.id))
  return rows.map(({ name }) => name)
}
