import type { Verdict } from '../ring/ring.ts'
import type { Admission, Charge, RingKey } from '../ring/ring-store.ts'
import { argumentsOf, namesOf } from './redis-keys.ts'
import type { ScriptArgument } from './redis-scripts.ts'

/** The charges of one call. */
export type Check = readonly Charge[]

/** One run of `scripts/admit.lua`. */
export interface AdmitRun {
  readonly keys: readonly string[]
  readonly args: readonly ScriptArgument[]
}

const FITS = ['later', 'yes', 'never'] as const
/** Numbers of one verdict in a reply. */
const VERDICT_LENGTH = 6

/** A ring is told once, however many calls charge it: those that come together often share theirs. */
export const toAdmitRun = (checks: readonly Check[], changes: boolean): AdmitRun => {
  const keys: string[] = []
  const args: ScriptArgument[] = [changes ? 0 : 1, checks.length]
  const calls: ScriptArgument[] = []
  const places = new Map<RingKey, { readonly number: number; readonly grain: number }>()
  for (const check of checks) {
    calls.push(check.length)
    for (const { key, limit, weight, grain, shadow } of check) {
      let place = places.get(key)
      if (place?.grain !== grain) {
        const { ring, index } = namesOf(key)
        keys.push(ring, index)
        args.push(...argumentsOf(key, grain))
        place = { number: keys.length / 2, grain }
        places.set(key, place)
      }
      calls.push(limit, weight, shadow ? 1 : 0, place.number)
    }
  }
  for (const argument of calls) args.push(argument)
  return { keys, args }
}

/** Why a call cannot be asked for: a fault of who asks. */
export const faultOf = (check: Check): Error | undefined => {
  try {
    for (const [place, { key }] of check.entries()) {
      const { ring } = namesOf(key)
      for (let before = 0; before < place; before += 1) {
        const other = check[before]?.key
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
export const toAdmission = (reply: unknown, { length }: Check): Admission | Error => {
  // As the driver has it of a whole script.
  if (typeof reply === 'string') return Object.assign(new Error(reply), { name: 'ReplyError' })
  if (!Array.isArray(reply) || !reply.every(isNumber) || reply.length !== 1 + length * VERDICT_LENGTH) {
    return new Error('Redis answered a script of the rate limits with something else than verdicts')
  }
  const verdicts: Verdict[] = []
  for (let at = 1; at < reply.length; at += VERDICT_LENGTH) verdicts.push(toVerdict(reply, at))
  return { admitted: reply[0] === 1, verdicts }
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
