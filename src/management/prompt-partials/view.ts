import type { PartialAtVersion, PromptPartial, PromptPartialVersion } from '../../store/prompt-partials.ts'

const toRow = (partial: PromptPartial) => ({
  id: partial.id,
  slug: partial.slug,
  name: partial.name,
  organisation_id: partial.organisationId,
  workspace_id: partial.workspaceId,
  status: partial.status,
  published_version: partial.publishedVersion,
  latest_version: partial.version,
  owner_id: partial.ownerId,
  updated_by: partial.updatedBy,
  created_at: partial.createdAt.toISOString(),
  last_updated_at: partial.lastUpdatedAt.toISOString(),
  object: 'partial' as const,
})

/** A partial without what it says: a row of a list. */
export const toPartialRow = (partial: PromptPartial) => ({ ...toRow(partial), version: partial.publishedVersion })

export const toPartialDetail = ({ partial, version }: PartialAtVersion) => ({
  ...toRow(partial),
  string: version.template,
  version: version.number,
  version_description: version.description,
  prompt_partial_version_id: version.id,
  prompt_version_status: statusOf(partial, version),
})

/** A version in a list of them. */
export const toVersionRow = (partial: PromptPartial, version: PromptPartialVersion) => ({
  prompt_partial_id: partial.id,
  prompt_partial_version_id: version.id,
  slug: partial.slug,
  version: version.number,
  string: version.template,
  description: version.description,
  prompt_version_status: statusOf(partial, version),
  owner_id: version.ownerId,
  created_at: version.createdAt.toISOString(),
  object: 'partial' as const,
})

const statusOf = ({ publishedVersion }: PromptPartial, { number }: PromptPartialVersion) =>
  number === publishedVersion ? ('active' as const) : ('archived' as const)
