import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import { byReference, countRows, newId, only, type Page, type Paged, preferId } from './rows.ts'
import { integrations } from './schema/integrations.ts'
import { providers } from './schema/providers.ts'
import type { Db } from './types.ts'

export type Provider = Readonly<typeof providers.$inferSelect>
export type NewProvider = Readonly<Omit<typeof providers.$inferInsert, 'id' | 'createdAt' | 'lastUpdatedAt'>>

/** A provider with what it is a use of. */
export type ProviderWithIntegration = Provider & {
  readonly integration: Pick<
    typeof integrations.$inferSelect,
    'id' | 'slug' | 'name' | 'aiProviderId' | 'status' | 'workspaceId'
  >
}

/** Constraint that a second provider of the same slug breaks, for `isUniqueViolation`. */
export const PROVIDER_SLUG_TAKEN = 'providers_workspace_slug'

/** @throws QueryFailed for a slug that the workspace has already: `isUniqueViolation(error, PROVIDER_SLUG_TAKEN)` */
export const createProvider = async (db: Db, input: NewProvider): Promise<Provider> =>
  only(
    await db
      .insert(providers)
      .values({ id: newId(), ...input })
      .returning(),
  )

const selectWithIntegration = (db: Db) =>
  db
    .select({
      ...getTableColumns(providers),
      integration: {
        id: integrations.id,
        slug: integrations.slug,
        name: integrations.name,
        aiProviderId: integrations.aiProviderId,
        status: integrations.status,
        workspaceId: integrations.workspaceId,
      },
    })
    .from(providers)
    .innerJoin(integrations, eq(integrations.id, providers.integrationId))

/** A provider of the workspace, by id or slug. */
export const findProvider = async (
  db: Db,
  { workspaceId, reference }: { readonly workspaceId: string; readonly reference: string },
): Promise<ProviderWithIntegration | undefined> => {
  const found = await selectWithIntegration(db).where(
    and(eq(providers.workspaceId, workspaceId), byReference(providers, reference)),
  )
  return preferId(found, reference)
}

export interface ProviderFilter {
  readonly workspaceId: string
  readonly integrationId?: string
}

/** By time of creation, the oldest first. */
export const listProviders = async (
  db: Db,
  filter: ProviderFilter,
  page: Page,
): Promise<Paged<ProviderWithIntegration>> => {
  const where = and(
    eq(providers.workspaceId, filter.workspaceId),
    filter.integrationId === undefined ? undefined : eq(providers.integrationId, filter.integrationId),
  )
  const rows = await selectWithIntegration(db)
    .where(where)
    .orderBy(asc(providers.createdAt), asc(providers.id))
    .limit(page.limit)
    .offset(page.offset)
  return { rows, total: await countRows(db, providers, where) }
}

/** How many providers, of all workspaces, use the integration. */
export const countIntegrationProviders = (db: Db, integrationId: string): Promise<number> =>
  countRows(db, providers, eq(providers.integrationId, integrationId))

/** Writes the given fields. @returns undefined when there is no such provider */
export const updateProvider = async (
  db: Db,
  { id, ...changes }: Pick<Provider, 'id'> & Partial<Omit<NewProvider, 'workspaceId'>>,
): Promise<Provider | undefined> => {
  const [row] = await db
    .update(providers)
    .set({ ...changes, lastUpdatedAt: sql`now()` })
    .where(eq(providers.id, id))
    .returning()
  return row
}

export const deleteProvider = async (db: Db, id: string): Promise<void> => {
  await db.delete(providers).where(eq(providers.id, id))
}

/** Deletes what all workspaces have made of the integration. @returns what was deleted */
export const deleteProvidersOf = (db: Db, integrationId: string): Promise<Provider[]> =>
  db.delete(providers).where(eq(providers.integrationId, integrationId)).returning()
