import { and, eq, or } from 'drizzle-orm'
import { collections } from '../schema/collections.ts'
import { prompts } from '../schema/prompts.ts'
import type { Db } from '../types.ts'
import { contains, countRows, newId, only } from './rows.ts'
import { rowsOf, type WorkspacePlace } from './rows-of.ts'

export type Collection = Readonly<typeof collections.$inferSelect>

/** Constraint that a second collection of the same slug breaks, for `isUniqueViolation`. */
export const COLLECTION_SLUG_TAKEN = 'collections_workspace_slug'

/** Slug of the collection that every workspace has. Those of other collections end in a random suffix. */
const DEFAULT_COLLECTION_SLUG = 'default'

/** The collection of prompts that name none. Every workspace has it: it is made when it is first asked for. */
export const defaultCollection = async (db: Db, owner: WorkspacePlace): Promise<Collection> => {
  const find = (): Promise<readonly Collection[]> =>
    db
      .select()
      .from(collections)
      .where(and(eq(collections.workspaceId, owner.workspaceId), eq(collections.isDefault, true)))
  const [found] = await find()
  if (found !== undefined) return found
  const { organisationId, workspaceId } = owner
  await db
    .insert(collections)
    .values({
      id: newId(),
      organisationId,
      workspaceId,
      slug: DEFAULT_COLLECTION_SLUG,
      name: 'Default',
      isDefault: true,
    })
    .onConflictDoNothing()
  // Read again, as it may be the one that somebody else made at the same time.
  return only(await find())
}

const stored = rowsOf(collections, {
  reference: collections.slug,
  filters: { search: (part: string) => or(contains(collections.name, part), contains(collections.slug, part)) },
})

/** The default one is there also when nobody has asked for it before. */
export const collectionRows = {
  ...stored,
  find: async (db: Db, wanted: WorkspacePlace & { readonly reference: string }, lock?: 'change') => {
    if (wanted.reference === DEFAULT_COLLECTION_SLUG) await defaultCollection(db, wanted)
    return stored.find(db, wanted, lock)
  },
}

/** What a collection holds; archived prompts count too. */
export interface CollectionContent {
  readonly prompts: number
  readonly collections: number
}

/** The collection must have been found with the lock `change`, so that what was counted stays so. */
export const countCollectionContent = async (transaction: Db, id: string): Promise<CollectionContent> => ({
  prompts: await countRows(transaction, prompts, eq(prompts.collectionId, id)),
  collections: await countRows(transaction, collections, eq(collections.parentCollectionId, id)),
})
