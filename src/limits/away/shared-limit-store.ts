import type { Counters } from '../../budgets/counter.ts'
import type { Clock, Logger } from '../../core/ports.ts'
import { createBudgetLeases } from '../claims/budget-leases.ts'
import { admitsAll, judgeClaims, NO_CLAIMS } from '../claims/claims.ts'
import { createHolds } from '../claims/holds.ts'
import type { SharedClaim } from '../claims/shared-count.ts'
import { createSharedCounts } from '../claims/shared-counts.ts'
import { createShares } from '../claims/shares.ts'
import { createLeases, isOfLimit } from '../leases/leases.ts'
import type { CheckReply } from '../redis/admit-run.ts'
import { namesOf } from '../redis/redis-keys.ts'
import type { RedisStore } from '../redis/redis-store.ts'
import type { MemoryStore } from '../ring/memory-store.ts'
import type { Charge, Settlement } from '../ring/ring-store.ts'
import { GRIDS } from '../ring/units.ts'
import { type Outcome, systemTimers, type Timers, withinDeadline } from './deadline.ts'
import { type AskedCall, createGatheredChecks, workspaceOf } from './gathered-checks.ts'
import { createLastReplies } from './last-replies.ts'
import { type LimitAdmission, type LimitStore, StoreFailedClosed } from './limit-store.ts'
import { createLocalCounts } from './local-counts.ts'
import { createOutage } from './outage.ts'
import { createSettlementQueue } from './settlement-queue.ts'

const DEADLINE_MS = 40
/** Milliseconds for what operators ask, off the path of calls. */
const OPERATOR_DEADLINE_MS = 1_000
const CLOSE_MS = 1_000
/** Rings whose last reply is remembered. */
const MAXIMUM_REPLIES = 100_000

export interface LimitStoreOptions {
  /** Counts of this process alone: where there is no Redis, and while it is away. */
  readonly memory: MemoryStore
  /** Its connection gives up a command only after a time of its own, much longer than `deadlineMs`. */
  readonly shared?: RedisStore
  /** Tells what was spent of budgets, so that all processes know at once. */
  readonly counters?: Pick<Counters, 'onChange'>
  readonly clock: Clock
  readonly log: Logger
  /** Milliseconds that a call waits for the shared store; 40 when absent. */
  readonly deadlineMs?: number
  /** Processes that share the limits. */
  readonly replicas: () => number
  /**
   * Whether calls of limits and budgets that are far from full may go ahead without asking: see `../leases` and
   * `../claims/budget-leases.ts`. False when absent.
   */
  readonly leases?: boolean
  readonly timers?: Timers
}

/** The one store of a process: in memory without Redis, and with it one that outlives it. */
export const createLimitStore = ({ shared, ...options }: LimitStoreOptions): LimitStore =>
  shared === undefined ? inMemory(options) : createSharedLimitStore({ ...options, shared })

const inMemory = ({ memory, clock }: Pick<LimitStoreOptions, 'memory' | 'clock'>): LimitStore => {
  const holds = createHolds({ monotonicMs: clock.monotonicMs })
  return {
    admit(charges, claims = NO_CLAIMS) {
      holds.sweep()
      const budgets = judgeClaims(claims)
      const { admitted, verdicts } = memory.admit(charges, admitsAll(claims, budgets))
      if (admitted) holds.take(claims, budgets)
      // Nobody else counts: what this process says is what all say.
      return { admitted, verdicts, budgets, origin: 'shared' }
    },
    settle: (settlements) => memory.settle(settlements),
    release: (hold, weight) => holds.release(hold, weight),
    peek(charges, claims = NO_CLAIMS) {
      holds.sweep()
      const budgets = judgeClaims(claims)
      return { ...memory.peek(charges, admitsAll(claims, budgets)), budgets }
    },
    groups: (limit, page) => memory.groups(limit, page),
    reset: (key) => memory.reset(key),
    state: 'memory',
    close: () => Promise.resolve(),
  }
}

/** Proves that a server answers and takes writes: a replica, or a server without memory, does not. Refuses nobody. */
const probeOf = (workspaceId: string): Charge => ({
  key: { workspaceId, limitId: 'weir.probe', unit: 'rps', group: 'probe', label: '' },
  limit: Number.MAX_SAFE_INTEGER,
  weight: 1,
  grain: 1,
  shadow: true,
})

/**
 * Asks the shared store, for no longer than the deadline, and never twice. What it does not decide is decided here, by
 * each limit's `onStoreFailure`; once it fails again and again it is not asked until it is back.
 */
const createSharedLimitStore = (options: LimitStoreOptions & { readonly shared: RedisStore }): LimitStore => {
  const { memory, shared, counters, clock, log, deadlineMs = DEADLINE_MS, replicas, timers = systemTimers } = options
  const { now, monotonicMs } = clock
  const replies = createLastReplies(MAXIMUM_REPLIES, now)
  const counts = createSharedCounts({ tell: (told) => shared.tell(told), timers })
  const holds = createHolds({ monotonicMs, onRelease: counts.changed })
  counters?.onChange(counts.changed)
  const shares = createShares(replicas)
  const common = { shared, replicas, timers, monotonicMs }
  const leases =
    options.leases === true
      ? {
          rings: createLeases({ ...common, onGrant: (key, grant) => replies.note(key, grant) }),
          budgets: createBudgetLeases({ ...common, counts, onHeard: shares.heard }),
        }
      : undefined
  const local = createLocalCounts({ memory, shares, holds, replies, shared, replicas, now })

  const ask = <T>(reply: Promise<T>, withinMs: number): Promise<Outcome<T>> =>
    withinDeadline(reply, { deadlineMs: withinMs, timers, monotonicMs })

  const outage = createOutage({
    probe: async (workspaceId) => (await ask(shared.admit([probeOf(workspaceId)]), deadlineMs)).kind === 'reply',
    merge: () => local.merge(),
    hasMore: () => memory.size > 0,
    onBegin() {
      // From here on this process takes no more than its share of what was left.
      leases?.rings.drop()
      leases?.budgets.drop()
      queue.pause()
      counts.pause()
    },
    onEnd() {
      queue.resume()
      counts.resume()
    },
    report: () => ({ settlementsDroppedSinceStart: queue.dropped, ringsDroppedSinceStart: memory.forgotten }),
    log,
    timers,
  })

  const settleHere = (settlement: Settlement): number => {
    outage.mergeSoon()
    return local.settle(settlement)
  }
  const queue = createSettlementQueue({
    send: (settlements) => shared.settle(settlements),
    onDebt: settleHere,
    timers,
  })

  const decideHere = ({ charges, claims }: AskedCall): LimitAdmission => {
    outage.countCall()
    outage.mergeSoon()
    const admission = local.decide(charges, claims)
    for (const { hold } of admission.budgets) if (hold !== undefined) counts.changed(hold.counter)
    return admission
  }

  /** What the shared store said, or what is decided here as it did not. */
  const conclude = (call: AskedCall, asked: readonly SharedClaim[], outcome: Outcome<CheckReply>): LimitAdmission => {
    if (outcome.kind !== 'reply') {
      counts.unanswered(asked)
      outage.failed(outcome.kind === 'failed' ? outcome.error : undefined, workspaceOf(call))
      return decideHere(call)
    }
    outage.succeeded()
    const { admitted, verdicts, budgets } = outcome.value
    const { charges, claims } = call
    for (let place = 0; place < claims.length; place += 1) {
      const claim = claims[place]
      const budget = budgets[place]
      if (claim === undefined || budget === undefined) continue
      shares.heard(claim, budget.used - (leases?.budgets.leftOf(claim.counter) ?? 0))
    }
    if (admitted) holds.take(claims, budgets)
    counts.answered(asked, admitted)
    for (let place = 0; place < charges.length; place += 1) {
      const charge = charges[place]
      const verdict = verdicts[place]
      if (charge !== undefined && verdict !== undefined) replies.note(charge.key, verdict)
    }
    // Where one has to be asked, as it is close to full, a lease of the others would be of no use.
    if (admitted && leases?.rings.areFar(charges, verdicts) && leases.budgets.areFar(claims, budgets)) {
      leases.rings.note(charges)
      leases.budgets.note(claims, budgets)
    }
    return { admitted, verdicts, budgets, origin: 'shared' }
  }

  const check = createGatheredChecks({ shared, counts, deadlineMs, timers, monotonicMs, conclude })

  const settleShared = (settlement: Settlement): void => {
    const { key, grain, delta } = settlement
    if (delta > 0) replies.add(key, Math.floor(now() / GRIDS[key.unit].bucketMs) + grain - 1, delta)
    queue.add(settlement)
  }

  return {
    admit(charges, claims = NO_CLAIMS) {
      holds.sweep()
      const call = { charges, claims }
      if (outage.isOn) return decideHere(call)
      if (leases === undefined) return check(call)
      const { rings, budgets: ahead } = leases
      const covering = ahead.covering(claims)
      const verdicts = covering && rings.take(charges)
      if (covering !== undefined && verdicts !== undefined) {
        const budgets = ahead.take(claims, covering)
        holds.take(claims, budgets)
        return { admitted: true, verdicts, budgets, origin: 'shared' }
      }
      return check(call).then((admission) => {
        if (admission.admitted || admission.origin !== 'shared') return admission
        // What this process has in hand may be what is missing.
        const isGiven = ahead.giveBackRefusing(claims, admission.budgets)
        return rings.giveBackRefusing(charges, admission) || isGiven ? check(call) : admission
      })
    },

    release: (hold, weight) => holds.release(hold, weight),

    settle(settlements, origin) {
      if (origin === 'open') return
      for (const settlement of settlements) {
        if (origin === 'shared' && leases?.rings.settle(settlement) === true) continue
        // While the store is away, debts are counted here whoever charged the call: local calls have to see them.
        if (origin === 'shared' && (settlement.delta < 0 || !outage.isOn)) {
          settleShared(settlement)
          continue
        }
        const there = settleHere(settlement)
        if (there > 0) queue.add({ ...settlement, delta: -there })
      }
    },

    async peek(charges, claims = NO_CLAIMS) {
      if (outage.isOn) return local.peek(charges, claims)
      const rings = new Set(charges.map(({ key }) => namesOf(key).ring))
      leases?.rings.giveBack((key) => rings.has(namesOf(key).ring))
      leases?.budgets.giveBack(claims)
      const outcome = await ask(shared.peek(charges, counts.look(claims)), deadlineMs)
      return outcome.kind === 'reply' ? outcome.value : local.peek(charges, claims)
    },

    async groups(limit, page) {
      if (outage.isOn) return local.groups(limit, page)
      leases?.rings.giveBack(isOfLimit(limit))
      const outcome = await ask(shared.groups(limit, page), OPERATOR_DEADLINE_MS)
      return outcome.kind === 'reply' ? outcome.value : local.groups(limit, page)
    },

    async reset(key) {
      if (outage.isOn) throw new StoreFailedClosed()
      leases?.rings.forget(key)
      const outcome = await ask(shared.reset(key), OPERATOR_DEADLINE_MS)
      if (outcome.kind !== 'reply') throw new StoreFailedClosed(outcome.kind === 'failed' ? outcome.error : undefined)
      local.forget(key)
      return outcome.value
    },

    get state() {
      return outage.isOn ? 'local' : 'shared'
    },

    async close() {
      outage.stop()
      leases?.budgets.close()
      await ask(Promise.all([local.merge(), leases?.rings.close(), queue.close(), counts.close()]), CLOSE_MS)
      const unsent = { rings: memory.size, settlements: queue.size }
      if (unsent.rings + unsent.settlements > 0)
        log.warn('some use of rate limits could not be shared at the end', unsent)
    },
  }
}
