import { type Static, Type as t } from '@sinclair/typebox'
import type { UsageLimitPolicy } from '../../store/objects/usage-limit-policies.ts'
import { DateTime, nullable, Status, Uuid } from '../fields.ts'
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
import { outsideTag } from '../preconditions/entity-tag.ts'
import { type Answer, answerOf } from '../resource/answer.ts'
import { MAX_AMOUNT } from './amounts.ts'
import { shownPeriod, shownSchedule } from './schedule-fields.ts'
import { ValueKeyUsage } from './usage-model.ts'

/** Bodies, queries and answers of usage limits policies (interface contract, section 4.3). */

const Type = t.Union([t.Literal('cost'), t.Literal('tokens'), t.Literal('requests')])
const Enforcement = t.Union([t.Literal('soft'), t.Literal('reserve')])
const OnUnknownPrice = t.Union([t.Literal('allow'), t.Literal('refuse')])
const PeriodicReset = t.Union([t.Literal('weekly'), t.Literal('monthly')])

const Amount = t.Number({ minimum: 0, maximum: MAX_AMOUNT })
const CreditLimit = {
  ...Amount,
  description:
    'US dollars, with up to nine digits behind the point; or whole tokens or requests. 0 lets nothing through.',
}
const AlertThreshold = t.Optional({ ...nullable(Amount), description: 'Below `credit_limit`. Blocks nothing.' })
const schedule = {
  periodic_reset: t.Optional({
    ...nullable(PeriodicReset),
    description: 'Monday, or the first of the month, 00:00 UTC. Absent or null: never.',
  }),
  periodic_reset_days: t.Optional({
    ...nullable(t.Integer({ minimum: 1, maximum: 365 })),
    description: 'So many days, at 00:00 UTC. Not together with `periodic_reset`.',
  }),
  next_usage_reset_at: t.Optional({
    ...nullable(DateTime),
    description: 'The first reset, cut to midnight UTC; days are counted from there.',
  }),
}

const { workspace_id, status, search, ...page } = listQuery

export const PolicyQuery = t.Object({ workspace_id, status, type: t.Optional(Type), search, ...page })

export const OneQuery = t.Object({
  ...oneQuery,
  include_usage: t.Optional(t.Boolean({ default: false, description: 'True: the answer has `value_key_usage_map`.' })),
})

const { workspace_id: workspace, organisation_id: organisation, ...named } = newFields

export const NewPolicy = t.Object({
  conditions: Conditions,
  group_by: groupBy('Calls with the same values of all these keys share one count.'),
  type: Type,
  credit_limit: CreditLimit,
  alert_threshold: AlertThreshold,
  ...schedule,
  ...named,
  workspace_id: workspace,
  organisation_id: organisation,
  enforcement: t.Optional({
    ...Enforcement,
    default: 'soft' as const,
    description:
      '`soft`: calls in flight finish. `reserve`: the most that a call can use is held back before it is made.',
  }),
  on_unknown_price: t.Optional({
    ...OnUnknownPrice,
    default: 'allow' as const,
    description: 'What happens to calls whose price is not known, where costs are counted.',
  }),
  mode: NewMode,
})
export type NewPolicyBody = Static<typeof NewPolicy>

/** What makes a policy the one it is: what was counted before and after would not compare. */
export const FIXED_FIELDS = ['type', 'group_by', 'workspace_id', 'organisation_id'] as const

export const PolicyChange = t.Object(
  {
    name: t.Optional(nullable(PolicyName)),
    description: t.Optional(nullable(PolicyDescription)),
    conditions: t.Optional(Conditions),
    credit_limit: t.Optional(CreditLimit),
    alert_threshold: AlertThreshold,
    ...schedule,
    reset_usage_for_value: t.Optional(
      t.String({ minLength: 1, maxLength: 8_192, description: 'A value key, whose count goes to 0.' }),
    ),
    status: ChangedStatus,
    enforcement: t.Optional(Enforcement),
    on_unknown_price: t.Optional(OnUnknownPrice),
    mode: t.Optional(Mode),
    type: Fixed,
    group_by: Fixed,
    workspace_id: Fixed,
    organisation_id: Fixed,
  },
  { minProperties: 1 },
)
export type PolicyChangeBody = Static<typeof PolicyChange>

export const PolicyReceipt = t.Object({ id: Uuid, object: t.Literal('policy_usage_limits') })

const policy = {
  ...shownFirst,
  type: Type,
  credit_limit: t.Number(),
  alert_threshold: nullable(t.Number()),
  periodic_reset: nullable(PeriodicReset),
  periodic_reset_days: nullable(t.Integer()),
  next_usage_reset_at: outsideTag({ ...nullable(DateTime), description: 'Null: it never comes.' }),
  last_reset_at: outsideTag({ ...nullable(DateTime), description: 'Null: there was none.' }),
  status: Status,
  enforcement: Enforcement,
  on_unknown_price: OnUnknownPrice,
  mode: Mode,
  ...shownLast,
}

const usageMap = {
  value_key_usage_map: t.Optional(
    outsideTag(
      t.Record(t.String(), ValueKeyUsage, {
        description: 'By value key, with `include_usage`: at most 1,000, those that have used most.',
      }),
    ),
  ),
}

/** How policies are shown at a time. */
export const policyAnswers = (now: () => number) => {
  const made = {
    group_by: (row: UsageLimitPolicy) => row.groupBy.map((key) => ({ key })),
    periodic_reset: (row: UsageLimitPolicy) => shownSchedule(row.schedule).periodic_reset,
    periodic_reset_days: (row: UsageLimitPolicy) => shownSchedule(row.schedule).periodic_reset_days,
    next_usage_reset_at: (row: UsageLimitPolicy) => shownPeriod(row.schedule, now()).next_usage_reset_at,
    last_reset_at: (row: UsageLimitPolicy) => shownPeriod(row.schedule, now()).last_reset_at,
  }
  const object = { object: t.Literal('policy_usage_limits' as const) }
  const one = answerOf<UsageLimitPolicy>()({ ...policy, ...object }, made)
  return {
    /** In a list, and in the audit log. */
    listed: answerOf<UsageLimitPolicy>()(policy, made),
    one: { ...one, schema: t.Object({ ...policy, ...object, ...usageMap }) } satisfies Answer<UsageLimitPolicy>,
  }
}
