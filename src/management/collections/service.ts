import { ManagementConflict, ManagementNotFound, ManagementReference } from '../../errors/gateway-error.ts'
import {
  COLLECTION_SLUG_TAKEN,
  type Collection,
  type CollectionContent,
  type CollectionOwner,
  countCollectionContent,
  findCollection,
  createCollection as insertCollection,
  deleteCollection as removeCollection,
} from '../../store/collections.ts'
import { isForeignKeyViolation, isUniqueViolation } from '../../store/errors.ts'
import type { Db } from '../../store/types.ts'
import { toSlug } from '../slug.ts'
import type { NewCollectionBody } from './model.ts'

const PARENT_FIELD = 'parent_collection_id'

/** @throws ManagementNotFound */
export const reachCollection = async (
  db: Db,
  owner: CollectionOwner,
  reference: string,
  lock?: 'change',
): Promise<Collection> => {
  const found = await findCollection(db, owner, reference, lock)
  if (found === undefined) throw new ManagementNotFound(`There is no collection '${reference}' in the workspace.`)
  return found
}

/** @throws ManagementReference for a parent that does not exist; ManagementConflict */
export const createCollection = async (
  transaction: Db,
  owner: CollectionOwner,
  body: NewCollectionBody,
  randomId: () => string,
): Promise<Collection> => {
  const { parent_collection_id: reference } = body
  const parent = reference === undefined ? undefined : await findCollection(transaction, owner, reference)
  if (reference !== undefined && parent === undefined) throw unknownParent(reference)
  const slug = toSlug(body.name, randomId, 'collection')
  try {
    return await insertCollection(transaction, {
      organisationId: owner.organisationId,
      workspaceId: owner.id,
      slug,
      name: body.name,
      parentCollectionId: parent?.id ?? null,
    })
  } catch (thrown) {
    if (isUniqueViolation(thrown, COLLECTION_SLUG_TAKEN)) {
      throw new ManagementConflict(`There is a collection '${slug}' already: try again.`, {
        cause: thrown,
        param: 'name',
      })
    }
    // Deleted since it was looked for.
    if (reference !== undefined && isForeignKeyViolation(thrown)) throw unknownParent(reference, thrown)
    throw thrown
  }
}

const unknownParent = (reference: string, cause?: unknown): ManagementReference =>
  new ManagementReference(`There is no collection '${reference}' in the workspace.`, { param: PARENT_FIELD, cause })

/**
 * Deletes an empty collection, which must have been reached with the lock `change`.
 * @throws ManagementNotFound for the default one (interface contract, section 8); ManagementConflict
 */
export const deleteCollection = async (transaction: Db, collection: Collection): Promise<void> => {
  if (collection.isDefault) throw new ManagementNotFound('The default collection cannot be deleted.')
  const content = await countCollectionContent(transaction, collection.id)
  if (content.prompts + content.collections > 0) {
    throw new ManagementConflict(`The collection '${collection.slug}' is not empty: it holds ${describe(content)}.`)
  }
  await removeCollection(transaction, collection.id)
}

const describe = ({ prompts, collections }: CollectionContent): string =>
  [counted(prompts, 'prompt'), counted(collections, 'collection')].filter((part) => part !== '').join(' and ')

const counted = (count: number, what: string): string =>
  count === 0 ? '' : `${count} ${what}${count === 1 ? '' : 's'}`
