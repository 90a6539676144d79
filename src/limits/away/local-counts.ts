import type { BudgetClaim } from '../../budgets/counter.ts'
import { admitsAll, NO_BUDGETS } from '../claims/claims.ts'
import type { Holds } from '../claims/holds.ts'
import type { Shares } from '../claims/shares.ts'
import type { RedisStore } from '../redis/redis-store.ts'
import type { MemoryStore } from '../ring/memory-store.ts'
import { goneAt, type Verdict } from '../ring/ring.ts'
import type {
  Admission,
  Charge,
  GroupPage,
  LimitKey,
  Page,
  RingAddition,
  RingKey,
  Settlement,
} from '../ring/ring-store.ts'
import { GRIDS } from '../ring/units.ts'
import type { LastReplies } from './last-replies.ts'
import {
  type LimitAdmission,
  type LimitCharge,
  type LimitJudgement,
  mustBeAsked,
  StoreFailedClosed,
} from './limit-store.ts'

/** Milliseconds after which a call that is too large for a share alone may try again: Redis may be back. */
const RETRY_MS = 1_000
/** Rings that are sent at the same time. */
const AT_ONCE = 64
/** Batches beyond those that were waiting at the start: calls go on meanwhile. */
const MORE_BATCHES = 3

export interface LocalCountsOptions {
  readonly memory: MemoryStore
  readonly shares: Pick<Shares, 'judge'>
  readonly holds: Holds
  readonly replies: LastReplies
  readonly shared: Pick<RedisStore, 'merge'>
  /** Processes that share the limits. */
  readonly replicas: () => number
  readonly now: () => number
}

const NOT_COUNTED: Verdict = { fits: 'yes', used: 0, index: 0, releaseMs: 0, resetMs: 0, fitMs: 0 }

/** A limit in shadow mode refuses nothing, whatever it says of failures. */
const isCounted = ({ onStoreFailure, shadow }: LimitCharge): boolean =>
  onStoreFailure === 'local' || (onStoreFailure === 'closed' && shadow)

/**
 * Counts of this process, for calls that the shared store does not decide. Its rings hold what is still to be added there: a
 * call that the shared store was asked for and did not answer may be in both, for one window. Never is one in neither.
 */
export const createLocalCounts = ({ memory, shares, holds, replies, shared, replicas, now }: LocalCountsOptions) => {
  /**
   * Equal part of a replica in what the shared store last said to be left, rounded down. So all replicas together stay
   * within the limit, but for what the others had admitted since that reply; and a limit smaller than the number of
   * replicas lets nothing through while Redis is away, rather than a multiple of itself.
   */
  const shareOf = ({ key, limit }: Charge): number =>
    Math.floor(Math.max(0, limit - (replies.get(key)?.used ?? 0)) / Math.max(1, replicas()))

  const toWhole = ({ key, limit, weight }: Charge, verdict: Verdict): Verdict => {
    const reply = replies.get(key)
    const whole = {
      ...verdict,
      used: verdict.used + (reply?.used ?? 0),
      resetMs: Math.max(verdict.resetMs, reply === undefined ? 0 : goneAt(reply.index, GRIDS[key.unit]) - now()),
    }
    // What does not fit into the share but into the limit is not to be told that it never will.
    const fitsLater = verdict.fits === 'never' && Math.max(weight, 1) <= limit
    return fitsLater ? { ...whole, fits: 'later', fitMs: RETRY_MS } : whole
  }

  const judge = (charges: readonly Charge[], othersAdmit: boolean, ask: MemoryStore['admit']): Admission => {
    const shares = charges.map((charge) => ({ ...charge, limit: shareOf(charge) }))
    const { admitted, verdicts } = ask(shares, othersAdmit)
    return {
      admitted,
      verdicts: charges.map((charge, place) => toWhole(charge, verdicts[place] ?? NOT_COUNTED)),
    }
  }

  const send = async (addition: RingAddition): Promise<boolean> => {
    try {
      await shared.merge([addition])
    } catch {
      // A lost reply: it is sent again, and may then be counted twice, rather than not at all.
      return false
    }
    for (const [index, weight] of addition.buckets) {
      replies.add(addition.key, index, weight)
      memory.adjust(addition.key, index, -weight)
    }
    return true
  }

  return {
    /**
     * Lets charges with `open` through uncounted, and counts the rest and the claims, all or none. Claims are decided by
     * what the ledger had of all processes, what this one has spent and holds since, and by its share.
     * @throws StoreFailedClosed when a charge that can refuse says `closed`
     */
    decide(charges: readonly LimitCharge[], claims: readonly BudgetClaim[]): LimitAdmission {
      if (charges.some(mustBeAsked)) throw new StoreFailedClosed()
      const counted = charges.filter(isCounted)
      if (counted.length + claims.length === 0) {
        return { admitted: true, verdicts: charges.map(() => NOT_COUNTED), budgets: NO_BUDGETS, origin: 'open' }
      }
      const budgets = shares.judge(claims)
      const { admitted, verdicts } = judge(counted, admitsAll(claims, budgets), memory.admit)
      if (admitted) holds.take(claims, budgets)
      let place = 0
      const all = charges.map((charge) => (isCounted(charge) ? verdicts[place++] : undefined) ?? NOT_COUNTED)
      return { admitted, verdicts: all, budgets, origin: 'local' }
    },

    peek(charges: readonly Charge[], claims: readonly BudgetClaim[]): LimitJudgement {
      const budgets = shares.judge(claims)
      return { ...judge(charges, admitsAll(claims, budgets), memory.peek), budgets }
    },

    groups(limit: LimitKey, page: Page): GroupPage {
      const { groups, total } = memory.groups(limit, page)
      const whole = groups.map((each) => ({
        ...each,
        used: each.used + (replies.get({ ...limit, ...each })?.used ?? 0),
      }))
      return { groups: whole, total }
    },

    /** Gives back, or adds what was used beyond a charge. @returns weight to be given back to the shared store, which has it by now */
    settle(settlement: Settlement): number {
      const { key, index, delta } = settlement
      if (delta < 0) return memory.adjust(key, index, delta)
      memory.settle([settlement])
      return 0
    },

    forget(key: RingKey): void {
      memory.reset(key)
      replies.forget(key)
    },

    /** Adds what was counted to the shared store. @returns whether it has all that was waiting at the start */
    async merge(): Promise<boolean> {
      // Each ring goes by itself, so that one that fails is told from those that do not.
      for (let batches = Math.ceil(memory.size / AT_ONCE) + MORE_BATCHES; batches > 0; batches -= 1) {
        const additions = memory.additions(AT_ONCE)
        if (additions.length === 0) return true
        const merged = await Promise.all(additions.map(send))
        if (merged.includes(false)) return false
      }
      return true
    },
  }
}
