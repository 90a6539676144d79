import { type Static, Type as t } from '@sinclair/typebox'
import type { Collection } from '../../store/objects/collections.ts'
import { DateTime, Name, nullable, Reference, searchIn, Uuid, WorkspaceReference } from '../fields.ts'
import { pageQuery } from '../list.ts'
import { answerOf } from '../resource/answer.ts'

/** Bodies, queries and answers of collections (interface contract, section 8). */

export const CollectionQuery = t.Object({
  ...pageQuery(100, 1000),
  workspace_id: WorkspaceReference,
  search: searchIn('name or the slug'),
})

export const NewCollection = t.Object({
  name: Name,
  workspace_id: WorkspaceReference,
  parent_collection_id: t.Optional({
    ...Reference,
    description: 'Id or slug of the collection that it stands in. Absent: none.',
  }),
})
export type NewCollectionBody = Static<typeof NewCollection>

export const CollectionChange = t.Object({ name: Name, workspace_id: WorkspaceReference })

export const CollectionReceipt = t.Object({ id: Uuid, slug: t.String() })

export const collectionAnswer = answerOf<Collection>()(
  {
    id: Uuid,
    name: t.String(),
    slug: t.String(),
    organisation_id: Uuid,
    workspace_id: Uuid,
    parent_collection_id: nullable(Uuid),
    is_default: t.Union([t.Literal(0), t.Literal(1)], { description: '1: the one that every workspace has.' }),
    status: t.Literal('active'),
    created_at: DateTime,
    last_updated_at: DateTime,
    object: t.Literal('collection'),
  },
  { is_default: ({ isDefault }) => (isDefault ? 1 : 0) },
)
