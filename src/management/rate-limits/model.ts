import { type Static, Type as t } from '@sinclair/typebox'
import type { RateLimitPolicy } from '../../store/objects/rate-limit-policies.ts'
import { DateTime, nullable, OrganisationReference, Reference, searchIn, Uuid } from '../fields.ts'
import { pageQuery } from '../list.ts'
import { answerOf } from '../resource/answer.ts'

/** Bodies, queries and answers of rate limits policies (specification, sections 2.1 and 4.1). */

const Type = t.Union([t.Literal('requests'), t.Literal('tokens')])
const Unit = t.Union([t.Literal('rpm'), t.Literal('rph'), t.Literal('rpd'), t.Literal('rpw')])
const Target = t.Union([t.Literal('llm'), t.Literal('mcp_tools')])
const Status = t.Union([t.Literal('active'), t.Literal('archived')])
const OnStoreFailure = t.Union([t.Literal('local'), t.Literal('open'), t.Literal('closed')])
const Reservation = t.Union([t.Literal('max'), t.Literal('bounded'), t.Literal('input'), t.Literal('post')])
const Mode = t.Union([t.Literal('enforce'), t.Literal('shadow')])

const Text = t.String({ minLength: 1, maxLength: 255 })
const Values = t.Union([Text, t.Array(Text, { minItems: 1, maxItems: 100 })])

const Condition = t.Object({
  key: Text,
  value: { ...Values, description: 'Any one of these. The single text `*`: any value that is there.' },
  excludes: t.Optional({ ...Values, description: 'None of these. Looked at first.' }),
})
const Conditions = t.Array(Condition, { minItems: 1, maxItems: 100, description: 'All must hold.' })
const GroupBy = t.Array(t.Object({ key: Text }), {
  minItems: 1,
  maxItems: 20,
  description: 'Calls with the same values of all these keys share one window. Only `mcp_tools` may leave it out.',
})
const Value = t.Integer({ minimum: 1, maximum: 1_000_000_000_000, description: 'Requests or tokens in any window.' })
const PolicyName = t.String({ maxLength: 255 })
const PolicyDescription = t.String({ maxLength: 500 })

export const PolicyQuery = t.Object({
  workspace_id: t.Optional({ ...Reference, description: 'Id or slug. Absent: the own one, or the default one.' }),
  status: t.Optional({ ...Status, default: 'active' as const }),
  type: t.Optional(Type),
  unit: t.Optional(Unit),
  target: t.Optional(Target),
  search: searchIn('name'),
  current_page: pageQuery(50, 1000).current_page,
  page_size: t.Integer({
    minimum: 0,
    maximum: 1000,
    default: 50,
    description: 'Rows of a page. With 0 there are none, and `total` alone is of interest.',
  }),
})

export const OneQuery = t.Object({
  status: t.Optional({ ...Status, default: 'active' as const }),
  workspace_id: t.Optional({ ...Reference, description: 'Id or slug: the policy must belong to it.' }),
})

export const NewPolicy = t.Object({
  conditions: Conditions,
  group_by: t.Optional(GroupBy),
  type: Type,
  unit: Unit,
  value: Value,
  name: t.Optional(nullable(PolicyName)),
  description: t.Optional(nullable(PolicyDescription)),
  target: t.Optional({ ...Target, default: 'llm' as const }),
  workspace_id: t.Optional({ ...Reference, description: 'Id or slug. Absent: the own one, or the default one.' }),
  organisation_id: OrganisationReference,
  on_store_failure: t.Optional({
    ...OnStoreFailure,
    default: 'local' as const,
    description: 'While the shared counts are away: count in each process, let calls through, or refuse them.',
  }),
  reservation: t.Optional({
    ...Reservation,
    default: 'bounded' as const,
    description: 'How many tokens are held back before a call.',
  }),
  mode: t.Optional({
    ...Mode,
    default: 'enforce' as const,
    description: '`shadow`: counted and reported, never refuses.',
  }),
})
export type NewPolicyBody = Static<typeof NewPolicy>

/** What makes a policy the one it is: windows of before and after would not compare. */
export const FIXED_FIELDS = ['type', 'target', 'group_by', 'workspace_id', 'organisation_id'] as const

const Fixed = t.Optional(t.Unknown({ description: 'Always refused: it cannot be changed.' }))

export const PolicyChange = t.Object(
  {
    name: t.Optional(nullable(PolicyName)),
    description: t.Optional(nullable(PolicyDescription)),
    unit: t.Optional(Unit),
    value: t.Optional(Value),
    conditions: t.Optional(Conditions),
    status: t.Optional({ ...Status, description: '`active` restores an archived policy, `archived` archives one.' }),
    on_store_failure: t.Optional(OnStoreFailure),
    reservation: t.Optional(Reservation),
    mode: t.Optional(Mode),
    type: Fixed,
    target: Fixed,
    group_by: Fixed,
    workspace_id: Fixed,
    organisation_id: Fixed,
  },
  { minProperties: 1 },
)
export type PolicyChangeBody = Static<typeof PolicyChange>

export const PolicyReceipt = t.Object({ id: Uuid, object: t.Literal('policy_rate_limits') })

const policy = {
  id: Uuid,
  name: nullable(t.String()),
  description: nullable(t.String()),
  conditions: t.Array(Condition),
  group_by: t.Array(t.Object({ key: t.String() })),
  type: Type,
  unit: Unit,
  value: t.Integer(),
  target: Target,
  status: Status,
  on_store_failure: OnStoreFailure,
  reservation: Reservation,
  mode: Mode,
  workspace_id: Uuid,
  organisation_id: Uuid,
  created_at: DateTime,
  last_updated_at: DateTime,
}
const made = { group_by: ({ groupBy }: RateLimitPolicy) => groupBy.map((key) => ({ key })) }

/** A policy in a list, and in the audit log. */
export const listedPolicy = answerOf<RateLimitPolicy>()(policy, made)
export const policyAnswer = answerOf<RateLimitPolicy>()({ ...policy, object: t.Literal('policy_rate_limits') }, made)
