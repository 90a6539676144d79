import type { Static } from '@sinclair/typebox'
import { type SentAlerts, sentAlerts } from '../../alerts/sent.ts'
import type { GroupUse } from '../../budgets/usage.ts'
import { valueKeyOf } from '../../budgets/value-key.ts'
import { ManagementReference } from '../../errors/gateway-error.ts'
import { toBudgetPolicy } from '../../store/memory/budget-policy-snapshot.ts'
import type { UsageLimitPolicy } from '../../store/objects/usage-limit-policies.ts'
import type { Db } from '../../store/types.ts'
import { whileCounted } from '../policies/counted.ts'
import type { UsageLimitsPoliciesDeps } from './deps.ts'
import type { ValueKeyUsage } from './usage-model.ts'

/** A group of calls that a policy has met in the period that runs. */
export interface Entity {
  /** The same for the same group of the same policy, in every period. */
  readonly id: string
  readonly valueKey: string
  readonly use: GroupUse
}

/** In the order of their value keys. */
export const entitiesOf = (
  policy: UsageLimitPolicy,
  budgets: UsageLimitsPoliciesDeps['budgets'],
): readonly Entity[] => {
  const found = budgets.usage(toBudgetPolicy(policy)).map((use) => ({
    // Derived, not stored: whoever asks later finds the same.
    id: Bun.randomUUIDv5(use.counter.key.group, policy.id),
    valueKey: valueKeyOf(use.group),
    use,
  }))
  const byKey = Map.groupBy(found, ({ valueKey }) => valueKey)
  return [...byKey.values()].flatMap((same) => (same.length === 1 ? same : same.map(toldApart))).toSorted(compare)
}

/** Values may hold what stands between them, and long ones are cut: then the id says which group is meant. */
const toldApart = (entity: Entity): Entity => ({ ...entity, valueKey: `${entity.valueKey} (${entity.id})` })

const compare = (left: Entity, right: Entity): number =>
  left.valueKey < right.valueKey ? -1 : left.valueKey > right.valueKey ? 1 : 0

export const statusOf = ({ use }: Entity): 'active' | 'exhausted' => (use.isExhausted ? 'exhausted' : 'active')

/** @throws ManagementReference where the policy has not met it in the period that runs */
export const entityOfValue = (
  policy: UsageLimitPolicy,
  valueKey: string,
  budgets: UsageLimitsPoliciesDeps['budgets'],
): Entity => {
  const found = entitiesOf(policy, budgets).find((entity) => entity.valueKey === valueKey)
  if (found !== undefined) return found
  throw new ManagementReference(`The policy has counted nothing for the value key '${valueKey}'.`, {
    param: 'reset_usage_for_value',
  })
}

/**
 * Sets the count of an entity to 0.
 * @param note adds to what the audit log keeps
 * @throws ManagementUnavailable when that cannot be written down now
 */
export const resetEntity = async (
  { id, valueKey, use }: Entity,
  budgets: UsageLimitsPoliciesDeps['budgets'],
  note: (fields: object) => void,
): Promise<void> => {
  await whileCounted('budgets', budgets.reset(use.counter))
  note({ reset_entity: { id, value_key: valueKey } })
}

/** Largest `value_key_usage_map`; the entities have all. */
const LARGEST_MAP = 1_000

/** What the groups of a policy have used, by value key. */
export const toUsageMap = async (
  db: Db,
  policy: UsageLimitPolicy,
  budgets: UsageLimitsPoliciesDeps['budgets'],
): Promise<Readonly<Record<string, Static<typeof ValueKeyUsage>>>> => {
  const all = entitiesOf(policy, budgets)
  const most = all.toSorted((left, right) => right.use.used - left.use.used).slice(0, LARGEST_MAP)
  const counters = most.map(({ use }) => use.counter)
  const sentOf = await sentAlerts(db, policy.organisationId, counters)
  return Object.fromEntries(most.map((entity) => [entity.valueKey, toUsage(entity, sentOf(entity.use.counter))]))
}

const toUsage = (entity: Entity, sent: SentAlerts): Static<typeof ValueKeyUsage> => ({
  current_usage: entity.use.used,
  status: statusOf(entity),
  is_threshold_alerts_sent: sent.threshold,
  is_exhausted_alerts_sent: sent.exhausted,
})
