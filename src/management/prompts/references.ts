import { ManagementReference } from '../../errors/gateway-error.ts'
import { collectionRows, defaultCollection } from '../../store/objects/collections.ts'
import { type Label, labelRows } from '../../store/objects/labels.ts'
import { providerRows } from '../../store/objects/providers.ts'
import type { WorkspacePlace } from '../../store/objects/rows-of.ts'
import type { Db } from '../../store/types.ts'
import { invalidField } from '../invalid-field.ts'

/** What prompts refer to: it must be of the same workspace. */

/**
 * Id of the collection that a body names, or of the default one.
 * @throws ManagementReference
 */
export const reachCollectionId = async (
  db: Db,
  owner: WorkspacePlace,
  reference: string | undefined,
): Promise<string> => {
  const found =
    reference === undefined
      ? await defaultCollection(db, owner)
      : await collectionRows.find(db, { ...owner, reference })
  if (found === undefined) throw unknownCollection(reference)
  return found.id
}

export const unknownCollection = (reference: string | undefined, cause?: unknown): ManagementReference =>
  new ManagementReference(`There is no collection '${reference ?? 'default'}' in the workspace.`, {
    param: 'collection_id',
    cause,
  })

/** @param param the field that names the label. @throws ManagementReference */
export const reachNamedLabel = async (
  db: Db,
  workspaceId: string,
  reference: string,
  param: string,
): Promise<Label> => {
  const found = await labelRows.find(db, { workspaceId, reference })
  if (found === undefined) throw unknownLabel(reference, param)
  return found
}

export const unknownLabel = (reference: string, param: string, cause?: unknown): ManagementReference =>
  new ManagementReference(`There is no label '${reference}' in the workspace.`, { param, cause })

/**
 * Slug of the provider that a body names by slug, `@slug` or id.
 * @throws ManagementInvalid when the workspace has none
 */
export const reachProviderSlug = async (db: Db, workspaceId: string, virtualKey: string): Promise<string> => {
  const found = await providerRows.find(db, { workspaceId, reference: virtualKey.replace(/^@/, '') })
  if (found === undefined) throw invalidField('virtual_key', 'is no provider of the workspace')
  return found.slug
}
