import { and, asc, eq, sql } from 'drizzle-orm'
import { promptPartials, promptPartialVersions } from '../schema/prompt-partials.ts'
import { prompts, promptVersions } from '../schema/prompts.ts'
import type { Db } from '../types.ts'
import { type At, versionedRowsOf } from './versioned-rows.ts'

export type PromptPartial = Readonly<typeof promptPartials.$inferSelect>
export type PromptPartialVersion = Readonly<typeof promptPartialVersions.$inferSelect>
export type PartialAt = At<PromptPartial, PromptPartialVersion>

/** What a new version says. */
export type PartialContent = Pick<PromptPartialVersion, 'template' | 'description'>

/** Constraint that a second partial of the same slug breaks, for `isUniqueViolation`. */
export const PARTIAL_SLUG_TAKEN = 'prompt_partials_workspace_slug'

export const partialRows = versionedRowsOf(promptPartials, promptPartialVersions, 'partialId')

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
