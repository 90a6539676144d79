import { and, asc, eq, exists, getTableColumns, inArray, sql } from 'drizzle-orm'
import { labels } from '../schema/labels.ts'
import { promptLabels, prompts, promptVersions } from '../schema/prompts.ts'
import type { Db } from '../types.ts'
import type { Label } from './labels.ts'
import { rowsOf } from './rows-of.ts'
import { type At, searchFilter, versionedRowsOf } from './versioned-rows.ts'

export type Prompt = Readonly<typeof prompts.$inferSelect>
export type PromptVersion = Readonly<typeof promptVersions.$inferSelect>
export type PromptAt = At<Prompt, PromptVersion>

/** What a version says. */
export type PromptContent = Omit<PromptVersion, 'id' | 'promptId' | 'number' | 'ownerId' | 'createdAt'>

/** Constraint that a second prompt of the same slug breaks, for `isUniqueViolation`. */
export const PROMPT_SLUG_TAKEN = 'prompts_workspace_slug'

export const promptRows = versionedRowsOf(prompts, promptVersions, 'promptId')

/** A prompt in a list, with what its published version says in short. */
export interface ListedPrompt extends Prompt {
  readonly published: Pick<PromptVersion, 'id' | 'model' | 'virtualKey'>
}

const { id, model, virtualKey } = promptVersions
const isPublished = and(eq(promptVersions.promptId, prompts.id), eq(promptVersions.number, prompts.publishedVersion))

/** Lists prompts by time of creation, the oldest first; archived ones too. */
export const { list: listPrompts } = rowsOf(prompts, {
  select: (db: Db) =>
    db
      .select({ ...getTableColumns(prompts), published: { id, model, virtualKey } })
      .from(prompts)
      .innerJoin(promptVersions, isPublished)
      .$dynamic(),
  filters: {
    ...searchFilter(prompts),
    collectionId: (wanted: string) => eq(prompts.collectionId, wanted),
    /** Only prompts of which a version carries this label. */
    labelId: (wanted: string) =>
      exists(
        sql`(select from ${promptLabels} where ${promptLabels.promptId} = ${prompts.id} and ${promptLabels.labelId} = ${wanted})`,
      ),
  },
})

export type VersionLabel = Pick<Label, 'id' | 'name'>

/** The labels of some versions of a prompt, by number, the one that was put on last first. */
export const findVersionLabels = async (
  db: Db,
  promptId: string,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, readonly VersionLabel[]>> => {
  if (numbers.length === 0) return new Map()
  const rows = await db
    .select({ number: promptLabels.number, id: labels.id, name: labels.name })
    .from(promptLabels)
    .innerJoin(labels, eq(labels.id, promptLabels.labelId))
    .where(and(eq(promptLabels.promptId, promptId), inArray(promptLabels.number, [...numbers])))
    .orderBy(sql`${promptLabels.setAt} desc`, asc(labels.name))
  const byNumber = new Map<number, VersionLabel[]>()
  for (const { number, ...label } of rows) byNumber.set(number, [...(byNumber.get(number) ?? []), label])
  return byNumber
}

/** Number of the version that carries a label, by the label's name. */
export const findLabelledVersion = async (db: Db, promptId: string, name: string): Promise<number | undefined> => {
  const [row] = await db
    .select({ number: promptLabels.number })
    .from(promptLabels)
    .innerJoin(labels, eq(labels.id, promptLabels.labelId))
    .where(and(eq(promptLabels.promptId, promptId), eq(labels.name, name)))
  return row?.number
}

export interface VersionOfPrompt {
  readonly promptId: string
  readonly number: number
}

/**
 * Puts a label on a version, and so takes it off the one that had it.
 * @throws QueryFailed for a label that is gone: `isForeignKeyViolation(error)`
 */
export const setVersionLabel = async (
  db: Db,
  { promptId, number }: VersionOfPrompt,
  labelId: string,
): Promise<void> => {
  await db
    .insert(promptLabels)
    .values({ promptId, labelId, number })
    .onConflictDoUpdate({
      target: [promptLabels.promptId, promptLabels.labelId],
      set: { number, setAt: sql`now()` },
    })
}

/** Takes all of its labels off a version. */
export const clearVersionLabels = async (db: Db, { promptId, number }: VersionOfPrompt): Promise<void> => {
  await db.delete(promptLabels).where(and(eq(promptLabels.promptId, promptId), eq(promptLabels.number, number)))
}
