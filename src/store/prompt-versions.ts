import { and, desc, eq } from 'drizzle-orm'
import { countRows, isUuid, newId, only, type Page, type Paged } from './rows.ts'
import { promptVersions } from './schema/prompts.ts'
import type { Db } from './types.ts'

export type PromptVersion = Readonly<typeof promptVersions.$inferSelect>

/** What a version says. */
export type PromptContent = Omit<PromptVersion, 'id' | 'promptId' | 'number' | 'ownerId' | 'createdAt'>

export interface NewPromptVersion {
  readonly promptId: string
  /** One above the newest; the prompt must have been found with the lock `change`, and gets this as its `version`. */
  readonly number: number
  readonly content: PromptContent
  /** Who makes it. */
  readonly by: string
}

export const addPromptVersion = async (
  transaction: Db,
  { promptId, number, content, by }: NewPromptVersion,
): Promise<PromptVersion> =>
  only(
    await transaction
      .insert(promptVersions)
      .values({ id: newId(), promptId, number, ...content, ownerId: by })
      .returning(),
  )

/** All versions of a prompt, the newest first. */
export const listPromptVersions = async (db: Db, promptId: string, page: Page): Promise<Paged<PromptVersion>> => {
  const where = eq(promptVersions.promptId, promptId)
  const rows = await db
    .select()
    .from(promptVersions)
    .where(where)
    .orderBy(desc(promptVersions.number))
    .limit(page.limit)
    .offset(page.offset)
  return { rows, total: await countRows(db, promptVersions, where) }
}

/** @param version its id or its number; undefined is returned for an id that is no UUID, too */
export const findPromptVersion = async (
  db: Db,
  promptId: string,
  version: string | number,
): Promise<PromptVersion | undefined> => {
  if (typeof version === 'string' && !isUuid(version)) return undefined
  const [row] = await db
    .select()
    .from(promptVersions)
    .where(
      and(
        eq(promptVersions.promptId, promptId),
        typeof version === 'number' ? eq(promptVersions.number, version) : eq(promptVersions.id, version),
      ),
    )
  return row
}
