import { ManagementConflict, ManagementNotFound, ManagementReference } from '../../errors/gateway-error.ts'
import { isForeignKeyViolation } from '../../store/errors.ts'
import {
  COLLECTION_SLUG_TAKEN,
  type Collection,
  type CollectionContent,
  collectionRows,
  countCollectionContent,
  defaultCollection,
} from '../../store/objects/collections.ts'
import type { WorkspacePlace } from '../../store/objects/rows-of.ts'
import type { Db } from '../../store/types.ts'
import { WorkspaceQuery } from '../fields.ts'
import { inWorkspace } from '../resource/reach.ts'
import { entryOf, resource, scopesIn } from '../resource/resource.ts'
import { refuseTaken } from '../resource/taken.ts'
import type { AnyRoute } from '../route.ts'
import { toSlug } from '../slug.ts'
import {
  CollectionChange,
  CollectionQuery,
  CollectionReceipt,
  collectionAnswer,
  NewCollection,
  type NewCollectionBody,
} from './model.ts'

export interface CollectionsDeps {
  /** Version 4 UUID. */
  readonly randomId: () => string
}

export const collectionEntry = entryOf('collections', 'collection')

const reach = inWorkspace(collectionRows, 'collection')
const collections = resource({
  ...reach,
  // Who lists them looks for one to put a prompt into: a new workspace has one too.
  async list(call, page) {
    await defaultCollection(call.db, await reach.place(call))
    return reach.list(call, page)
  },
  tag: 'Collections',
  path: '/collections/:collectionId',
  scopes: scopesIn('prompts'),
  entry: collectionEntry,
  answer: collectionAnswer,
  query: WorkspaceQuery,
})

/** Folders for the prompts of a workspace (interface contract, section 8). They have the scopes of prompts. */
export const collectionsRoutes = ({ randomId }: CollectionsDeps): readonly AnyRoute[] => [
  collections.list({ summary: 'List the collections of a workspace', query: CollectionQuery }),
  collections.create({
    summary: 'Create a collection',
    body: NewCollection,
    response: CollectionReceipt,
    run: ({ db, body }, place) => createCollection(db, place, body, randomId),
    receipt: ({ id, slug }) => ({ id, slug }),
  }),
  collections.read({ summary: 'Show a collection' }),
  collections.update({
    summary: 'Rename a collection; its slug stays',
    body: CollectionChange,
    run: async ({ db, body: { name } }, found) => (await collectionRows.update(db, { id: found.id, name })) ?? found,
  }),
  collections.delete({
    summary: 'Delete an empty collection; never the default one',
    async run({ db }, { id, slug, isDefault }) {
      if (isDefault) throw new ManagementNotFound('The default collection cannot be deleted.')
      const content = await countCollectionContent(db, id)
      if (content.prompts + content.collections > 0) {
        throw new ManagementConflict(`The collection '${slug}' is not empty: it holds ${describe(content)}.`)
      }
      await collectionRows.remove(db, id)
    },
  }),
]

/** @throws ManagementReference for a parent that does not exist; ManagementConflict */
export const createCollection = async (
  transaction: Db,
  owner: WorkspacePlace,
  { name, parent_collection_id: reference }: NewCollectionBody,
  randomId: () => string,
): Promise<Collection> => {
  const parent = reference === undefined ? undefined : await collectionRows.find(transaction, { ...owner, reference })
  if (reference !== undefined && parent === undefined) throw unknownParent(reference)
  const slug = toSlug(name, randomId, 'collection')
  const row = { ...owner, slug, name, parentCollectionId: parent?.id ?? null }
  const insert = () => collectionRows.insert(transaction, row)
  try {
    return await refuseTaken(
      COLLECTION_SLUG_TAKEN,
      'name',
      `There is a collection '${slug}' already: try again.`,
      insert,
    )
  } catch (thrown) {
    // Deleted since it was looked for.
    if (reference !== undefined && isForeignKeyViolation(thrown)) throw unknownParent(reference, thrown)
    throw thrown
  }
}

const unknownParent = (reference: string, cause?: unknown): ManagementReference =>
  new ManagementReference(`There is no collection '${reference}' in the workspace.`, {
    param: 'parent_collection_id',
    cause,
  })

const describe = ({ prompts, collections }: CollectionContent): string =>
  [counted(prompts, 'prompt'), counted(collections, 'collection')].filter((part) => part !== '').join(' and ')

const counted = (count: number, what: string): string =>
  count === 0 ? '' : `${count} ${what}${count === 1 ? '' : 's'}`
