import { goneAt, type Verdict } from '../ring/ring.ts'
import type { Charge } from '../ring/ring-store.ts'
import { GRIDS } from '../ring/units.ts'
import type { LastReply } from './last-replies.ts'

/** Milliseconds after which a call that is too large for a share alone may try again: Redis may be back. */
const RETRY_MS = 1_000

/**
 * Most that this process lets through alone, what the shared store last said included: of the rest an equal part for each
 * replica, rounded down. So all replicas together stay within the limit, but for what the others had admitted since that
 * reply; and a limit smaller than the number of replicas lets nothing through while Redis is away, rather than a multiple
 * of itself.
 */
export const localLimitOf = ({ key, limit }: Charge, reply: LastReply | undefined, replicas: number, nowMs: number) => {
  const seen = reply !== undefined && goneAt(reply.index, GRIDS[key.unit]) > nowMs ? reply.used : 0
  return seen + Math.floor(Math.max(0, limit - seen) / Math.max(1, replicas))
}

/** What does not fit into the share but into the limit does not fit now: it is not to be told that it never will. */
export const toLocalVerdict = ({ limit, weight }: Charge, verdict: Verdict): Verdict =>
  verdict.fits === 'never' && Math.max(weight, 1) <= limit ? { ...verdict, fits: 'later', fitMs: RETRY_MS } : verdict
