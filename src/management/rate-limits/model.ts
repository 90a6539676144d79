import { type Static, Type as t } from '@sinclair/typebox'
import type { RateLimitPolicy } from '../../store/objects/rate-limit-policies.ts'
import { nullable, Status, Uuid } from '../fields.ts'
import {
  ChangedStatus,
  Conditions,
  Fixed,
  groupBy,
  listQuery,
  Mode,
  NewMode,
  newFields,
  oneQuery,
  PolicyDescription,
  PolicyName,
  shownFirst,
  shownLast,
} from '../policies/fields.ts'
import { answerOf } from '../resource/answer.ts'

/** Bodies, queries and answers of rate limits policies (specification, sections 2.1 and 4.1). */

const Type = t.Union([t.Literal('requests'), t.Literal('tokens')])
const Unit = t.Union([t.Literal('rpm'), t.Literal('rph'), t.Literal('rpd'), t.Literal('rpw')])
const Target = t.Union([t.Literal('llm'), t.Literal('mcp_tools')])
const OnStoreFailure = t.Union([t.Literal('local'), t.Literal('open'), t.Literal('closed')])
const Reservation = t.Union([t.Literal('max'), t.Literal('bounded'), t.Literal('input'), t.Literal('post')])
const GroupBy = groupBy(
  'Calls with the same values of all these keys share one window. Only `mcp_tools` may leave it out.',
)
const Value = t.Integer({ minimum: 1, maximum: 1_000_000_000_000, description: 'Requests or tokens in any window.' })

const { workspace_id, status, search, ...page } = listQuery

export const PolicyQuery = t.Object({
  workspace_id,
  status,
  type: t.Optional(Type),
  unit: t.Optional(Unit),
  target: t.Optional(Target),
  search,
  ...page,
})

export const OneQuery = t.Object(oneQuery)

const { workspace_id: workspace, organisation_id: organisation, ...named } = newFields

export const NewPolicy = t.Object({
  conditions: Conditions,
  group_by: t.Optional(GroupBy),
  type: Type,
  unit: Unit,
  value: Value,
  ...named,
  target: t.Optional({ ...Target, default: 'llm' as const }),
  workspace_id: workspace,
  organisation_id: organisation,
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
  mode: NewMode,
})
export type NewPolicyBody = Static<typeof NewPolicy>

/** What makes a policy the one it is: windows of before and after would not compare. */
export const FIXED_FIELDS = ['type', 'target', 'group_by', 'workspace_id', 'organisation_id'] as const

export const PolicyChange = t.Object(
  {
    name: t.Optional(nullable(PolicyName)),
    description: t.Optional(nullable(PolicyDescription)),
    unit: t.Optional(Unit),
    value: t.Optional(Value),
    conditions: t.Optional(Conditions),
    status: ChangedStatus,
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
  ...shownFirst,
  type: Type,
  unit: Unit,
  value: t.Integer(),
  target: Target,
  status: Status,
  on_store_failure: OnStoreFailure,
  reservation: Reservation,
  mode: Mode,
  ...shownLast,
}
const made = { group_by: ({ groupBy }: RateLimitPolicy) => groupBy.map((key) => ({ key })) }

/** A policy in a list, and in the audit log. */
export const listedPolicy = answerOf<RateLimitPolicy>()(policy, made)
export const policyAnswer = answerOf<RateLimitPolicy>()({ ...policy, object: t.Literal('policy_rate_limits') }, made)
