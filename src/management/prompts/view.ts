import { Type as t } from '@sinclair/typebox'
import type { ListedPrompt, Prompt, PromptAt, VersionLabel } from '../../store/objects/prompts.ts'
import { DateTime, nullable, Status, Uuid } from '../fields.ts'
import { answerOf } from '../resource/answer.ts'
import { fromContent } from './content.ts'
import { Json, Tools } from './model.ts'

/** Answers of prompts (interface contract, section 8). */

const object = t.Literal('prompt')

/** A prompt without what it says. */
const row = answerOf<Prompt>()(
  {
    id: Uuid,
    slug: t.String(),
    name: t.String(),
    collection_id: Uuid,
    organisation_id: Uuid,
    workspace_id: Uuid,
    status: Status,
    published_version: t.Integer({ description: 'Number of the version of calls that name none.' }),
    latest_version: t.Integer({ description: 'Number of the newest version.' }),
    owner_id: t.String({ description: 'User, key or subject of a token that made it.' }),
    updated_by: t.String(),
    created_at: DateTime,
    last_updated_at: DateTime,
    object,
  },
  { latest_version: ({ version }) => version },
)

const version = {
  prompt_version: t.Integer(),
  prompt_version_id: Uuid,
  model: nullable(t.String()),
  virtual_key: nullable(t.String()),
}

/** A row of a list, with its published version in short. */
export const promptRow = {
  schema: t.Object({ ...row.schema.properties, ...version }),
  of: ({ published, ...prompt }: ListedPrompt) => ({
    ...row.of(prompt),
    prompt_version: prompt.publishedVersion,
    prompt_version_id: published.id,
    model: published.model,
    virtual_key: published.virtualKey,
  }),
}

export const PromptDetail = t.Object({
  ...row.schema.properties,
  ...version,
  prompt_version_status: { ...Status, description: '`active`: the published one.' },
  prompt_version_description: nullable(t.String()),
  prompt_version_label_id: nullable({ ...Uuid, description: 'Of its labels the one that was put on last.' }),
  prompt_version_labels: t.Array(t.Object({ id: Uuid, name: t.String() })),
  prompt_version_owner_id: t.String(),
  prompt_version_created_at: DateTime,
  string: t.String(),
  parameters: Json,
  functions: nullable(Tools),
  tools: nullable(Tools),
  tool_choice: nullable(t.Union([t.String(), Json])),
  template_metadata: nullable(Json),
  is_raw_template: t.Union([t.Literal(0), t.Literal(1)]),
  variables_schema: nullable(Json),
  strict: t.Boolean(),
})

/** @param labels of the version, the one that was put on last first */
export const toPromptDetail = ({ object: prompt, version }: PromptAt, labels: readonly VersionLabel[]) => {
  const { version_description, ...content } = fromContent(version)
  return {
    ...row.of(prompt),
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

export const PromptReceipt = t.Object({ id: Uuid, slug: t.String(), version_id: Uuid, object })
export const ChangeReceipt = t.Object({ id: Uuid, slug: t.String(), prompt_version_id: Uuid, object })

export const toChangeReceipt = ({ object: { id, slug }, version }: PromptAt) => ({
  id,
  slug,
  prompt_version_id: version.id,
  object: 'prompt' as const,
})

/** What the audit log keeps: versions never change, so naming one is enough. */
export const toAuditRecord = ({ object: prompt, version }: PromptAt) => ({
  ...row.of(prompt),
  prompt_version: version.number,
  prompt_version_id: version.id,
})
