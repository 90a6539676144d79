import { and, asc, eq, or, sql } from 'drizzle-orm'
import { byReference, contains, countRows, newId, only, type Page, type Paged, preferId } from './rows.ts'
import { collections } from './schema/collections.ts'
import { prompts } from './schema/prompts.ts'
import type { Db } from './types.ts'
import type { Workspace } from './workspaces.ts'

export type Collection = Readonly<typeof collections.$inferSelect>
export type NewCollection = Pick<Collection, 'organisationId' | 'workspaceId' | 'slug' | 'name' | 'parentCollectionId'>

/** Where collections are looked for. */
export type CollectionOwner = Pick<Workspace, 'id' | 'organisationId'>

/** Constraint that a second collection of the same slug breaks, for `isUniqueViolation`. */
export const COLLECTION_SLUG_TAKEN = 'collections_workspace_slug'

/** Slug of the collection that every workspace has. Those of other collections end in a random suffix. */
export const DEFAULT_COLLECTION_SLUG = 'default'

/** The collection of prompts that name none. Every workspace has it: it is made when it is first asked for. */
export const defaultCollection = async (db: Db, { id: workspaceId, organisationId }: CollectionOwner) => {
  const find = (): Promise<readonly Collection[]> =>
    db
      .select()
      .from(collections)
      .where(and(eq(collections.workspaceId, workspaceId), eq(collections.isDefault, true)))
  const [found] = await find()
  if (found !== undefined) return found
  const row = { id: newId(), organisationId, workspaceId, slug: DEFAULT_COLLECTION_SLUG, name: 'Default' }
  await db
    .insert(collections)
    .values({ ...row, isDefault: true })
    .onConflictDoNothing()
  // Read again, as it may be the one that somebody else made at the same time.
  return only(await find())
}

/** @throws QueryFailed for a slug that the workspace has already: `isUniqueViolation(error, COLLECTION_SLUG_TAKEN)` */
export const createCollection = async (db: Db, row: NewCollection): Promise<Collection> =>
  only(
    await db
      .insert(collections)
      .values({ id: newId(), ...row })
      .returning(),
  )

/**
 * A collection of the workspace, the default one also when nobody has asked for it before.
 * @param reference id or slug
 * @param lock `change`: until the end of the transaction nobody else may change it, or put something into it
 */
export const findCollection = async (
  db: Db,
  owner: CollectionOwner,
  reference: string,
  lock?: 'change',
): Promise<Collection | undefined> => {
  if (reference === DEFAULT_COLLECTION_SLUG) await defaultCollection(db, owner)
  const query = db
    .select()
    .from(collections)
    .where(and(eq(collections.workspaceId, owner.id), byReference(collections, reference)))
  return preferId(await (lock === undefined ? query : query.for('update')), reference)
}

export interface CollectionFilter {
  readonly workspaceId: string
  /** A part of the name or the slug, in either case. */
  readonly search?: string
}

/** By time of creation, the oldest first. */
export const listCollections = async (
  db: Db,
  { workspaceId, search }: CollectionFilter,
  page: Page,
): Promise<Paged<Collection>> => {
  const where = and(
    eq(collections.workspaceId, workspaceId),
    search === undefined ? undefined : or(contains(collections.name, search), contains(collections.slug, search)),
  )
  const rows = await db
    .select()
    .from(collections)
    .where(where)
    .orderBy(asc(collections.createdAt), asc(collections.id))
    .limit(page.limit)
    .offset(page.offset)
  return { rows, total: await countRows(db, collections, where) }
}

/** The collection must have been found with the lock `change`. */
export const renameCollection = async (transaction: Db, id: string, name: string): Promise<Collection> =>
  only(
    await transaction
      .update(collections)
      .set({ name, lastUpdatedAt: sql`now()` })
      .where(eq(collections.id, id))
      .returning(),
  )

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

/** Deletes an empty collection. */
export const deleteCollection = async (db: Db, id: string): Promise<void> => {
  await db.delete(collections).where(eq(collections.id, id))
}
