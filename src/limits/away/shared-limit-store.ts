import type { Clock, Logger } from '../../core/ports.ts'
import { type CheckOutcome, createGatheredChecks } from '../redis/gathered-checks.ts'
import type { RedisStore } from '../redis/redis-store.ts'
import type { MemoryStore } from '../ring/memory-store.ts'
import type { Verdict } from '../ring/ring.ts'
import type { Admission, Settlement } from '../ring/ring-store.ts'
import { GRIDS } from '../ring/units.ts'
import { withinDeadline } from './deadline.ts'
import { createDoubts } from './doubts.ts'
import { createLastReplies, ringIdOf } from './last-replies.ts'
import { type LimitStore, type ResilientAdmission, type ResilientCharge, StoreFailedClosed } from './limit-store.ts'
import { createLocalFallback, isCounted, type LocalDecision } from './local-fallback.ts'
import { createMerger } from './merger.ts'
import { createOutage } from './outage.ts'
import { probeOf } from './probe.ts'
import { createReconciliation } from './reconciliation.ts'
import { createSettlementQueue } from './settlement-queue.ts'
import { hasChangedNothing } from './store-failure.ts'
import type { Timers } from './timers.ts'
import { createUnmerged } from './unmerged.ts'
import { createUpkeep } from './upkeep.ts'

/** For what operators ask, off the path of calls. */
const OPERATOR_DEADLINE_MS = 1_000
const CLOSE_MS = 1_000
/** Rings whose last reply is remembered. */
const MAXIMUM_REPLIES = 100_000

export interface SharedLimitStoreOptions {
  readonly memory: MemoryStore
  readonly shared: RedisStore
  readonly clock: Clock
  readonly log: Logger
  readonly deadlineMs: number
  readonly replicas: () => number
  readonly timers: Timers
}

/**
 * Asks the shared store, for no longer than the deadline, and never twice. What it does not decide is decided here, by
 * each limit's `onStoreFailure`; once it fails again and again it is not asked until it is back.
 */
export const createSharedLimitStore = (options: SharedLimitStoreOptions): LimitStore => {
  const { memory, shared, clock, log, deadlineMs, replicas, timers } = options
  const { now, monotonicMs } = clock
  const replies = createLastReplies({ maximum: MAXIMUM_REPLIES, now })
  const unmerged = createUnmerged(now)
  const doubts = createDoubts()
  const local = createLocalFallback({ memory, replies, unmerged, doubts, replicas, now })
  const queue = createSettlementQueue({ send: (settlements) => shared.settle(settlements), timers })
  const merger = createMerger({ merge: (additions) => shared.merge(additions), unmerged, replies, timers, monotonicMs })
  const reconciliation = createReconciliation({ local, doubts, unmerged, refundShared: (refund) => queue.add(refund) })

  const outage = createOutage({
    probe: async (workspaceId) => {
      const { kind } = await ask(shared.admit([probeOf(workspaceId)]), deadlineMs)
      return kind === 'reply'
    },
    merge: () => merger.run(),
    onBegin: () => queue.pause(),
    onEnd() {
      queue.resume()
      upkeep.schedule()
    },
    report: () => ({
      settlementsDroppedSinceStart: queue.dropped,
      ringsDroppedSinceStart: unmerged.dropped + memory.forgotten,
    }),
    log,
    timers,
  })
  const upkeep = createUpkeep({
    isAway: () => outage.isOn,
    merge: () => merger.run(),
    free: () => local.free(),
    timers,
  })

  const ask = <T>(reply: Promise<T>, withinMs: number) =>
    withinDeadline(reply, { deadlineMs: withinMs, timers, monotonicMs })

  const noteReplies = (charges: readonly ResilientCharge[], verdicts: readonly Verdict[]): void => {
    for (let place = 0; place < charges.length; place += 1) {
      const charge = charges[place]
      const verdict = verdicts[place]
      if (charge !== undefined && verdict !== undefined && isCounted(charge))
        replies.note(ringIdOf(charge.key), verdict)
    }
  }

  const decideHere = (charges: readonly ResilientCharge[], isInDoubt: boolean): LocalDecision => {
    outage.countCall()
    upkeep.schedule()
    return local.decide(charges, isInDoubt)
  }

  /** What a late reply, or the lack of any, means for a call that was decided here. */
  const follow = async (
    charges: readonly ResilientCharge[],
    doubtsOfCall: LocalDecision['doubts'],
    reply: Promise<Admission>,
  ): Promise<void> => {
    const call = { charges, doubts: doubtsOfCall }
    try {
      const { admitted, verdicts } = await reply
      if (admitted) reconciliation.wasCharged(call, verdicts)
      else reconciliation.wasNotCharged(call)
      noteReplies(charges, verdicts)
    } catch (error) {
      if (hasChangedNothing(error)) reconciliation.wasNotCharged(call)
      else reconciliation.isLost(call)
    }
    upkeep.schedule()
  }

  /** What the shared store said, or what is decided here as it did not. */
  const conclude = (charges: readonly ResilientCharge[], { outcome, reply }: CheckOutcome): ResilientAdmission => {
    if (outcome.kind === 'reply') {
      outage.succeeded()
      const { admitted, verdicts } = outcome.value
      noteReplies(charges, verdicts)
      return { admitted, verdicts, origin: 'shared' }
    }
    const error = outcome.kind === 'failed' ? outcome.error : undefined
    outage.failed(error, charges[0]?.key.workspaceId ?? '')
    let opened: LocalDecision['doubts'] = []
    try {
      const decision = decideHere(charges, !hasChangedNothing(error))
      opened = decision.doubts
      return decision.admission
    } finally {
      // Also for a call that is refused here: it may have been charged there.
      void follow(charges, opened, reply())
    }
  }

  const checks = createGatheredChecks({ shared, deadlineMs, timers, monotonicMs, conclude })

  const debit = (settlement: Settlement): void => {
    if (outage.isOn) {
      local.debit(settlement)
      return
    }
    const { key, grain, delta } = settlement
    replies.add(key, Math.floor(now() / GRIDS[key.unit].bucketMs) + grain - 1, delta)
    queue.add(settlement)
  }

  return {
    admit: (charges) => (outage.isOn ? decideHere(charges, false).admission : checks.ask(charges)),

    settle(settlements, origin) {
      if (origin === 'open') return
      for (const settlement of settlements) {
        if (settlement.delta > 0) debit(settlement)
        else if (settlement.delta < 0 && origin === 'shared') queue.add(settlement)
        else if (settlement.delta < 0) reconciliation.refund(settlement)
      }
    },

    async peek(charges) {
      if (outage.isOn) return local.peek(charges)
      const outcome = await ask(shared.peek(charges), deadlineMs)
      return outcome.kind === 'reply' ? outcome.value : local.peek(charges)
    },

    async groups(limit, page) {
      if (outage.isOn) return memory.groups(limit, page)
      const outcome = await ask(shared.groups(limit, page), OPERATOR_DEADLINE_MS)
      return outcome.kind === 'reply' ? outcome.value : memory.groups(limit, page)
    },

    async reset(key) {
      if (outage.isOn) throw new StoreFailedClosed()
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
      upkeep.stop()
      const sent = Promise.all([merger.run(), queue.close()]).then(() => undefined)
      await ask(sent, CLOSE_MS)
      const unsent = { rings: unmerged.size, settlements: queue.size }
      if (unsent.rings + unsent.settlements > 0)
        log.warn('some use of rate limits could not be shared at the end', unsent)
    },
  }
}
