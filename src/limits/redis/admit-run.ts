import { NO_BUDGETS, type OpenVerdict } from '../claims/claims.ts'
import type { SharedClaim, SharedCount } from '../claims/shared-count.ts'
import type { Verdict } from '../ring/ring.ts'
import type { Admission, Charge, RingKey } from '../ring/ring-store.ts'
import { argumentsOf, countKeyOf, listOf, namesOf } from './redis-keys.ts'
import type { ScriptArgument } from './redis-scripts.ts'

/** What one call is charged, and claims of budgets. */
export interface Check {
  readonly charges: readonly Charge[]
  readonly claims: readonly SharedClaim[]
}

/** What the script says of one call. */
export interface CheckReply extends Admission {
  readonly budgets: readonly OpenVerdict[]
}

/** One run of `scripts/admit.lua`. */
export interface AdmitRun {
  readonly keys: readonly string[]
  readonly args: readonly ScriptArgument[]
}

const FITS = ['later', 'yes', 'never'] as const
/** Numbers of one verdict in a reply. */
const VERDICT_LENGTH = 6
/** The same of a claim. */
const CLAIM_LENGTH = 2

/** Runs that were made: so a run knows its counts without a map. */
let runs = 0

/**
 * A ring is told once, however many calls charge it: those that come together often share theirs. So is a count, with all
 * that is new of it: whoever makes a run that changes anything has to send it in the same step.
 * @param process id of this process
 */
export const toAdmitRun = (checks: readonly Check[], changes: boolean, process: string): AdmitRun => {
  const keys: string[] = []
  const rings: ScriptArgument[] = []
  const asked: number[] = []
  const places = new Map<RingKey, { readonly number: number; readonly grain: number }>()
  const counts: SharedCount[] = []
  runs += 1
  for (const { charges, claims } of checks) {
    asked.push(charges.length, claims.length)
    for (const { key, limit, weight, grain, shadow } of charges) {
      let place = places.get(key)
      if (place?.grain !== grain) {
        const { ring, index } = namesOf(key)
        keys.push(ring, index)
        rings.push(...argumentsOf(key, grain))
        place = { number: keys.length / 2, grain }
        places.set(key, place)
      }
      asked.push(limit, weight, shadow ? 1 : 0, place.number)
    }
    for (const { count, limit, weight, shadow } of claims) {
      if (count.run !== runs) {
        count.run = runs
        count.place = counts.push(count)
      }
      asked.push(limit, weight, shadow ? -count.place : count.place)
    }
  }
  const ringCount = keys.length / 2
  const told: number[] = []
  for (const count of counts) {
    const { stored, own, delta } = changes ? count.tell() : count.look()
    keys.push(countKeyOf(count))
    told.push(stored, own, delta)
  }
  return { keys, args: [changes ? 0 : 1, ringCount, process, `[${listOf(told)},${listOf(asked)}]`, ...rings] }
}

/** Why a call cannot be asked for: a fault of who asks. */
export const faultOf = ({ charges, claims }: Check): Error | undefined => {
  try {
    const workspaceId = charges[0]?.key.workspaceId ?? claims[0]?.count.counter.key.workspaceId
    for (const { count } of claims) {
      countKeyOf(count)
      if (count.counter.key.workspaceId !== workspaceId)
        return new Error('A call may claim budgets of its workspace only')
    }
    for (const [place, { key }] of charges.entries()) {
      const { ring } = namesOf(key)
      for (let before = 0; before < place; before += 1) {
        const other = charges[before]?.key
        if (other === undefined) continue
        if (other.workspaceId !== key.workspaceId) return new Error('A call may charge rings of one workspace only')
        if (namesOf(other).ring === ring) return new Error('A call may charge a ring only once')
      }
    }
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error('A ring has no name')
  }
  return undefined
}

/** What the script says of one call, or the error with which that call failed alone. */
export const toReply = (reply: unknown, { charges, claims }: Check): CheckReply | Error => {
  // As the driver has it of a whole script.
  if (typeof reply === 'string') return Object.assign(new Error(reply), { name: 'ReplyError' })
  const afterCharges = 1 + charges.length * VERDICT_LENGTH
  const length = afterCharges + claims.length * CLAIM_LENGTH
  if (!Array.isArray(reply) || !reply.every(isNumber) || reply.length !== length) {
    return new Error('Redis answered a script of the rate limits with something else than verdicts')
  }
  const verdicts: Verdict[] = []
  for (let at = 1; at < afterCharges; at += VERDICT_LENGTH) verdicts.push(toVerdict(reply, at))
  const admitted = reply[0] === 1
  if (claims.length === 0) return { admitted, verdicts, budgets: NO_BUDGETS }
  const budgets: OpenVerdict[] = []
  for (let at = afterCharges; at < length; at += CLAIM_LENGTH) {
    budgets.push({ fits: reply[at] === 1, used: reply[at + 1] ?? 0, hold: undefined })
  }
  return { admitted, verdicts, budgets }
}

const isNumber = (value: unknown): value is number => typeof value === 'number'

const toVerdict = (reply: readonly number[], at: number): Verdict => ({
  fits: FITS[reply[at] ?? 0] ?? 'later',
  used: reply[at + 1] ?? 0,
  index: reply[at + 2] ?? 0,
  releaseMs: reply[at + 3] ?? 0,
  resetMs: reply[at + 4] ?? 0,
  fitMs: reply[at + 5] ?? 0,
})
