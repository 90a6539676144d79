import { type Static, type TSchema, Type as t } from '@sinclair/typebox'
import { DateTime, Description, Reference, Uuid } from '../fields.ts'
import { listOf, pageQuery } from '../list.ts'

/** Bodies, queries and answers of labels (interface contract, section 8; behaviours, section 3.2). */

const nullable = <Schema extends TSchema>(schema: Schema) => t.Union([schema, t.Null()])

const LabelName = t.String({
  pattern: '^[a-zA-Z0-9_-]+$',
  minLength: 1,
  maxLength: 255,
  description: 'Letters, digits, `_` and `-`. Not `latest` or `default`, and not of digits alone.',
})
const Color = t.String({ maxLength: 32 })

const WorkspaceReference = t.Optional({
  ...Reference,
  description: 'Id or slug. Absent: the own one, or the default one of the organisation.',
})

export const WorkspaceQuery = t.Object({ workspace_id: WorkspaceReference })

export const LabelsQuery = t.Object({
  ...pageQuery(100, 1000),
  workspace_id: WorkspaceReference,
  search: t.Optional(t.String({ minLength: 1, maxLength: 255, description: 'A part of the name, in either case.' })),
})

export const NewLabel = t.Object({
  name: LabelName,
  description: t.Optional(nullable(Description)),
  color_code: t.Optional(nullable(Color)),
  is_universal: t.Optional(t.Literal(false, { description: 'Only the labels that every workspace has are.' })),
  workspace_id: WorkspaceReference,
  organisation_id: t.Optional({ ...Uuid, description: 'The organisation of the caller, if given at all.' }),
})
export type NewLabelBody = Static<typeof NewLabel>

export const LabelChange = t.Object(
  {
    name: t.Optional(LabelName),
    description: t.Optional(nullable(Description)),
    color_code: t.Optional(nullable(Color)),
  },
  { minProperties: 1 },
)
export type LabelChangeBody = Static<typeof LabelChange>

export const LabelDetail = t.Object({
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

export const LabelList = listOf(LabelDetail)
export const LabelReceipt = t.Object({ id: Uuid })
