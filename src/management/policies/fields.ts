import { Type as t } from '@sinclair/typebox'
import { DateTime, nullable, OrganisationReference, Reference, Status, searchIn, Uuid } from '../fields.ts'
import { pageQuery } from '../list.ts'

/** Fields that policies of all kinds share (interface contract, section 4.1). */

const Text = t.String({ minLength: 1, maxLength: 255 })
const Values = t.Union([Text, t.Array(Text, { minItems: 1, maxItems: 100 })])

export const Condition = t.Object({
  key: Text,
  value: { ...Values, description: 'Any one of these. The single text `*`: any value that is there.' },
  excludes: t.Optional({ ...Values, description: 'None of these. Looked at first.' }),
})
export const Conditions = t.Array(Condition, { minItems: 1, maxItems: 100, description: 'All must hold.' })

export const groupBy = (description: string) =>
  t.Array(t.Object({ key: Text }), { minItems: 1, maxItems: 20, description })

export const PolicyName = t.String({ maxLength: 255 })
export const PolicyDescription = t.String({ maxLength: 500 })
export const Mode = t.Union([t.Literal('enforce'), t.Literal('shadow')])
export const NewMode = t.Optional({
  ...Mode,
  default: 'enforce' as const,
  description: '`shadow`: counted and reported, never refuses.',
})
export const ChangedStatus = t.Optional({
  ...Status,
  description: '`active` restores an archived policy, `archived` archives one.',
})
/** A field of a change that may not be changed. */
export const Fixed = t.Optional(t.Unknown({ description: 'Always refused: it cannot be changed.' }))

const AskedStatus = t.Optional({ ...Status, default: 'active' as const })

/** Which policies a list has, whatever they limit. */
export const listQuery = {
  workspace_id: t.Optional({ ...Reference, description: 'Id or slug. Absent: the own one, or the default one.' }),
  status: AskedStatus,
  search: searchIn('name'),
  current_page: pageQuery(50, 1000).current_page,
  page_size: t.Integer({
    minimum: 0,
    maximum: 1000,
    default: 50,
    description: 'Rows of a page. With 0 there are none, and `total` alone is of interest.',
  }),
}

export const oneQuery = {
  status: AskedStatus,
  workspace_id: t.Optional({ ...Reference, description: 'Id or slug: the policy must belong to it.' }),
}

/** How a policy is shown that a change restores. */
export const archived = () => [{ query: { status: 'archived' } }] as const

/** What every new policy may say. */
export const newFields = {
  name: t.Optional(nullable(PolicyName)),
  description: t.Optional(nullable(PolicyDescription)),
  workspace_id: t.Optional({ ...Reference, description: 'Id or slug. Absent: the own one, or the default one.' }),
  organisation_id: OrganisationReference,
}

/** What is shown of every policy, around what it limits. */
export const shownFirst = {
  id: Uuid,
  name: nullable(t.String()),
  description: nullable(t.String()),
  conditions: t.Array(Condition),
  group_by: t.Array(t.Object({ key: t.String() })),
}
export const shownLast = {
  workspace_id: Uuid,
  organisation_id: Uuid,
  created_at: DateTime,
  last_updated_at: DateTime,
}
