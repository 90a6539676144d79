import { and, asc, eq } from 'drizzle-orm'
import { organisations, workspaces } from './schema/tenancy.ts'
import type { Db } from './types.ts'

export type Organisation = typeof organisations.$inferSelect
export type Workspace = typeof workspaces.$inferSelect

/** Slug of the workspace that `bootstrap` makes. */
export const DEFAULT_WORKSPACE_SLUG = 'ws-default'

export const createOrganisation = async (db: Db, input: { readonly name: string }): Promise<Organisation> =>
  only(
    await db
      .insert(organisations)
      .values({ id: Bun.randomUUIDv7(), ...input })
      .returning(),
  )

/** The organisation that was made first, or undefined in an empty database. */
export const findFirstOrganisation = async (db: Db): Promise<Organisation | undefined> => {
  const [first] = await db
    .select()
    .from(organisations)
    .orderBy(asc(organisations.createdAt), asc(organisations.id))
    .limit(1)
  return first
}

/** @throws QueryFailed with SQLSTATE 23505 when the organisation has a workspace of that slug */
export const createWorkspace = async (
  db: Db,
  input: { readonly organisationId: string; readonly name: string; readonly slug: string },
): Promise<Workspace> =>
  only(
    await db
      .insert(workspaces)
      .values({ id: Bun.randomUUIDv7(), ...input })
      .returning(),
  )

/** The workspace that `bootstrap` made for the organisation, unless it was deleted since. */
export const findDefaultWorkspace = async (db: Db, organisationId: string): Promise<Workspace | undefined> => {
  const [found] = await db
    .select()
    .from(workspaces)
    .where(and(eq(workspaces.organisationId, organisationId), eq(workspaces.slug, DEFAULT_WORKSPACE_SLUG)))
  return found
}

const only = <Row>([row]: readonly Row[]): Row => {
  if (row === undefined) throw new Error('The database returned no row for an insert.')
  return row
}
