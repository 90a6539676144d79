import type { Collection } from '../../store/collections.ts'

/** A collection as the interface shows it. */
export const toCollectionDetail = (collection: Collection) => ({
  id: collection.id,
  name: collection.name,
  slug: collection.slug,
  organisation_id: collection.organisationId,
  workspace_id: collection.workspaceId,
  parent_collection_id: collection.parentCollectionId,
  is_default: collection.isDefault ? 1 : 0,
  status: 'active' as const,
  created_at: collection.createdAt.toISOString(),
  last_updated_at: collection.lastUpdatedAt.toISOString(),
  object: 'collection' as const,
})
