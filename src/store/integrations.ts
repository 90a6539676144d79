import { and, asc, eq, exists, isNotNull, isNull, notExists, or, type SQL, sql } from 'drizzle-orm'
import { byReference, countRows, newId, only, type Page, type Paged, preferId } from './rows.ts'
import { integrations, integrationWorkspaces } from './schema/integrations.ts'
import type { Db } from './types.ts'

export type Integration = Readonly<typeof integrations.$inferSelect>
/** The id may be chosen by the caller (`newId`), who needs it to seal the secrets of the row. */
export type NewIntegration = Readonly<Omit<typeof integrations.$inferInsert, 'id' | 'createdAt' | 'lastUpdatedAt'>> & {
  readonly id?: string
}

/** Constraint that a second integration of the same slug breaks, for `isUniqueViolation`. */
export const INTEGRATION_SLUG_TAKEN = 'integrations_organisation_slug'

/** @throws QueryFailed for a slug that the organisation has already: `isUniqueViolation(error, INTEGRATION_SLUG_TAKEN)` */
export const createIntegration = async (db: Db, input: NewIntegration): Promise<Integration> =>
  only(
    await db
      .insert(integrations)
      .values({ id: newId(), ...input })
      .returning(),
  )

/** An integration of the organisation, of any of its workspaces or of none. */
export const findIntegration = async (
  db: Db,
  { organisationId, reference }: { readonly organisationId: string; readonly reference: string },
): Promise<Integration | undefined> => {
  const found = await db
    .select()
    .from(integrations)
    .where(and(eq(integrations.organisationId, organisationId), byReference(integrations, reference)))
  return preferId(found, reference)
}

export interface IntegrationFilter {
  readonly organisationId: string
  /** Only what this workspace can use: its own, and those of the organisation that are granted to it. */
  readonly workspaceId?: string
  /** `workspace`: those that belong to a workspace. `organisation`: those that belong to none. */
  readonly type?: 'workspace' | 'organisation' | 'all'
}

/** By time of creation, the oldest first; archived ones too. */
export const listIntegrations = async (db: Db, filter: IntegrationFilter, page: Page): Promise<Paged<Integration>> => {
  const where = and(
    eq(integrations.organisationId, filter.organisationId),
    filter.workspaceId === undefined ? undefined : usableIn(db, filter.workspaceId),
    ofType(filter.type),
  )
  const rows = await db
    .select()
    .from(integrations)
    .where(where)
    .orderBy(asc(integrations.createdAt), asc(integrations.id))
    .limit(page.limit)
    .offset(page.offset)
  return { rows, total: await countRows(db, integrations, where) }
}

const ofType = (type: IntegrationFilter['type']): SQL | undefined => {
  if (type === 'workspace') return isNotNull(integrations.workspaceId)
  return type === 'organisation' ? isNull(integrations.workspaceId) : undefined
}

/** The same rule as `isGranted` of the provider snapshot. */
const usableIn = (db: Db, workspaceId: string): SQL | undefined => {
  const grant = (enabled?: boolean) =>
    db
      .select({ one: sql`1` })
      .from(integrationWorkspaces)
      .where(
        and(
          eq(integrationWorkspaces.integrationId, integrations.id),
          eq(integrationWorkspaces.workspaceId, workspaceId),
          enabled === undefined ? undefined : eq(integrationWorkspaces.enabled, enabled),
        ),
      )
  const isGlobal = sql`coalesce((${integrations.globalWorkspaceAccess} ->> 'enabled')::boolean, false)`
  return or(
    eq(integrations.workspaceId, workspaceId),
    and(isNull(integrations.workspaceId), or(exists(grant(true)), and(isGlobal, notExists(grant())))),
  )
}

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

/** Writes the given fields; JSON fields as a whole. @returns undefined when there is no such integration */
export const updateIntegration = async (
  db: Db,
  { id, ...changes }: Pick<Integration, 'id'> & Partial<Omit<NewIntegration, 'id' | 'organisationId' | 'workspaceId'>>,
): Promise<Integration | undefined> => {
  const [row] = await db
    .update(integrations)
    .set({ ...changes, lastUpdatedAt: sql`now()` })
    .where(eq(integrations.id, id))
    .returning()
  return row
}

/**
 * Deletes the integration with its models and grants.
 * @throws QueryFailed while a provider uses it: `isForeignKeyViolation(error)`
 */
export const deleteIntegration = async (db: Db, id: string): Promise<void> => {
  await db.delete(integrations).where(eq(integrations.id, id))
}
