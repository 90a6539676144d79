import { and, asc, desc, eq, or, sql } from 'drizzle-orm'
import { byReference, contains, countRows, newId, only, type Page, type Paged, preferId } from './rows.ts'
import { promptPartials, promptPartialVersions } from './schema/prompt-partials.ts'
import { prompts, promptVersions } from './schema/prompts.ts'
import type { Db } from './types.ts'

export type PromptPartial = Readonly<typeof promptPartials.$inferSelect>
export type PromptPartialVersion = Readonly<typeof promptPartialVersions.$inferSelect>

/** A partial with one of its versions. */
export interface PartialAtVersion {
  readonly partial: PromptPartial
  readonly version: PromptPartialVersion
}

/** What a new version says. */
export type PartialContent = Pick<PromptPartialVersion, 'template' | 'description'>

export interface NewPromptPartial extends Pick<PromptPartial, 'organisationId' | 'workspaceId' | 'slug' | 'name'> {
  readonly content: PartialContent
  /** Who makes it. */
  readonly by: string
}

/** Constraint that a second partial of the same slug breaks, for `isUniqueViolation`. */
export const PARTIAL_SLUG_TAKEN = 'prompt_partials_workspace_slug'

/**
 * Stores a partial with its first version, which is published.
 * @throws QueryFailed for a slug that the workspace has already: `isUniqueViolation(error, PARTIAL_SLUG_TAKEN)`
 */
export const createPromptPartial = async (
  transaction: Db,
  { content, by, ...row }: NewPromptPartial,
): Promise<PartialAtVersion> => {
  const partial = only(
    await transaction
      .insert(promptPartials)
      .values({ id: newId(), ...row, ownerId: by, updatedBy: by })
      .returning(),
  )
  return { partial, version: await addVersion(transaction, partial, content, by) }
}

const addVersion = async (
  transaction: Db,
  { id: partialId, version: number }: PromptPartial,
  content: PartialContent,
  by: string,
): Promise<PromptPartialVersion> =>
  only(
    await transaction
      .insert(promptPartialVersions)
      .values({ id: newId(), partialId, number, ...content, ownerId: by })
      .returning(),
  )

export interface PromptPartialReference {
  readonly workspaceId: string
  /** Id or slug. */
  readonly reference: string
}

/**
 * A partial of the workspace, archived ones too.
 * @param lock `change`: until the end of the transaction nobody else may change it
 */
export const findPromptPartial = async (
  db: Db,
  { workspaceId, reference }: PromptPartialReference,
  lock?: 'change',
): Promise<PromptPartial | undefined> => {
  const query = db
    .select()
    .from(promptPartials)
    .where(and(eq(promptPartials.workspaceId, workspaceId), byReference(promptPartials, reference)))
  return preferId(await (lock === undefined ? query : query.for('update')), reference)
}

export interface PromptPartialFilter {
  readonly workspaceId: string
  /** A part of the name or the slug, in either case. */
  readonly search?: string
}

/** By time of creation, the oldest first; archived ones too. */
export const listPromptPartials = async (
  db: Db,
  { workspaceId, search }: PromptPartialFilter,
  page: Page,
): Promise<Paged<PromptPartial>> => {
  const where = and(
    eq(promptPartials.workspaceId, workspaceId),
    search === undefined ? undefined : or(contains(promptPartials.name, search), contains(promptPartials.slug, search)),
  )
  const rows = await db
    .select()
    .from(promptPartials)
    .where(where)
    .orderBy(asc(promptPartials.createdAt), asc(promptPartials.id))
    .limit(page.limit)
    .offset(page.offset)
  return { rows, total: await countRows(db, promptPartials, where) }
}

/** @param number from 1 */
export const findPartialVersion = async (
  db: Db,
  partialId: string,
  number: number,
): Promise<PromptPartialVersion | undefined> => {
  const [row] = await db
    .select()
    .from(promptPartialVersions)
    .where(and(eq(promptPartialVersions.partialId, partialId), eq(promptPartialVersions.number, number)))
  return row
}

/** All versions of a partial, the newest first. */
export const listPartialVersions = async (
  db: Db,
  partialId: string,
  page: Page,
): Promise<Paged<PromptPartialVersion>> => {
  const where = eq(promptPartialVersions.partialId, partialId)
  const rows = await db
    .select()
    .from(promptPartialVersions)
    .where(where)
    .orderBy(desc(promptPartialVersions.number))
    .limit(page.limit)
    .offset(page.offset)
  return { rows, total: await countRows(db, promptPartialVersions, where) }
}

export interface PromptPartialChange extends Partial<Pick<PromptPartial, 'name' | 'status' | 'publishedVersion'>> {
  /** Becomes a new version, which is not published. */
  readonly content?: PartialContent
  /** Who changes it. */
  readonly by: string
}

/**
 * Writes the given fields. The partial must have been found with the lock `change`.
 * @returns the partial, and its new version if there is one
 */
export const updatePromptPartial = async (
  transaction: Db,
  { id, version }: PromptPartial,
  { content, by, ...fields }: PromptPartialChange,
): Promise<{ readonly partial: PromptPartial; readonly added?: PromptPartialVersion }> => {
  const partial = only(
    await transaction
      .update(promptPartials)
      .set({
        ...fields,
        ...(content === undefined ? {} : { version: version + 1 }),
        updatedBy: by,
        lastUpdatedAt: sql`now()`,
      })
      .where(eq(promptPartials.id, id))
      .returning(),
  )
  return content === undefined ? { partial } : { partial, added: await addVersion(transaction, partial, content, by) }
}

/** Slugs of the prompts of which any version names the partial, by whatever version of it. */
export const findPromptsNaming = async (
  db: Db,
  { id, slug, workspaceId }: Pick<PromptPartial, 'id' | 'slug' | 'workspaceId'>,
): Promise<readonly string[]> => {
  // Neither an id nor a slug holds anything that a regular expression would take for more than itself.
  const tag = String.raw`\{\{\s*>\s*(${id}|${slug})\s*(@[^}]*)?\}\}`
  const rows = await db
    .selectDistinct({ slug: prompts.slug })
    .from(prompts)
    .innerJoin(promptVersions, eq(promptVersions.promptId, prompts.id))
    .where(and(eq(prompts.workspaceId, workspaceId), sql`${promptVersions.template} ~ ${tag}::text`))
    .orderBy(asc(prompts.slug))
  return rows.map((row) => row.slug)
}

/** Deletes the partial with all of its versions. */
export const deletePromptPartial = async (db: Db, id: string): Promise<void> => {
  await db.delete(promptPartials).where(eq(promptPartials.id, id))
}
