import { and, asc, eq, inArray, ne, notExists, sql } from 'drizzle-orm'
import { apiKeys } from '../schema/api-keys.ts'
import { configs } from '../schema/configs.ts'
import { guardrails } from '../schema/guardrails.ts'
import { integrations } from '../schema/integrations.ts'
import { promptPartials } from '../schema/prompt-partials.ts'
import { prompts } from '../schema/prompts.ts'
import { providers } from '../schema/providers.ts'
import { workspaces } from '../schema/tenancy.ts'
import type { Db } from '../types.ts'
import { addUniversalLabels } from './labels.ts'
import { contains, countRows, equals, isUuid } from './rows.ts'
import { rowsOf } from './rows-of.ts'

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
    const workspace = await workspaceRows.insert(transaction, input)
    await addUniversalLabels(transaction, workspace)
    return workspace
  })

/** The workspace that `bootstrap` made for the organisation, unless it was deleted since. */
export const findDefaultWorkspace = (db: Db, organisationId: string): Promise<Workspace | undefined> =>
  workspaceRows.find(db, { organisationId, reference: DEFAULT_WORKSPACE_SLUG })

/** Archived ones too. */
export const workspaceRows = rowsOf(workspaces, {
  isIn: equals(workspaces.id),
  reference: workspaces.slug,
  filters: {
    name: (part: string) => contains(workspaces.name, part),
    exact_name: equals(workspaces.name),
    status: equals(workspaces.status),
  },
})

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

/** Slugs of workspaces of an organisation by their ids; those that are gone have none. */
export const slugsOfWorkspaces = async (
  db: Db,
  organisationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = await db
    .select({ id: workspaces.id, slug: workspaces.slug })
    .from(workspaces)
    .where(and(eq(workspaces.organisationId, organisationId), inArray(workspaces.id, ids.filter(isUuid))))
  return new Map(rows.map(({ id, slug }) => [id, slug]))
}

/** What would be deleted with a workspace. Revoked keys do not count. */
export interface WorkspaceDependants {
  readonly apiKeys: number
  readonly providers: number
  readonly integrations: number
  readonly configs: number
  readonly guardrails: number
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
    guardrails: await countRows(transaction, guardrails, eq(guardrails.workspaceId, id)),
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
