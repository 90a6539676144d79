import type { BudgetClaim, Counter } from '../../budgets/counter.ts'
import type { BudgetUnits } from '../../core/budgets.ts'
import type { Timers } from '../away/deadline.ts'
import { createLeaseSchedule, shareOf } from '../leases/lease-schedule.ts'
import type { RedisStore } from '../redis/redis-store.ts'
import { BudgetLease, LEAST_AHEAD } from './budget-lease.ts'
import { NO_BUDGETS, type OpenVerdict } from './claims.ts'
import type { SharedClaim } from './shared-count.ts'
import type { SharedCounts } from './shared-counts.ts'

/** Counts of one command. */
const MOST_COUNTS = 64
const NO_LEASES: readonly BudgetLease[] = []

export interface BudgetLeasesOptions {
  readonly shared: Pick<RedisStore, 'kind' | 'admitAll' | 'onLost'>
  readonly counts: Pick<SharedCounts, 'countOf' | 'ask' | 'answered' | 'unanswered' | 'changed'>
  /** Processes that share the counts. */
  readonly replicas: () => number
  readonly timers: Timers
  readonly monotonicMs: () => number
  /** Hears what all have used of a count, without what this process holds ahead. */
  readonly onHeard: (claim: BudgetClaim, used: BudgetUnits) => void
}

/**
 * What this process holds ahead of budgets that are far from used up: the shared store counts it as used, so calls that it
 * covers ask nobody. Of what others hold ahead a budget never looks fuller than by one part in eight of what was left.
 */
export interface BudgetLeases {
  /** The leases that cover a call. Changes nothing. @returns undefined where one of its claims has to be asked */
  covering(claims: readonly BudgetClaim[]): readonly BudgetLease[] | undefined
  /** What they say of its claims. What is held follows in the same step. */
  take(claims: readonly BudgetClaim[], leases: readonly BudgetLease[]): readonly OpenVerdict[]
  /** Whether the shared store has said that all are far from used up. */
  areFar(claims: readonly BudgetClaim[], verdicts: readonly OpenVerdict[]): boolean
  /** The shared store has let a call through: the next ones may be covered. */
  note(claims: readonly BudgetClaim[], verdicts: readonly OpenVerdict[]): void
  /** Gives back what is ahead of those that refuse a call: the next command tells. @returns whether there was anything */
  giveBackRefusing(claims: readonly BudgetClaim[], verdicts: readonly OpenVerdict[]): boolean
  /** Gives back what is ahead of all that are claimed. */
  giveBack(claims: readonly BudgetClaim[]): void
  /** What is ahead of a count. */
  leftOf(counter: Counter): BudgetUnits
  /** Nobody knows what the shared store has: nothing of it is used any more. */
  drop(): void
  /** Gives everything back, with what `counts` tells at its end. */
  close(): void
}

/** What is asked for one lease. */
interface Ask {
  readonly lease: BudgetLease
  readonly claim: BudgetClaim
  readonly epoch: number
}

export const createBudgetLeases = (options: BudgetLeasesOptions): BudgetLeases => {
  const { shared, counts, replicas, timers, monotonicMs, onHeard } = options
  let isClosed = false

  const found = (counter: Counter): BudgetLease | undefined => counts.countOf(counter).lease

  const leaseFor = ({ counter, limit }: BudgetClaim): BudgetLease => {
    const count = counts.countOf(counter)
    if (count.lease?.limit === limit) return count.lease
    if (count.lease !== undefined) end(count.lease)
    count.lease = new BudgetLease(counter, limit)
    return count.lease
  }

  const end = (lease: BudgetLease): void => {
    if (lease.isEmpty) return
    lease.end()
    counts.changed(lease.counter)
  }

  /** Sent before this returns. */
  const send = async (asks: readonly Ask[]): Promise<void> => {
    const sentMs = monotonicMs()
    const claimed = asks.map(({ claim }) => counts.ask([claim]))
    let replies: Awaited<ReturnType<typeof shared.admitAll>> | undefined
    try {
      replies = await shared.admitAll(claimed.map((claims) => ({ charges: [], claims })))
    } catch {
      // Nobody knows whether it was done: the whole is told anew.
    }
    for (const [place, ask] of asks.entries()) {
      const reply = replies?.[place]
      const verdict = reply instanceof Error ? undefined : reply?.budgets[0]
      conclude(ask, claimed[place] ?? [], verdict, sentMs)
    }
  }

  const conclude = (
    { lease, claim, epoch }: Ask,
    claims: readonly SharedClaim[],
    verdict: OpenVerdict | undefined,
    sentMs: number,
  ): void => {
    lease.isAsking = false
    if (verdict === undefined) {
      lease.wait(monotonicMs())
      counts.unanswered(claims)
      return
    }
    const { fits, used } = verdict
    onHeard(claim, used - lease.left)
    if (fits && lease.epoch === epoch) lease.granted(claim.weight, used, sentMs)
    else {
      lease.heard(used)
      lease.wait(monotonicMs())
    }
    counts.answered(claims, fits)
  }

  const schedule = createLeaseSchedule<BudgetLease>({
    timers,
    monotonicMs,
    ask(due) {
      const [share, nowMs] = [shareOf(replicas()), monotonicMs()]
      const asks: Ask[] = []
      for (const lease of due) {
        const { counter, limit, epoch } = lease
        const weight = lease.toAsk(share, nowMs)
        lease.isAsking = weight !== undefined
        if (weight === undefined) lease.wait(nowMs)
        else asks.push({ lease, claim: { counter, limit, weight, shadow: false }, epoch })
      }
      const slotOf = ({ lease }: Ask): string => (shared.kind === 'single' ? '' : lease.counter.key.workspaceId)
      for (const part of Map.groupBy(asks, slotOf).values()) {
        for (let at = 0; at < part.length; at += MOST_COUNTS) void send(part.slice(at, at + MOST_COUNTS))
      }
    },
    giveBackOver(lease, nowMs) {
      if (lease.isOver(nowMs)) end(lease)
    },
  })
  const { active, plan } = schedule

  const noteCall = (lease: BudgetLease, weight: BudgetUnits, nowMs: number): void => {
    lease.note(weight, nowMs)
    if (lease.isDue(nowMs)) plan(lease)
  }

  const drop = (): void => {
    for (const lease of active) lease.end()
  }
  shared.onLost(drop)

  return {
    covering(claims) {
      if (claims.length === 0) return NO_LEASES
      if (active.size === 0) return undefined
      const nowMs = monotonicMs()
      const leases: BudgetLease[] = []
      for (const { counter, weight, limit } of claims) {
        const lease = found(counter)
        if (lease?.covers(weight, limit, nowMs) !== true) return undefined
        leases.push(lease)
      }
      return leases
    },

    take(claims, leases) {
      if (claims.length === 0) return NO_BUDGETS
      const nowMs = monotonicMs()
      const verdicts: OpenVerdict[] = []
      for (let place = 0; place < claims.length; place += 1) {
        const lease = leases[place]
        const weight = claims[place]?.weight ?? 0
        if (lease === undefined) continue
        verdicts.push({ fits: true, used: lease.usedBefore(weight), hold: undefined })
        noteCall(lease, weight, nowMs)
      }
      return verdicts
    },

    areFar(claims, verdicts) {
      const share = shareOf(replicas())
      for (const [place, { weight, limit }] of claims.entries()) {
        const left = limit - (verdicts[place]?.used ?? limit)
        if (left < Math.max(LEAST_AHEAD, weight) * share) return false
      }
      return true
    },

    note(claims, verdicts) {
      if (isClosed) return
      const nowMs = monotonicMs()
      for (const [place, claim] of claims.entries()) {
        const lease = leaseFor(claim)
        lease.heard((verdicts[place]?.used ?? claim.limit) + claim.weight)
        noteCall(lease, claim.weight, nowMs)
      }
    },

    giveBackRefusing(claims, verdicts) {
      let isAny = false
      for (const [place, { counter, shadow }] of claims.entries()) {
        const lease = shadow || verdicts[place]?.fits === true ? undefined : found(counter)
        if (lease === undefined || lease.isEmpty) continue
        lease.end()
        lease.wait(monotonicMs())
        isAny = true
      }
      return isAny
    },

    giveBack(claims) {
      for (const { counter } of claims) {
        const lease = found(counter)
        if (lease !== undefined) end(lease)
      }
    },

    leftOf: (counter) => found(counter)?.left ?? 0,

    drop,

    close() {
      isClosed = true
      schedule.close()
      for (const lease of active) end(lease)
    },
  }
}
