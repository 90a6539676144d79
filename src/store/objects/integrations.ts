import { and, asc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { integrations, integrationWorkspaces } from '../schema/integrations.ts'
import type { Db } from '../types.ts'
import { equals } from './rows.ts'
import { rowsOf } from './rows-of.ts'

export type Integration = Readonly<typeof integrations.$inferSelect>
/** The id may be chosen by the caller (`newId`), who needs it to seal the secrets of the row. */
export type NewIntegration = Readonly<Omit<typeof integrations.$inferInsert, 'id' | 'createdAt' | 'lastUpdatedAt'>> & {
  readonly id?: string
}

/** Constraint that a second integration of the same slug breaks, for `isUniqueViolation`. */
export const INTEGRATION_SLUG_TAKEN = 'integrations_organisation_slug'

/** Whether a workspace can use an integration: its own, or one that is granted to it. As `isGranted` of the snapshot. */
const isUsableIn = (workspaceId: string): SQL => {
  const { integrationId, workspaceId: grantee, enabled } = integrationWorkspaces
  const granted = sql`select ${enabled} from ${integrationWorkspaces}
    where ${integrationId} = ${integrations.id} and ${grantee} = ${workspaceId}`
  const isGlobal = sql`(${integrations.globalWorkspaceAccess} ->> 'enabled')::boolean`
  return sql`case when ${integrations.workspaceId} is null then coalesce((${granted}), ${isGlobal}, false)
    else ${integrations.workspaceId} = ${workspaceId} end`
}

/** Those of an organisation, of any of its workspaces or of none; for a workspace those that it can use. */
export const integrationRows = rowsOf(integrations, {
  isIn: isUsableIn,
  reference: integrations.slug,
  filters: {
    status: equals(integrations.status),
    /** `workspace`: those that belong to a workspace. `organisation`: those that belong to none. */
    type: (type: 'workspace' | 'organisation' | 'all') =>
      ({
        workspace: isNotNull(integrations.workspaceId),
        organisation: isNull(integrations.workspaceId),
        all: undefined,
      })[type],
  },
})

/** Active integrations of an organisation of which every workspace gets a provider, later ones too. */
export const listIntegrationsForAll = (db: Db, organisationId: string): Promise<Integration[]> =>
  db
    .select()
    .from(integrations)
    .where(
      and(
        eq(integrations.organisationId, organisationId),
        eq(integrations.status, 'active'),
        sql`${integrations.globalWorkspaceAccess} @> '{"enabled": true, "createDefaultProvider": true}'`,
      ),
    )
    .orderBy(asc(integrations.createdAt), asc(integrations.id))
