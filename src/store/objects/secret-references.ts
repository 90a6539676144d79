import { and, asc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { integrations, type Tags } from '../schema/integrations.ts'
import { secretReferences, secretReferenceWorkspaces } from '../schema/secret-references.ts'
import type { Db } from '../types.ts'
import { contains, equals } from './rows.ts'
import { rowsOf } from './rows-of.ts'

export type SecretReference = Readonly<typeof secretReferences.$inferSelect>

/** Constraint that a second reference of the same slug breaks, for `isUniqueViolation`. */
export const SECRET_REFERENCE_SLUG_TAKEN = 'secret_references_organisation_slug'

/** Whether a workspace may use a reference. As `isFor` of the snapshot. */
const isUsableIn = (workspaceId: string): SQL => {
  const { secretReferenceId, workspaceId: allowed } = secretReferenceWorkspaces
  return sql`(${secretReferences.allowAllWorkspaces} or exists (select from ${secretReferenceWorkspaces}
    where ${secretReferenceId} = ${secretReferences.id} and ${allowed} = ${workspaceId}))`
}

/** Those of an organisation; for a workspace those that it may use. */
export const secretReferenceRows = rowsOf(secretReferences, {
  isIn: isUsableIn,
  reference: secretReferences.slug,
  filters: {
    manager_type: equals(secretReferences.managerType),
    search: (part: string) => or(contains(secretReferences.name, part), contains(secretReferences.slug, part)),
    tags: (tags: Tags) => sql`${secretReferences.tags} @> ${JSON.stringify(tags)}::jsonb`,
  },
})

/** Ids of the workspaces that are listed as allowed, by reference. */
export const findAllowedWorkspaces = async (
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const rows = await db
    .select()
    .from(secretReferenceWorkspaces)
    .where(inArray(secretReferenceWorkspaces.secretReferenceId, [...ids]))
    .orderBy(asc(secretReferenceWorkspaces.workspaceId))
  const found = Map.groupBy(rows, ({ secretReferenceId }) => secretReferenceId)
  return new Map([...found].map(([id, of]) => [id, of.map(({ workspaceId }) => workspaceId)]))
}

/** Lists other workspaces as allowed than before. */
export const putAllowedWorkspaces = async (db: Db, id: string, workspaceIds: readonly string[]): Promise<void> => {
  await db.delete(secretReferenceWorkspaces).where(eq(secretReferenceWorkspaces.secretReferenceId, id))
  if (workspaceIds.length === 0) return
  const rows = workspaceIds.map((workspaceId) => ({ secretReferenceId: id, workspaceId }))
  await db.insert(secretReferenceWorkspaces).values(rows)
}

/** Slugs of integrations that take a value from a reference, the first ones. */
export const findUsesOfReference = async (
  db: Db,
  { id, slug, organisationId }: Pick<SecretReference, 'id' | 'slug' | 'organisationId'>,
  limit: number,
): Promise<readonly string[]> => {
  const names = (reference: string): SQL =>
    sql`${integrations.secretMappings} @> ${JSON.stringify([{ secretReferenceId: reference }])}::jsonb`
  const rows = await db
    .select({ slug: integrations.slug })
    .from(integrations)
    .where(and(eq(integrations.organisationId, organisationId), or(names(id), names(slug))))
    .orderBy(asc(integrations.slug))
    .limit(limit)
  return rows.map((row) => row.slug)
}
