import { ManagementForbidden, ManagementInvalid, ManagementNotFound } from '../../errors/gateway-error.ts'
import {
  countActivePolicies,
  createRateLimitPolicy,
  findRateLimitPolicy,
  lockPoliciesOf,
  type RateLimitPolicy,
  type RateLimitPolicyChange,
  updateRateLimitPolicy,
} from '../../store/rate-limit-policies.ts'
import type { Db } from '../../store/types.ts'
import type { Actor } from '../actor.ts'
import { invalidField } from '../invalid-field.ts'
import { placeOf, resolveWorkspace } from '../resolve-workspace.ts'
import { checkConditions, toGroupKeys } from './condition-rules.ts'
import { FIXED_FIELDS, type NewPolicyBody, type PolicyChangeBody } from './model.ts'

/** Every gateway keeps all active policies in memory. */
const MAX_ACTIVE_POLICIES = 10_000

/**
 * To be called in a transaction.
 * @throws ManagementInvalid naming the field, or when the workspace has as many as it may; ManagementForbidden,
 *   ManagementReference for a place that is not the caller's
 */
export const createPolicy = async (transaction: Db, actor: Actor, body: NewPolicyBody): Promise<RateLimitPolicy> => {
  const { organisation_id: organisation, target = 'llm' } = body
  if (organisation !== undefined && organisation.toLowerCase() !== actor.organisationId) {
    throw new ManagementForbidden('The key belongs to another organisation than `organisation_id`.', {
      param: 'organisation_id',
    })
  }
  const { id: workspaceId } = await resolveWorkspace(transaction, actor, body.workspace_id)
  checkConditions(body.conditions, target)
  const groupBy = toGroupKeys(body.group_by, target)
  await lockPoliciesOf(transaction, workspaceId)
  await requireRoom(transaction, workspaceId)
  return createRateLimitPolicy(transaction, {
    organisationId: actor.organisationId,
    workspaceId,
    target,
    groupBy,
    type: body.type,
    unit: body.unit,
    value: body.value,
    conditions: body.conditions,
    ...toColumns(body),
  })
}

export interface PolicyAsked {
  /** Absent: whichever it has. */
  readonly status?: RateLimitPolicy['status']
  /** In a transaction: nobody else changes the policy until its end. */
  readonly isToChange?: boolean
  /** Id or slug of the workspace that it must belong to. */
  readonly workspace?: string
}

/**
 * A policy of the caller's workspace; for an organisation key, of any workspace or of the one that is asked for.
 * @throws ManagementNotFound; ManagementReference, ManagementForbidden for a workspace that is not there or not the caller's
 */
export const reachPolicy = async (
  db: Db,
  actor: Actor,
  id: string,
  { workspace, ...asked }: PolicyAsked,
): Promise<RateLimitPolicy> => {
  const place = await placeOf(db, actor, workspace)
  const found = await findRateLimitPolicy(db, { ...place, id, ...asked })
  if (found !== undefined) return found
  const kind = asked.status === undefined ? 'rate limits policy' : `${asked.status} rate limits policy`
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
  const found = await reachPolicy(transaction, actor, id, {
    isToChange: true,
    ...(isRestoring ? {} : { status: 'active' }),
  })
  const fixed = FIXED_FIELDS.find((field) => changes[field] !== undefined)
  if (fixed === undefined) return found
  throw invalidField(fixed, 'cannot be changed: archive the policy and create another one')
}

/**
 * Writes the given fields of a policy that `reachPolicyToChange` has found.
 * @throws ManagementInvalid naming the field, or when the workspace has as many active policies as it may
 */
export const changePolicy = async (
  transaction: Db,
  policy: RateLimitPolicy,
  changes: PolicyChangeBody,
): Promise<RateLimitPolicy> => {
  if (changes.conditions !== undefined) checkConditions(changes.conditions, policy.target)
  if (policy.status === 'archived' && changes.status === 'active') await requireRoom(transaction, policy.workspaceId)
  const changed = await updateRateLimitPolicy(transaction, { id: policy.id, ...toColumns(changes) })
  return changed ?? policy
}

const requireRoom = async (transaction: Db, workspaceId: string): Promise<void> => {
  if ((await countActivePolicies(transaction, workspaceId)) < MAX_ACTIVE_POLICIES) return
  throw new ManagementInvalid(
    `The workspace has ${MAX_ACTIVE_POLICIES} active rate limits policies, and cannot have more: archive some first.`,
  )
}

/** Fields that are null are cleared, those that are absent stay. */
const toColumns = (body: Omit<PolicyChangeBody, (typeof FIXED_FIELDS)[number]>): RateLimitPolicyChange => {
  const { name, description, unit, value, conditions, status, on_store_failure: onStoreFailure } = body
  const { reservation, mode } = body
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(unit === undefined ? {} : { unit }),
    ...(value === undefined ? {} : { value }),
    ...(conditions === undefined ? {} : { conditions }),
    ...(status === undefined ? {} : { status }),
    ...(onStoreFailure === undefined ? {} : { onStoreFailure }),
    ...(reservation === undefined ? {} : { reservation }),
    ...(mode === undefined ? {} : { mode }),
  }
}
