import { type Static, Type as t } from '@sinclair/typebox'
import type { Label } from '../../store/objects/labels.ts'
import {
  DateTime,
  Description,
  nullable,
  OrganisationReference,
  searchIn,
  Uuid,
  WorkspaceReference,
} from '../fields.ts'
import { pageQuery } from '../list.ts'
import { answerOf } from '../resource/answer.ts'

/** Bodies, queries and answers of labels (interface contract, section 8; behaviours, section 3.2). */

const LabelName = t.String({
  pattern: '^[a-zA-Z0-9_-]+$',
  minLength: 1,
  maxLength: 255,
  description: 'Letters, digits, `_` and `-`. Not `latest` or `default`, and not of digits alone.',
})

const texts = {
  description: t.Optional(nullable(Description)),
  color_code: t.Optional(nullable(t.String({ maxLength: 32 }))),
}

export const LabelsQuery = t.Object({
  ...pageQuery(100, 1000),
  workspace_id: WorkspaceReference,
  search: searchIn('name'),
})

export const NewLabel = t.Object({
  name: LabelName,
  ...texts,
  is_universal: t.Optional(t.Literal(false, { description: 'Only the labels that every workspace has are.' })),
  workspace_id: WorkspaceReference,
  organisation_id: OrganisationReference,
})

export type NewLabelBody = Static<typeof NewLabel>

export const LabelChange = t.Object({ name: t.Optional(LabelName), ...texts }, { minProperties: 1 })

export const LabelReceipt = t.Object({ id: Uuid })

export const labelAnswer = answerOf<Label>()({
  id: Uuid,
  name: t.String(),
  description: nullable(t.String()),
  color_code: nullable(t.String()),
  is_universal: t.Boolean({ description: 'Every workspace has it; it can neither be renamed nor deleted.' }),
  status: t.Literal('active'),
  organisation_id: Uuid,
  workspace_id: Uuid,
  created_at: DateTime,
  last_updated_at: DateTime,
  object: t.Literal('label'),
})
