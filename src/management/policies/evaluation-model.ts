import { type Static, Type as t } from '@sinclair/typebox'
import { dryRunCallFields } from '../dry-run-call.ts'
import { DateTime } from '../fields.ts'
import { Mode } from './fields.ts'

/** Body and answer of the dry run. */

const Text = t.String()
const nullableText = t.Union([Text, t.Null()])

export const Evaluation = t.Object(dryRunCallFields)

export const Group = t.Record(Text, nullableText, {
  description: 'By key of `group_by`: the value that the calls share, null where they have none.',
})
const Values = t.Union([Text, t.Array(Text)])

const ConditionVerdict = t.Object({
  key: Text,
  value: Values,
  excludes: t.Optional(Values),
  actual: t.Union([Text, t.Null()], { description: 'What the call has; null when nothing.' }),
  holds: t.Boolean(),
  reason: Text,
})

const Owner = t.Union(
  (['policy', 'api_key', 'workspace', 'virtual_key', 'integration'] as const).map((owner) => t.Literal(owner)),
)

const LimitVerdict = t.Object({
  id: t.String({ description: 'Of a policy, or of the key, workspace or provider that has the limit.' }),
  name: nullableText,
  owner: Owner,
  type: t.Union([t.Literal('requests'), t.Literal('tokens')]),
  unit: t.Union((['rps', 'rpm', 'rph', 'rpd', 'rpw'] as const).map((unit) => t.Literal(unit))),
  value: t.Integer(),
  mode: Mode,
  matches: t.Boolean(),
  conditions: t.Array(ConditionVerdict),
  group: t.Optional(Group),
  used: t.Optional(t.Number()),
  remaining: t.Optional(t.Number()),
  weight: t.Optional(t.Number({ description: 'What the call would be charged.' })),
  would_refuse: t.Optional(t.Boolean()),
  retry_after_ms: t.Optional(t.Number({ description: 'Absent when it never can fit, or does now.' })),
})

const BudgetVerdict = t.Object({
  id: t.String({
    description: 'Of a policy, or of the key, workspace or provider that has the budget, with its type.',
  }),
  name: nullableText,
  owner: Owner,
  type: t.Union((['cost', 'tokens', 'requests'] as const).map((type) => t.Literal(type))),
  credit_limit: t.Number({ description: 'Dollars, tokens or requests, as all amounts here.' }),
  enforcement: t.Union([t.Literal('soft'), t.Literal('reserve')]),
  mode: Mode,
  matches: t.Boolean(),
  conditions: t.Array(ConditionVerdict),
  group: t.Optional(Group),
  used: t.Optional(t.Number({ description: 'Spent, and held back for calls in flight.' })),
  remaining: t.Optional(t.Number()),
  reserved: t.Optional(t.Number({ description: 'What would be held back for the call.' })),
  is_unpriced: t.Optional(t.Boolean({ description: 'Refused: the price of the call is not known.' })),
  would_refuse: t.Optional(t.Boolean()),
  next_usage_reset_at: t.Optional({ ...DateTime, description: 'Absent when it never comes.' }),
})

const Status = t.Integer({
  description: 'HTTP status that the call would get from its limits and budgets; 200 when they let it through.',
})

export const Explanation = t.Object({
  allowed: t.Boolean(),
  status: Status,
  targets: t.Array(
    t.Object({
      target: t.Object({ provider: Text, virtual_key: t.Optional(Text), model: t.Optional(Text) }),
      allowed: t.Boolean(),
      status: Status,
      message: t.Optional(Text),
      limits: t.Array(LimitVerdict),
      budgets: t.Array(BudgetVerdict),
    }),
  ),
  error: t.Optional(
    t.Object(
      { message: Text, type: nullableText, param: nullableText, code: nullableText },
      {
        additionalProperties: true,
        description: 'The call would be refused before it comes to its limits, with this.',
      },
    ),
  ),
})
export type ExplanationAnswer = Static<typeof Explanation>
