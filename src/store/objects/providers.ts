import { and, eq, getTableColumns } from 'drizzle-orm'
import { integrations, integrationWorkspaces } from '../schema/integrations.ts'
import { providers } from '../schema/providers.ts'
import type { Db } from '../types.ts'
import { countRows } from './rows.ts'
import { rowsOf } from './rows-of.ts'

export type Provider = Readonly<typeof providers.$inferSelect>

/** A provider with what it is a use of. */
export type ProviderWithIntegration = Provider & {
  readonly integration: Readonly<typeof integrations.$inferSelect>
  /** What its workspace was given at the integration; null where it follows the access of all. Absent for a new one. */
  readonly grant?: Readonly<Pick<typeof integrationWorkspaces.$inferSelect, 'workspaceId' | 'usageLimits'>> | null
}

/** Constraint that a second provider of the same slug breaks, for `isUniqueViolation`. */
export const PROVIDER_SLUG_TAKEN = 'providers_workspace_slug'

/** Read with their integrations. */
export const providerRows = rowsOf(providers, {
  select: (db) =>
    db
      .select({
        ...getTableColumns(providers),
        integration: getTableColumns(integrations),
        grant: { workspaceId: integrationWorkspaces.workspaceId, usageLimits: integrationWorkspaces.usageLimits },
      })
      .from(providers)
      .innerJoin(integrations, eq(integrations.id, providers.integrationId))
      .leftJoin(
        integrationWorkspaces,
        and(
          eq(integrationWorkspaces.integrationId, providers.integrationId),
          eq(integrationWorkspaces.workspaceId, providers.workspaceId),
        ),
      )
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
