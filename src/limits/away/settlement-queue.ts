import type { Settlement } from '../ring/ring-store.ts'
import type { Timers } from './deadline.ts'

/** Milliseconds in which settlements are gathered. */
const GATHER_MS = 5
/** Settlements that are sent together; so many do not wait. */
const BATCH = 64
const MAXIMUM_WAITING = 10_000

export interface SettlementQueueOptions {
  readonly send: (settlements: readonly Settlement[]) => Promise<void>
  /** A debt that the store may not have. */
  readonly onDebt: (settlement: Settlement) => void
  readonly timers: Timers
  readonly maximumWaiting?: number
}

/**
 * Settlements on their way to the shared store, off the path of any call. Each is sent once: what is given back could make
 * room that is not there a second time, and stays counted where that fails; a debt is then counted by this process.
 */
export const createSettlementQueue = (options: SettlementQueueOptions) => {
  const { send, onDebt, timers, maximumWaiting = MAXIMUM_WAITING } = options
  /** Oldest first. */
  const waiting: Settlement[] = []
  let isPaused = false
  let dropped = 0
  let sending: Promise<void> | undefined
  let cancelTimer: (() => void) | undefined

  const giveUp = (settlement: Settlement): void => {
    if (settlement.delta > 0) onDebt(settlement)
    else dropped += 1
  }

  const sendAll = async (evenPaused: boolean): Promise<void> => {
    while (waiting.length > 0 && (evenPaused || !isPaused)) {
      const batch = waiting.splice(0, BATCH)
      try {
        await send(batch)
      } catch {
        for (const settlement of batch) giveUp(settlement)
      }
    }
  }

  const flush = (): void => {
    cancelTimer?.()
    cancelTimer = undefined
    sending ??= sendAll(false).finally(() => {
      sending = undefined
    })
  }

  return {
    add(settlement: Settlement): void {
      const [oldest] = waiting.length < maximumWaiting ? [] : waiting.splice(0, 1)
      if (oldest !== undefined) giveUp(oldest)
      waiting.push(settlement)
      if (sending !== undefined || isPaused) return
      if (waiting.length >= BATCH) flush()
      else cancelTimer ??= timers.after(GATHER_MS, flush)
    },
    /** While the store is away everything waits. */
    pause(): void {
      isPaused = true
    },
    resume(): void {
      isPaused = false
      flush()
    },
    /** Sends what waits, paused or not, and waits for what is on its way. */
    async close(): Promise<void> {
      cancelTimer?.()
      await sending
      await sendAll(true)
    },
    get size(): number {
      return waiting.length
    },
    /** Refunds lost since the start: what they give back stays counted. */
    get dropped(): number {
      return dropped
    },
  }
}
