import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Config } from './configs.ts'
import { apiKeys } from './schema/api-keys.ts'
import { configs } from './schema/configs.ts'
import { workspaces } from './schema/tenancy.ts'
import type { Db } from './types.ts'

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
