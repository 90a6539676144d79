import { countActivePolicies, policyRows, type RateLimitPolicy } from '../../store/objects/rate-limit-policies.ts'
import type { WorkspacePlace } from '../../store/objects/rows-of.ts'
import type { Db } from '../../store/types.ts'
import { invalidField } from '../invalid-field.ts'
import { checkConditions, toGroupKeys } from '../policies/conditions.ts'
import { policyReach } from '../policies/reach.ts'
import { columnsOf } from '../resource/answer.ts'
import type { RateLimitsDeps } from './deps.ts'
import { FIXED_FIELDS, type NewPolicyBody, type PolicyChangeBody } from './model.ts'

export const rateLimits = policyReach({
  noun: 'rate limits policy',
  rows: policyRows,
  countActive: countActivePolicies,
  fixedFields: FIXED_FIELDS,
})

/** @throws ManagementInvalid naming the field, or when the workspace has as many as it may */
export const createPolicy = async (
  transaction: Db,
  place: WorkspacePlace,
  { group_by, target = 'llm', ...body }: NewPolicyBody,
  { endpointTypes }: Pick<RateLimitsDeps, 'endpointTypes'>,
): Promise<RateLimitPolicy> => {
  checkConditions(body.conditions, target, endpointTypes)
  if (group_by === undefined && target === 'llm') {
    throw invalidField('group_by', 'is missing: only policies of `mcp_tools` may leave it out')
  }
  const groupBy = toGroupKeys(group_by ?? [], target)
  await rateLimits.makeRoom(transaction, place.workspaceId)
  const { type, unit, value, conditions } = body
  return policyRows.insert(transaction, {
    ...place,
    ...{ target, groupBy, type, unit, value, conditions },
    ...columnsOf(body, ['name', 'description', 'on_store_failure', 'reservation', 'mode']),
  })
}

/**
 * Writes the given fields of a policy that was reached to be changed; null clears.
 * @throws ManagementInvalid naming the field, or when the workspace has as many active policies as it may
 */
export const changePolicy = async (
  transaction: Db,
  policy: RateLimitPolicy,
  changes: PolicyChangeBody,
  { endpointTypes }: Pick<RateLimitsDeps, 'endpointTypes'>,
): Promise<RateLimitPolicy> => {
  if (changes.conditions !== undefined) checkConditions(changes.conditions, policy.target, endpointTypes)
  const isRestored = policy.status === 'archived' && changes.status === 'active'
  if (isRestored) await rateLimits.makeRoom(transaction, policy.workspaceId)
  const columns = columnsOf(changes, CHANGEABLE)
  return (await policyRows.update(transaction, { id: policy.id, ...columns })) ?? policy
}

const CHANGEABLE = [
  'name',
  'description',
  'unit',
  'value',
  'conditions',
  'status',
  'on_store_failure',
  'reservation',
  'mode',
] as const
