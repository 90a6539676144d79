import { Type as t } from '@sinclair/typebox'
import type { PartialAt, PromptPartial } from '../../store/objects/prompt-partials.ts'
import { DateTime, nullable, Status, Uuid } from '../fields.ts'
import { answerOf } from '../resource/answer.ts'

/** Answers of prompt partials (interface contract, section 8). */

const object = t.Literal('partial')
const VersionStatus = { ...Status, description: '`active`: the published one.' }

const row = answerOf<PromptPartial>()(
  {
    id: Uuid,
    slug: t.String(),
    name: t.String(),
    organisation_id: Uuid,
    workspace_id: Uuid,
    status: Status,
    published_version: t.Integer({ minimum: 1 }),
    latest_version: t.Integer({ minimum: 1 }),
    owner_id: t.String({ description: 'User, key or subject of a token that made it.' }),
    updated_by: t.String(),
    created_at: DateTime,
    last_updated_at: DateTime,
    object,
  },
  { latest_version: ({ version }) => version },
)

/** A partial without what it says: a row of a list. */
export const partialRow = {
  schema: t.Object({ ...row.schema.properties, version: t.Integer({ description: 'The published one.' }) }),
  of: (partial: PromptPartial) => ({ ...row.of(partial), version: partial.publishedVersion }),
}

export const partialDetail = {
  schema: t.Object({
    ...row.schema.properties,
    string: t.String(),
    version: t.Integer(),
    version_description: nullable(t.String()),
    prompt_partial_version_id: Uuid,
    prompt_version_status: VersionStatus,
  }),
  of: (at: PartialAt) => ({
    ...row.of(at.object),
    string: at.version.template,
    version: at.version.number,
    version_description: at.version.description,
    prompt_partial_version_id: at.version.id,
    prompt_version_status: statusOf(at),
  }),
}

/** A version in a list of them. */
export const versionRow = {
  schema: t.Object({
    prompt_partial_id: Uuid,
    prompt_partial_version_id: Uuid,
    slug: t.String(),
    version: t.Integer(),
    string: t.String(),
    description: nullable(t.String()),
    prompt_version_status: VersionStatus,
    owner_id: t.String(),
    created_at: DateTime,
    object,
  }),
  of: (at: PartialAt) => ({
    prompt_partial_id: at.object.id,
    prompt_partial_version_id: at.version.id,
    slug: at.object.slug,
    version: at.version.number,
    string: at.version.template,
    description: at.version.description,
    prompt_version_status: statusOf(at),
    owner_id: at.version.ownerId,
    created_at: at.version.createdAt.toISOString(),
    object: 'partial' as const,
  }),
}

const statusOf = ({ object: { publishedVersion }, version: { number } }: PartialAt) =>
  number === publishedVersion ? ('active' as const) : ('archived' as const)

export const PartialReceipt = t.Object({ id: Uuid, slug: t.String(), version_id: Uuid })

export const ChangeReceipt = t.Object({
  id: Uuid,
  slug: t.String(),
  prompt_partial_version_id: { ...Uuid, description: 'Of the newest version, also when none was made.' },
})
