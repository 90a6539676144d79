import type { Timers } from '../away/deadline.ts'

/** All processes together may have leased one in so many of what is left. */
const SHARE = 8
/** Milliseconds in which asks that are not urgent are gathered. */
export const GATHER_MS = 20
/** Milliseconds after which what is over is given back, where no ask will take it along. */
const SWEEP_MS = 200

/** One process may lease one in so many of what is left. */
export const shareOf = (replicas: number): number => SHARE * Math.max(1, replicas)

/** What the schedule sees of a lease. */
export interface Scheduled {
  /** An ask is on its way, or about to be. */
  isAsking: boolean
  /** It may run out before asks are gathered. */
  readonly isUrgent: boolean
  /** Nothing is in hand. */
  readonly isEmpty: boolean
}

export interface LeaseScheduleOptions<Lease> {
  readonly timers: Timers
  readonly monotonicMs: () => number
  /** Asks for all that are due, with one command where it can. Never throws. */
  readonly ask: (due: readonly Lease[]) => void
  /** Gives back what is over of a lease. */
  readonly giveBackOver: (lease: Lease, nowMs: number) => void
  /** All that was over has been given back. */
  readonly onSwept?: () => void
}

/** When leases are asked for, and when those that nobody uses any more are given back. */
export interface LeaseSchedule<Lease> {
  /** Those that have something in hand, or ask for it. */
  readonly active: ReadonlySet<Lease>
  /** The lease is asked for: before anything else where it is urgent, else with others that come soon. */
  plan(lease: Lease): void
  /** Asks now for all that are due. */
  flush(): void
  /** Asks for nothing any more. */
  close(): void
}

export const createLeaseSchedule = <Lease extends Scheduled>(
  options: LeaseScheduleOptions<Lease>,
): LeaseSchedule<Lease> => {
  const { timers, monotonicMs, ask, giveBackOver, onSwept } = options
  const active = new Set<Lease>()
  let due: Lease[] = []
  let isUrgent = false
  let cancelGather: (() => void) | undefined
  let cancelSweep: (() => void) | undefined
  let isClosed = false

  const flush = (): void => {
    cancelGather?.()
    cancelGather = undefined
    isUrgent = false
    const leases = due
    due = []
    ask(leases)
  }

  const sweep = (): void => {
    cancelSweep = undefined
    const nowMs = monotonicMs()
    for (const lease of active) {
      giveBackOver(lease, nowMs)
      if (lease.isEmpty && !lease.isAsking) active.delete(lease)
    }
    onSwept?.()
    if (active.size > 0 && !isClosed) cancelSweep ??= timers.after(SWEEP_MS, sweep)
  }

  return {
    active,
    plan(lease) {
      lease.isAsking = true
      active.add(lease)
      due.push(lease)
      cancelSweep ??= timers.after(SWEEP_MS, sweep)
      if (lease.isUrgent) {
        if (!isUrgent) timers.soon(() => isUrgent && flush())
        isUrgent = true
      } else if (!isUrgent) cancelGather ??= timers.after(GATHER_MS, flush)
    },
    flush,
    close() {
      isClosed = true
      cancelGather?.()
      cancelSweep?.()
      due = []
    },
  }
}
