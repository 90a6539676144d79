import type { VersionLabel } from '../../store/prompt-labels.ts'
import type { ListedPrompt, Prompt, PromptAt } from '../../store/prompts.ts'
import { fromContent } from './content.ts'

/** A prompt without what it says. */
const toRow = (prompt: Prompt) => ({
  id: prompt.id,
  slug: prompt.slug,
  name: prompt.name,
  collection_id: prompt.collectionId,
  organisation_id: prompt.organisationId,
  workspace_id: prompt.workspaceId,
  status: prompt.status,
  published_version: prompt.publishedVersion,
  latest_version: prompt.version,
  owner_id: prompt.ownerId,
  updated_by: prompt.updatedBy,
  created_at: prompt.createdAt.toISOString(),
  last_updated_at: prompt.lastUpdatedAt.toISOString(),
  object: 'prompt' as const,
})

/** A row of a list, with its published version in short. */
export const toPromptRow = ({ published, ...prompt }: ListedPrompt) => ({
  ...toRow(prompt),
  prompt_version: prompt.publishedVersion,
  prompt_version_id: published.id,
  model: published.model,
  virtual_key: published.virtualKey,
})

/** @param labels of the version, the one that was put on last first */
export const toPromptDetail = ({ prompt, version }: PromptAt, labels: readonly VersionLabel[]) => {
  const { version_description, ...content } = fromContent(version)
  return {
    ...toRow(prompt),
    prompt_version: version.number,
    prompt_version_id: version.id,
    prompt_version_status: version.number === prompt.publishedVersion ? ('active' as const) : ('archived' as const),
    prompt_version_description: version_description,
    prompt_version_label_id: labels[0]?.id ?? null,
    prompt_version_labels: labels,
    prompt_version_owner_id: version.ownerId,
    prompt_version_created_at: version.createdAt.toISOString(),
    ...content,
  }
}

export const toChangeReceipt = ({ prompt, version }: PromptAt) => ({
  id: prompt.id,
  slug: prompt.slug,
  prompt_version_id: version.id,
  object: 'prompt' as const,
})

/** What the audit log keeps: versions never change, so naming one is enough. */
export const toAuditRecord = ({ prompt, version }: PromptAt, labels?: readonly VersionLabel[]) => ({
  ...toRow(prompt),
  prompt_version: version.number,
  prompt_version_id: version.id,
  ...(labels === undefined ? {} : { labels: labels.map(({ name }) => name) }),
})
