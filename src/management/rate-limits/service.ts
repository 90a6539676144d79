import { ManagementInvalid, ManagementNotFound } from '../../errors/gateway-error.ts'
import {
  countActivePolicies,
  lockPoliciesOf,
  policyRows,
  type RateLimitPolicy,
} from '../../store/objects/rate-limit-policies.ts'
import type { WorkspacePlace } from '../../store/objects/rows-of.ts'
import type { Db } from '../../store/types.ts'
import type { Actor } from '../actor.ts'
import { invalidField } from '../invalid-field.ts'
import { placeOf } from '../resolve-workspace.ts'
import { columnsOf } from '../resource/answer.ts'
import { checkConditions, toGroupKeys } from './condition-rules.ts'
import type { RateLimitsDeps } from './deps.ts'
import { FIXED_FIELDS, type NewPolicyBody, type PolicyChangeBody } from './model.ts'

/** Every gateway keeps all active policies in memory. */
const MAX_ACTIVE_POLICIES = 10_000

/** @throws ManagementInvalid naming the field, or when the workspace has as many as it may */
export const createPolicy = async (
  transaction: Db,
  place: WorkspacePlace,
  { group_by, target = 'llm', ...body }: NewPolicyBody,
  deps: Pick<RateLimitsDeps, 'endpointTypes'>,
): Promise<RateLimitPolicy> => {
  checkConditions(body.conditions, target, deps)
  const groupBy = toGroupKeys(group_by, target)
  await lockPoliciesOf(transaction, place.workspaceId)
  await requireRoom(transaction, place.workspaceId)
  const { type, unit, value, conditions } = body
  return policyRows.insert(transaction, {
    ...place,
    ...{ target, groupBy, type, unit, value, conditions },
    ...columnsOf(body, ['name', 'description', 'on_store_failure', 'reservation', 'mode']),
  })
}

export interface PolicyAsked {
  /** Absent: whichever it has. */
  readonly status?: RateLimitPolicy['status']
  /** In a transaction: nobody else changes the policy until its end. */
  readonly isToChange?: boolean
  /** Id or slug of the workspace that it must belong to. */
  readonly workspace?: string | undefined
}

/**
 * A policy of the caller's workspace; for an organisation key, of any workspace or of the one that is asked for.
 * @throws ManagementNotFound; ManagementReference, ManagementForbidden for a workspace that is not there or not the caller's
 */
export const reachPolicy = async (
  db: Db,
  actor: Actor,
  id: string,
  { workspace, status, isToChange = false }: PolicyAsked,
): Promise<RateLimitPolicy> => {
  const wanted = { ...(await placeOf(db, actor, workspace)), reference: id, status }
  const found = await policyRows.find(db, wanted, isToChange ? 'change' : undefined)
  if (found !== undefined) return found
  const kind = status === undefined ? 'rate limits policy' : `${status} rate limits policy`
  throw new ManagementNotFound(`There is no ${kind} '${id}'.`)
}

/**
 * The policy that a change is about: an active one, or an archived one that the change restores.
 * @throws ManagementNotFound; ManagementInvalid for a field that cannot be changed
 */
export const reachPolicyToChange = async (
  transaction: Db,
  actor: Actor,
  id: string,
  changes: PolicyChangeBody,
): Promise<RateLimitPolicy> => {
  const isRestoring = changes.status === 'active'
  if (isRestoring) {
    const { workspaceId } = await reachPolicy(transaction, actor, id, {})
    await lockPoliciesOf(transaction, workspaceId)
  }
  const asked: PolicyAsked = isRestoring ? {} : { status: 'active' }
  const found = await reachPolicy(transaction, actor, id, { ...asked, isToChange: true })
  const fixed = FIXED_FIELDS.find((field) => changes[field] !== undefined)
  if (fixed === undefined) return found
  throw invalidField(fixed, 'cannot be changed: archive the policy and create another one')
}

/**
 * Writes the given fields of a policy that `reachPolicyToChange` has found; null clears.
 * @throws ManagementInvalid naming the field, or when the workspace has as many active policies as it may
 */
export const changePolicy = async (
  transaction: Db,
  policy: RateLimitPolicy,
  changes: PolicyChangeBody,
  deps: Pick<RateLimitsDeps, 'endpointTypes'>,
): Promise<RateLimitPolicy> => {
  if (changes.conditions !== undefined) checkConditions(changes.conditions, policy.target, deps)
  if (policy.status === 'archived' && changes.status === 'active') await requireRoom(transaction, policy.workspaceId)
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

const requireRoom = async (transaction: Db, workspaceId: string): Promise<void> => {
  if ((await countActivePolicies(transaction, workspaceId)) < MAX_ACTIVE_POLICIES) return
  throw new ManagementInvalid(
    `The workspace has ${MAX_ACTIVE_POLICIES} active rate limits policies, and cannot have more: archive some first.`,
  )
}
