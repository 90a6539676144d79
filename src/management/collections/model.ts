import { type Static, Type as t } from '@sinclair/typebox'
import { DateTime, Name, Reference, Uuid } from '../fields.ts'
import { listOf, pageQuery } from '../list.ts'

/** Bodies, queries and answers of collections (interface contract, section 8). */

const WorkspaceReference = t.Optional({
  ...Reference,
  description: 'Id or slug. Absent: the own one, or the default one of the organisation.',
})

export const WorkspaceQuery = t.Object({ workspace_id: WorkspaceReference })

export const CollectionQuery = t.Object({
  ...pageQuery(100, 1000),
  workspace_id: WorkspaceReference,
  search: t.Optional(
    t.String({ minLength: 1, maxLength: 255, description: 'A part of the name or the slug, in either case.' }),
  ),
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

const row = {
  id: Uuid,
  name: t.String(),
  slug: t.String(),
  organisation_id: Uuid,
  workspace_id: Uuid,
  parent_collection_id: t.Union([Uuid, t.Null()]),
  is_default: t.Union([t.Literal(0), t.Literal(1)], { description: '1: the one that every workspace has.' }),
  status: t.Literal('active'),
  created_at: DateTime,
  last_updated_at: DateTime,
  object: t.Literal('collection'),
}

export const CollectionDetail = t.Object(row)
export const CollectionList = listOf(CollectionDetail)
export const CollectionReceipt = t.Object({ id: Uuid, slug: t.String() })
