import { and, asc, eq, exists, getTableColumns, or, sql } from 'drizzle-orm'
import { addPromptVersion, type PromptContent, type PromptVersion } from './prompt-versions.ts'
import { byReference, contains, countRows, newId, only, type Page, type Paged, preferId } from './rows.ts'
import { promptLabels, prompts, promptVersions } from './schema/prompts.ts'
import type { Db } from './types.ts'

export type Prompt = Readonly<typeof prompts.$inferSelect>

/** A prompt with one of its versions. */
export interface PromptAt {
  readonly prompt: Prompt
  readonly version: PromptVersion
}

export interface NewPrompt extends Pick<Prompt, 'organisationId' | 'workspaceId' | 'collectionId' | 'slug' | 'name'> {
  readonly content: PromptContent
  /** Who makes it. */
  readonly by: string
}

/** Constraint that a second prompt of the same slug breaks, for `isUniqueViolation`. */
export const PROMPT_SLUG_TAKEN = 'prompts_workspace_slug'

/**
 * Stores a prompt with its first version, which is published at once.
 * @throws QueryFailed for a slug that the workspace has already: `isUniqueViolation(error, PROMPT_SLUG_TAKEN)`; for a
 *   collection that is gone: `isForeignKeyViolation(error)`
 */
export const createPrompt = async (transaction: Db, { content, by, ...row }: NewPrompt): Promise<PromptAt> => {
  const prompt = only(
    await transaction
      .insert(prompts)
      .values({ id: newId(), ...row, ownerId: by, updatedBy: by })
      .returning(),
  )
  return { prompt, version: await addPromptVersion(transaction, { promptId: prompt.id, number: 1, content, by }) }
}

export interface PromptName {
  readonly workspaceId: string
  /** Id or slug. */
  readonly reference: string
}

/**
 * A prompt of the workspace, archived ones too.
 * @param lock `change`: nobody else may change it, or add a version, until the end of the transaction
 */
export const findPrompt = async (
  db: Db,
  { workspaceId, reference }: PromptName,
  lock?: 'change',
): Promise<Prompt | undefined> => {
  const query = db
    .select()
    .from(prompts)
    .where(and(eq(prompts.workspaceId, workspaceId), byReference(prompts, reference)))
  return preferId(await (lock === undefined ? query : query.for('update')), reference)
}

export interface PromptFilter {
  readonly workspaceId: string
  readonly collectionId?: string
  /** A part of the name or the slug, in either case. */
  readonly search?: string
  /** Only prompts of which a version carries this label. */
  readonly labelId?: string
}

/** A prompt in a list, with what its published version says in short. */
export interface ListedPrompt extends Prompt {
  readonly published: Pick<PromptVersion, 'id' | 'model' | 'virtualKey'>
}

/** By time of creation, the oldest first; archived ones too. */
export const listPrompts = async (db: Db, filter: PromptFilter, page: Page): Promise<Paged<ListedPrompt>> => {
  const { workspaceId, collectionId, search, labelId } = filter
  const where = and(
    eq(prompts.workspaceId, workspaceId),
    collectionId === undefined ? undefined : eq(prompts.collectionId, collectionId),
    search === undefined ? undefined : or(contains(prompts.name, search), contains(prompts.slug, search)),
    labelId === undefined
      ? undefined
      : exists(
          db
            .select({ one: sql`1` })
            .from(promptLabels)
            .where(and(eq(promptLabels.promptId, prompts.id), eq(promptLabels.labelId, labelId))),
        ),
  )
  const { id, model, virtualKey } = promptVersions
  const rows = await db
    .select({ ...getTableColumns(prompts), published: { id, model, virtualKey } })
    .from(prompts)
    .innerJoin(
      promptVersions,
      and(eq(promptVersions.promptId, prompts.id), eq(promptVersions.number, prompts.publishedVersion)),
    )
    .where(where)
    .orderBy(asc(prompts.createdAt), asc(prompts.id))
    .limit(page.limit)
    .offset(page.offset)
  return { rows, total: await countRows(db, prompts, where) }
}

export interface PromptChange
  extends Partial<Pick<Prompt, 'name' | 'collectionId' | 'status' | 'version' | 'publishedVersion'>> {
  /** Who changes it. */
  readonly by: string
}

/**
 * Writes the given fields. The prompt must have been found with the lock `change`.
 * @throws QueryFailed for a collection that is gone: `isForeignKeyViolation(error)`
 */
export const updatePrompt = async (transaction: Db, id: string, { by, ...fields }: PromptChange): Promise<Prompt> =>
  only(
    await transaction
      .update(prompts)
      .set({ ...fields, updatedBy: by, lastUpdatedAt: sql`now()` })
      .where(eq(prompts.id, id))
      .returning(),
  )

/** Deletes the prompt with all of its versions. */
export const deletePrompt = async (db: Db, id: string): Promise<void> => {
  await db.delete(prompts).where(eq(prompts.id, id))
}
