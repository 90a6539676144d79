import { and, eq, exists, getTableColumns, sql } from 'drizzle-orm'
import { rowsOf } from './rows-of.ts'
import { promptLabels, prompts, promptVersions } from './schema/prompts.ts'
import type { Db } from './types.ts'
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
