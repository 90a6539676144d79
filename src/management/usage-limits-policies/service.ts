import type { WorkspacePlace } from '../../store/objects/rows-of.ts'
import {
  countActiveUsagePolicies,
  type UsageLimitPolicy,
  usagePolicyRows,
} from '../../store/objects/usage-limit-policies.ts'
import type { Db } from '../../store/types.ts'
import { checkConditions, toGroupKeys } from '../policies/conditions.ts'
import { policyReach } from '../policies/reach.ts'
import { columnsOf } from '../resource/answer.ts'
import { checkAmounts } from './amounts.ts'
import { FIXED_FIELDS, type NewPolicyBody, type PolicyChangeBody } from './model.ts'
import { toSchedule } from './schedule-fields.ts'

export const usageLimits = policyReach({
  noun: 'usage limits policy',
  rows: usagePolicyRows,
  countActive: countActiveUsagePolicies,
  fixedFields: FIXED_FIELDS,
})

const noEndpointTypes = (): readonly string[] => []

const CHANGEABLE = [
  'name',
  'description',
  'conditions',
  'credit_limit',
  'alert_threshold',
  'enforcement',
  'on_unknown_price',
  'mode',
] as const

/** @throws ManagementInvalid naming the field, or when the workspace has as many as it may */
export const createPolicy = async (
  transaction: Db,
  place: WorkspacePlace,
  body: NewPolicyBody,
  nowMs: number,
): Promise<UsageLimitPolicy> => {
  const { type, conditions, credit_limit: creditLimit, alert_threshold: alert } = body
  checkConditions(conditions, 'budgets', noEndpointTypes)
  const groupBy = toGroupKeys(body.group_by, 'budgets')
  checkAmounts(type, { limit: creditLimit, alert: alert ?? null, isAlertGiven: true })
  const schedule = toSchedule(body, undefined, nowMs)
  await usageLimits.makeRoom(transaction, place.workspaceId)
  return usagePolicyRows.insert(transaction, {
    ...place,
    ...columnsOf(body, CHANGEABLE),
    ...{ type, groupBy, conditions, creditLimit, schedule },
  })
}

/**
 * Writes the given fields of a policy that was reached to be changed; null clears.
 * @throws ManagementInvalid naming the field, or when the workspace has as many active policies as it may
 */
export const changePolicy = async (
  transaction: Db,
  policy: UsageLimitPolicy,
  changes: PolicyChangeBody,
  nowMs: number,
): Promise<UsageLimitPolicy> => {
  if (changes.conditions !== undefined) checkConditions(changes.conditions, 'budgets', noEndpointTypes)
  const { credit_limit: limit = policy.creditLimit, alert_threshold: alert = policy.alertThreshold } = changes
  checkAmounts(policy.type, { limit, alert, isAlertGiven: changes.alert_threshold !== undefined })
  const schedule = toSchedule(changes, policy.schedule, nowMs)
  const isRestored = policy.status === 'archived' && changes.status === 'active'
  if (isRestored) await usageLimits.makeRoom(transaction, policy.workspaceId)
  const columns = columnsOf(changes, [...CHANGEABLE, 'status'])
  return (await usagePolicyRows.update(transaction, { id: policy.id, ...columns, schedule })) ?? policy
}
