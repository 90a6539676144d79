import { ManagementConflict, ManagementNotFound } from '../../errors/gateway-error.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import { createApiKey } from '../../store/key-material.ts'
import { type ApiKeyRecord, apiKeyRows, rotateApiKey } from '../../store/objects/api-keys.ts'
import { readRotatedSecret } from '../../store/objects/key-rotation.ts'
import type { Db } from '../../store/types.ts'
import { MINIMUM_TRANSITION_MS } from './model.ts'
import { afterManualRotation, afterOwnRotation } from './rotation-policy.ts'
import { checkPossession, type MayGrant } from './scopes.ts'

/** A key together with its secret in clear: the only time that it can be seen. */
export type KeyWithSecret = ApiKeyRecord & { readonly secret: string }

/** The field of a key that its new secret is sealed under. */
const FIELD = 'rotated_secret'

/**
 * Gives a key a new secret; the one of now works for the time of transition.
 * @param transitionPeriodMs absent: what the policy of the key says, else half an hour
 * @throws ManagementConflict for a key whose old secret still works, or that is set by the environment
 * @throws ManagementForbidden when the caller may not give what the key has
 */
export const rotateKey = async (
  db: Db,
  record: ApiKeyRecord,
  options: { readonly nowMs: number; readonly transitionPeriodMs: number | undefined; readonly grants: MayGrant },
): Promise<KeyWithSecret> => {
  const { nowMs, transitionPeriodMs, grants } = options
  checkPossession(record.scopes, grants)
  if (record.preset !== null) {
    throw new ManagementConflict('The key is set by the environment of the gateway: change it there.')
  }
  const previousExpiresAt = new Date(nowMs + (transitionPeriodMs ?? transitionOf(record)))
  const { key, ...next } = createApiKey()
  const schedule = afterManualRotation(record, nowMs)
  const rotated = await rotateApiKey(db, { id: record.id, next, previousExpiresAt, schedule })
  if (rotated === undefined) {
    const until = record.previousExpiresAt === null ? '' : ` until ${record.previousExpiresAt.toISOString()}`
    throw new ManagementConflict(`The key is still in the transition of its last rotation${until}.`)
  }
  return { ...rotated, secret: key }
}

/**
 * Gives a key that is due a new secret, which is kept sealed until it is collected. The old one works for two times of
 * transition, or for one from the collection on: nobody is cut off who has not had a whole one to change over in.
 */
export const rotateDueKey = async (
  transaction: Db,
  record: ApiKeyRecord,
  { at, secretBox }: { readonly at: Date; readonly secretBox: Pick<SecretBox, 'seal'> },
): Promise<ApiKeyRecord> => {
  const { id, organisationId } = record
  const transitionMs = transitionOf(record)
  const { key, ...next } = createApiKey()
  const rotated = await rotateApiKey(transaction, {
    id,
    next,
    previousExpiresAt: later(at, 2 * transitionMs),
    schedule: afterOwnRotation(record, at.getTime()),
    uncollected: {
      rotatedSecret: await secretBox.seal(transaction, organisationId, id, FIELD, key),
      uncollectedCheckAt: later(at, transitionMs),
    },
  })
  if (rotated === undefined) throw new Error('a key that is due could not be rotated')
  return rotated
}

/** What became of a secret that nobody has collected so far. */
export interface Uncollected {
  readonly key: ApiKeyRecord
  /** `reminded`: the old secret works for another time of transition. `lapsed`: it has ended, and nobody has the new one. */
  readonly outcome: 'reminded' | 'extended' | 'lapsed'
}

/** Looks at a new secret that is due to be looked at: its owner is to be reminded of it, or it is given up. */
export const checkUncollected = async (transaction: Db, record: ApiKeyRecord, at: Date): Promise<Uncollected> => {
  const { id, previousExpiresAt, uncollectedCheckAt } = record
  if (previousExpiresAt === null || uncollectedCheckAt === null) throw new Error('no secret waits to be collected')
  const leftMs = previousExpiresAt.getTime() - uncollectedCheckAt.getTime()
  const update = async (changes: Omit<Parameters<typeof apiKeyRows.update>[1], 'id'>): Promise<ApiKeyRecord> =>
    (await apiKeyRows.update(transaction, { id, ...changes })) ?? record
  if (leftMs === 0) {
    return { key: await update({ rotatedSecret: null, uncollectedCheckAt: null }), outcome: 'lapsed' }
  }
  // No gateway ran when its owner was to be reminded: the time to collect it begins now.
  const isLate = previousExpiresAt.getTime() - at.getTime() < leftMs / 2
  const endsAt = isLate ? later(at, leftMs) : previousExpiresAt
  const key = await update({ previousExpiresAt: endsAt, uncollectedCheckAt: endsAt })
  return { key, outcome: isLate ? 'extended' : 'reminded' }
}

/**
 * Hands out the secret that a key got by itself, once. The old one works for a time of transition from now on.
 * @throws ManagementNotFound when none waits; ManagementForbidden when the caller may not give what the key has
 */
export const collectRotatedKey = async (
  transaction: Db,
  record: ApiKeyRecord,
  options: { readonly nowMs: number; readonly secretBox: Pick<SecretBox, 'open'>; readonly grants: MayGrant },
): Promise<KeyWithSecret> => {
  const { nowMs, secretBox, grants } = options
  const { id, organisationId } = record
  checkPossession(record.scopes, grants)
  const waiting = collectableUntil(record, nowMs)
  const sealed = waiting === null ? undefined : await readRotatedSecret(transaction, id)
  if (waiting === null || sealed === undefined) throw nothingWaits()
  const secret = await secretBox.open(organisationId, id, FIELD, sealed)
  const collected = await apiKeyRows.update(transaction, {
    id,
    previousExpiresAt: endOnceCollected(record, waiting, nowMs),
    rotatedSecret: null,
    uncollectedCheckAt: null,
  })
  return { ...(collected ?? record), secret }
}

/** Until when the secret that a key got by itself can be collected; null when none waits. */
export const collectableUntil = (
  { uncollectedCheckAt, previousExpiresAt }: Pick<ApiKeyRecord, 'uncollectedCheckAt' | 'previousExpiresAt'>,
  nowMs: number,
): Date | null =>
  uncollectedCheckAt !== null && previousExpiresAt !== null && previousExpiresAt.getTime() > nowMs
    ? previousExpiresAt
    : null

/** A whole time of transition later, but no later than was said at the rotation, and not before one from that. */
const endOnceCollected = ({ uncollectedCheckAt }: ApiKeyRecord, endsAt: Date, nowMs: number): Date => {
  const [plannedMs, lastMs] = [uncollectedCheckAt?.getTime() ?? nowMs, endsAt.getTime()]
  const isReminded = plannedMs === lastMs
  return isReminded ? endsAt : new Date(Math.min(lastMs, Math.max(plannedMs, nowMs + lastMs - plannedMs)))
}

const nothingWaits = () =>
  new ManagementNotFound(
    'No new secret of the key waits to be collected: it was collected before, its time is over, or the key has not rotated by itself. A rotation gives a new one.',
  )

const transitionOf = ({ rotationPolicy }: ApiKeyRecord): number =>
  rotationPolicy?.keyTransitionPeriodMs ?? MINIMUM_TRANSITION_MS

const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms)
