import type { Static } from '@sinclair/typebox'
import { defined } from '../../core/defined.ts'
import type { ApiKeyRecord } from '../../store/objects/api-keys.ts'
import type { RotationPolicy as StoredPolicy } from '../../store/schema/api-keys.ts'
import { invalidField } from '../invalid-field.ts'
import { toDate, toFutureDate } from '../own-budgets/usage-limits.ts'
import { MINIMUM_TRANSITION_MS, type RotationPolicy } from './model.ts'
import { nextRotation, rotationAfter, shortestPeriodMs } from './rotation-schedule.ts'

/** What of a key says when it is rotated. */
export type KeyRotation = Pick<ApiKeyRecord, 'rotationPolicy' | 'nextRotationAt'>

/** What is known of a key before its policy is changed. */
export type RotatedKeyRecord = KeyRotation & Pick<ApiKeyRecord, 'preset'>

const FIELD = 'rotation_policy'

/**
 * A policy of a body, and when it rotates the key next. One whose period is that of the policy before goes on from where that
 * began: whoever writes a whole object back puts nothing off.
 * @param stored the key that is changed; absent for a new one
 * @throws ManagementInvalid for what no schema can say
 */
export const toRotation = (
  body: Static<typeof RotationPolicy> | null,
  nowMs: number,
  stored?: RotatedKeyRecord,
): KeyRotation => {
  if (body === null) return { rotationPolicy: null, nextRotationAt: null }
  if (stored !== undefined && stored.preset !== null) {
    throw invalidField(FIELD, 'is not for a key that is set by the environment of the gateway')
  }
  const period = defined({
    rotationPeriod: body.rotation_period ?? undefined,
    rotationPeriodDays: body.rotation_period_days ?? undefined,
  })
  const keyTransitionPeriodMs = body.key_transition_period_ms ?? undefined
  const transitionMs = keyTransitionPeriodMs ?? MINIMUM_TRANSITION_MS
  const periodMs = shortestPeriodMs(period)
  const next = body.next_rotation_at ?? undefined
  const isShown = next !== undefined && toDate(next, NEXT).getTime() === stored?.nextRotationAt?.getTime()
  const before = stored?.rotationPolicy ?? undefined
  const isSamePeriod = before !== undefined && isSame(before, period)
  // Reads show when a period ends: written back, that says nothing new.
  const isRepeated = isShown && isSamePeriod
  const choices = [
    period.rotationPeriod,
    period.rotationPeriodDays,
    periodMs !== undefined && isRepeated ? undefined : next,
  ]
  if (choices.filter((choice) => choice !== undefined).length !== 1) {
    throw invalidField(FIELD, 'needs exactly one of `rotation_period`, `rotation_period_days` and `next_rotation_at`')
  }
  if (periodMs !== undefined && transitionMs >= periodMs) throw tooLong()
  if (isSamePeriod && (periodMs !== undefined || isRepeated)) {
    const rotationPolicy = { ...period, anchorAt: before.anchorAt, ...defined({ keyTransitionPeriodMs }) }
    return { rotationPolicy, nextRotationAt: stored?.nextRotationAt ?? null }
  }
  const rotationPolicy = { ...period, anchorAt: new Date(nowMs).toISOString(), ...defined({ keyTransitionPeriodMs }) }
  if (next === undefined) return { rotationPolicy, nextRotationAt: nextRotation(rotationPolicy, nowMs) ?? null }
  const nextRotationAt = toFutureDate(next, NEXT, nowMs)
  if (transitionMs >= nextRotationAt.getTime() - nowMs) throw tooLong()
  return { rotationPolicy, nextRotationAt }
}

const NEXT = `${FIELD}.next_rotation_at`

const tooLong = () =>
  invalidField(`${FIELD}.key_transition_period_ms`, 'must be shorter than the time until the rotation')

const isSame = (left: Partial<StoredPolicy>, right: Partial<StoredPolicy>): boolean =>
  left.rotationPeriod === right.rotationPeriod && left.rotationPeriodDays === right.rotationPeriodDays

/** What a rotation by hand makes of the policy: its periods begin anew. A single time that was set stays. */
export const afterManualRotation = ({ rotationPolicy: policy }: KeyRotation, nowMs: number): Partial<KeyRotation> => {
  if (policy === null || shortestPeriodMs(policy) === undefined) return {}
  const rotationPolicy = { ...policy, anchorAt: new Date(nowMs).toISOString() }
  return { rotationPolicy, nextRotationAt: nextRotation(rotationPolicy, nowMs) ?? null }
}

/** What a rotation by itself makes of the policy: the next period, or nothing more where it was for a single time. */
export const afterOwnRotation = (
  { rotationPolicy: policy, nextRotationAt }: KeyRotation,
  nowMs: number,
): KeyRotation => {
  const next = policy && rotationAfter(policy, nextRotationAt?.getTime() ?? nowMs, nowMs)
  return next ? { rotationPolicy: policy, nextRotationAt: next } : { rotationPolicy: null, nextRotationAt: null }
}

/** A policy as the interface shows it, with the time of its next rotation. */
export const showRotationPolicy = ({ rotationPolicy: policy, nextRotationAt }: KeyRotation) =>
  policy &&
  defined({
    rotation_period: policy.rotationPeriod,
    rotation_period_days: policy.rotationPeriodDays,
    next_rotation_at: nextRotationAt?.toISOString(),
    key_transition_period_ms: policy.keyTransitionPeriodMs,
  })
