import { eq, getTableColumns } from 'drizzle-orm'
import { integrations } from '../schema/integrations.ts'
import { providers } from '../schema/providers.ts'
import type { Db } from '../types.ts'
import { countRows } from './rows.ts'
import { rowsOf } from './rows-of.ts'

export type Provider = Readonly<typeof providers.$inferSelect>

/** A provider with what it is a use of. */
export type ProviderWithIntegration = Provider & { readonly integration: Readonly<typeof integrations.$inferSelect> }

/** Constraint that a second provider of the same slug breaks, for `isUniqueViolation`. */
export const PROVIDER_SLUG_TAKEN = 'providers_workspace_slug'

/** Read with their integrations. */
export const providerRows = rowsOf(providers, {
  select: (db) =>
    db
      .select({ ...getTableColumns(providers), integration: getTableColumns(integrations) })
      .from(providers)
      .innerJoin(integrations, eq(integrations.id, providers.integrationId))
      .$dynamic(),
  reference: providers.slug,
  filters: { integrationId: (id: string) => eq(providers.integrationId, id) },
})

/** How many providers, of all workspaces, use the integration. */
export const countIntegrationProviders = (db: Db, integrationId: string): Promise<number> =>
  countRows(db, providers, eq(providers.integrationId, integrationId))

/** Deletes what all workspaces have made of the integration. @returns what was deleted */
export const deleteProvidersOf = (db: Db, integrationId: string): Promise<Provider[]> =>
  db.delete(providers).where(eq(providers.integrationId, integrationId)).returning()
