import type { RingGiveBack, RingGrant, RingLeaseAsk } from '../ring/ring-store.ts'
import { argumentsOf, namesOf } from './redis-keys.ts'
import type { ScriptArgument } from './redis-scripts.ts'

/** One run of `scripts/lease.lua`. */
export interface LeaseRun {
  readonly keys: readonly string[]
  readonly args: readonly ScriptArgument[]
}

/** Values of one part of a reply. */
const PART_LENGTH = 6
/** What is given back is written as it was charged: the script does not look at it. */
const ANY_GRAIN = 1

/** What is given back goes first, so that it can be leased again. */
export const toLeaseRun = (asks: readonly RingLeaseAsk[], backs: readonly RingGiveBack[]): LeaseRun => {
  const keys: string[] = []
  const args: ScriptArgument[] = []
  for (const { key, index, weight, generation } of backs) {
    const { ring, index: groups } = namesOf(key)
    keys.push(ring, groups)
    args.push(0, 0, 1, 0, index, weight, 0, generation, ...argumentsOf(key, ANY_GRAIN))
  }
  for (const { key, limit, grain, wanted, share, inHand, last, leaseMs, generation } of asks) {
    const { ring, index: groups } = namesOf(key)
    keys.push(ring, groups)
    args.push(wanted, limit, share, inHand, last.index, last.weight, leaseMs, generation, ...argumentsOf(key, grain))
  }
  return { keys, args }
}

/** @throws Error when the reply is none */
export const toGrants = (reply: unknown, asked: number): readonly RingGrant[] => {
  if (!Array.isArray(reply) || reply.length < asked * PART_LENGTH) throw noGrants()
  const grants: RingGrant[] = []
  for (let at = reply.length - asked * PART_LENGTH; at < reply.length; at += PART_LENGTH) {
    const [granted, index, used, releaseMs, resetMs, generation]: readonly unknown[] = reply.slice(at, at + PART_LENGTH)
    if (
      typeof granted !== 'number' ||
      typeof index !== 'number' ||
      typeof used !== 'number' ||
      typeof releaseMs !== 'number' ||
      typeof resetMs !== 'number' ||
      typeof generation !== 'string'
    ) {
      throw noGrants()
    }
    grants.push({ granted, index, used, releaseMs, resetMs, generation })
  }
  return grants
}

const noGrants = (): Error => new Error('Redis answered a script of the rate limits with something else than grants')
