import { and, asc, eq, ne, notExists, sql } from 'drizzle-orm'
import { addUniversalLabels } from './labels.ts'
import { byReference, contains, countRows, newId, only, type Page, type Paged, preferId } from './rows.ts'
import { apiKeys } from './schema/api-keys.ts'
import { configs } from './schema/configs.ts'
import { integrations } from './schema/integrations.ts'
import { promptPartials } from './schema/prompt-partials.ts'
import { prompts } from './schema/prompts.ts'
import { providers } from './schema/providers.ts'
import { workspaces } from './schema/tenancy.ts'
import type { Db } from './types.ts'

export type Workspace = Readonly<typeof workspaces.$inferSelect>
export type NewWorkspace = Readonly<Omit<typeof workspaces.$inferInsert, 'id' | 'createdAt' | 'lastUpdatedAt'>>

/** Slug of the workspace that `bootstrap` makes. */
export const DEFAULT_WORKSPACE_SLUG = 'ws-default'

/** Constraint that a second workspace of the same slug breaks, for `isUniqueViolation`. */
export const WORKSPACE_SLUG_TAKEN = 'workspaces_organisation_slug'

/**
 * Makes a workspace with the labels that every workspace has.
 * @throws QueryFailed for a slug that the organisation has already: `isUniqueViolation(error, WORKSPACE_SLUG_TAKEN)`
 */
export const createWorkspace = (db: Db, input: NewWorkspace): Promise<Workspace> =>
  db.transaction(async (transaction) => {
    const workspace = only(
      await transaction
        .insert(workspaces)
        .values({ id: newId(), ...input })
        .returning(),
    )
    await addUniversalLabels(transaction, workspace)
    return workspace
  })

/** The workspace that `bootstrap` made for the organisation, unless it was deleted since. */
export const findDefaultWorkspace = (db: Db, organisationId: string): Promise<Workspace | undefined> =>
  findWorkspace(db, { organisationId, reference: DEFAULT_WORKSPACE_SLUG })

export interface WorkspaceReference {
  readonly organisationId: string
  /** Id or slug. */
  readonly reference: string
}

/** A workspace of the organisation, archived ones too. */
export const findWorkspace = async (
  db: Db,
  { organisationId, reference }: WorkspaceReference,
): Promise<Workspace | undefined> => {
  const found = await db
    .select()
    .from(workspaces)
    .where(and(eq(workspaces.organisationId, organisationId), byReference(workspaces, reference)))
  return preferId(found, reference)
}

export interface WorkspaceFilter {
  readonly organisationId: string
  /** Only this one. */
  readonly workspaceId?: string
  /** A part of the name, in either case. */
  readonly name?: string
  readonly exactName?: string
  readonly status?: Workspace['status']
}

/** By time of creation, the oldest first. */
export const listWorkspaces = async (db: Db, filter: WorkspaceFilter, page: Page): Promise<Paged<Workspace>> => {
  const where = and(
    eq(workspaces.organisationId, filter.organisationId),
    filter.workspaceId === undefined ? undefined : eq(workspaces.id, filter.workspaceId),
    filter.name === undefined ? undefined : contains(workspaces.name, filter.name),
    filter.exactName === undefined ? undefined : eq(workspaces.name, filter.exactName),
    filter.status === undefined ? undefined : eq(workspaces.status, filter.status),
  )
  const rows = await db
    .select()
    .from(workspaces)
    .where(where)
    .orderBy(asc(workspaces.createdAt), asc(workspaces.id))
    .limit(page.limit)
    .offset(page.offset)
  return { rows, total: await countRows(db, workspaces, where) }
}

/** Active workspaces of an organisation that have no provider of an integration, the oldest first. */
export const listWorkspacesWithoutProvider = async (
  db: Db,
  { organisationId, integrationId }: { readonly organisationId: string; readonly integrationId: string },
): Promise<readonly string[]> => {
  const used = db
    .select({ one: sql`1` })
    .from(providers)
    .where(and(eq(providers.workspaceId, workspaces.id), eq(providers.integrationId, integrationId)))
  const rows = await db
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(and(eq(workspaces.organisationId, organisationId), eq(workspaces.status, 'active'), notExists(used)))
    .orderBy(asc(workspaces.createdAt), asc(workspaces.id))
  return rows.map(({ id }) => id)
}

/** Every active workspace of every organisation, with what a call must know that names one. */
export const listActiveWorkspaces = (
  db: Db,
): Promise<Pick<Workspace, 'id' | 'organisationId' | 'slug' | 'defaults'>[]> =>
  db
    .select({
      id: workspaces.id,
      organisationId: workspaces.organisationId,
      slug: workspaces.slug,
      defaults: workspaces.defaults,
    })
    .from(workspaces)
    .where(eq(workspaces.status, 'active'))

/** Writes the given fields. @returns undefined when there is no such workspace */
export const updateWorkspace = async (
  db: Db,
  { id, ...changes }: Pick<Workspace, 'id'> & Partial<Omit<NewWorkspace, 'organisationId'>>,
): Promise<Workspace | undefined> => {
  const [row] = await db
    .update(workspaces)
    .set({ ...changes, lastUpdatedAt: sql`now()` })
    .where(eq(workspaces.id, id))
    .returning()
  return row
}

/** What would be deleted with a workspace. Revoked keys do not count. */
export interface WorkspaceDependants {
  readonly apiKeys: number
  readonly providers: number
  readonly integrations: number
  readonly configs: number
  readonly prompts: number
  readonly promptPartials: number
}

/**
 * Counts what belongs to the workspace. In a transaction nothing can be added to it until the end, so that what was
 * counted is what `deleteWorkspace` deletes.
 */
export const countWorkspaceDependants = async (transaction: Db, id: string): Promise<WorkspaceDependants> => {
  await transaction.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.id, id)).for('update')
  return {
    apiKeys: await countRows(transaction, apiKeys, and(eq(apiKeys.workspaceId, id), ne(apiKeys.status, 'revoked'))),
    providers: await countRows(transaction, providers, eq(providers.workspaceId, id)),
    integrations: await countRows(transaction, integrations, eq(integrations.workspaceId, id)),
    configs: await countRows(transaction, configs, eq(configs.workspaceId, id)),
    prompts: await countRows(transaction, prompts, eq(prompts.workspaceId, id)),
    promptPartials: await countRows(transaction, promptPartials, eq(promptPartials.workspaceId, id)),
  }
}

/** Deletes the workspace with everything that belongs to it. To be called in a transaction. */
export const deleteWorkspace = async (transaction: Db, id: string): Promise<void> => {
  await transaction.delete(providers).where(eq(providers.workspaceId, id))
  await transaction.delete(integrations).where(eq(integrations.workspaceId, id))
  await transaction.delete(apiKeys).where(eq(apiKeys.workspaceId, id))
  await transaction.delete(workspaces).where(eq(workspaces.id, id))
}
