import type { Clock } from '../../core/ports.ts'
import type { Timers } from '../away/deadline.ts'

interface Due {
  readonly atMs: number
  readonly run: () => void
}

/** Time that passes when a test says so: both clocks and the timers. */
export interface ManualTime {
  readonly clock: Clock
  readonly timers: Timers
  /** Runs what falls due on the way, in order, and what follows from it. */
  advance(ms: number): Promise<void>
  /** This process stands still: timers that fall due run late, all at the end, after which sockets are read. */
  stall(ms: number, read?: () => void): Promise<void>
  /** Lets promises that can go on do so. */
  settle(): Promise<void>
}

/** Rounds of the microtask queue after which everything that can go on has: more than any chain here is long. */
const ROUNDS = 50

export const createManualTime = (startMs = Date.UTC(2026, 0, 1)): ManualTime => {
  let nowMs = startMs
  let due: Due[] = []
  let soon: (() => void)[] = []
  let isStalled = false

  const settle = async (): Promise<void> => {
    for (let round = 0; round < ROUNDS; round += 1) await Promise.resolve()
  }

  const takeNext = (untilMs: number): Due | undefined => {
    const [first] = due.filter(({ atMs }) => atMs <= untilMs).toSorted((left, right) => left.atMs - right.atMs)
    due = due.filter((each) => each !== first)
    return first
  }

  const runSoon = async (): Promise<void> => {
    const runs = soon
    soon = []
    for (const run of runs) run()
    await settle()
  }

  return {
    clock: { now: () => nowMs, monotonicMs: () => nowMs - startMs },
    timers: {
      after(delayMs, run) {
        const timer = { atMs: nowMs + delayMs, run }
        due.push(timer)
        return () => {
          due = due.filter((each) => each !== timer)
        }
      },
      soon(run) {
        if (isStalled) soon.push(run)
        else queueMicrotask(run)
      },
    },
    async advance(ms) {
      const untilMs = nowMs + ms
      await settle()
      for (let next = takeNext(untilMs); next !== undefined; next = takeNext(untilMs)) {
        nowMs = Math.max(nowMs, next.atMs)
        next.run()
        await settle()
      }
      nowMs = untilMs
      await settle()
    },
    async stall(ms, read = () => undefined) {
      nowMs += ms
      isStalled = true
      for (let next = takeNext(nowMs); next !== undefined; next = takeNext(nowMs)) next.run()
      await settle()
      read()
      await settle()
      isStalled = false
      while (soon.length > 0) await runSoon()
    },
    settle,
  }
}
