import type { Settlement } from '../ring/ring-store.ts'
import type { Timers } from './deadline.ts'

/** Milliseconds in which settlements are gathered. */
const GATHER_MS = 5
/** Settlements that are sent together; so many do not wait. */
const BATCH = 64
const MAXIMUM_WAITING = 10_000

/**
 * Settlements on their way to the shared store, off the path of any call. Each is sent once: what is given back could make
 * room that is not there a second time, and stays counted where that fails; a debt is then counted by this process.
 */
export interface SettlementQueue {
  add(settlement: Settlement): void
  /** While the store is away everything waits. */
  pause(): void
  resume(): void
  /** Sends what waits, paused or not, and waits for what is on its way. */
  close(): Promise<void>
  readonly size: number
  /** Refunds lost since the start, for want of room or because they may have been sent: what they give back stays counted. */
  readonly dropped: number
}

export interface SettlementQueueOptions {
  readonly send: (settlements: readonly Settlement[]) => Promise<void>
  /** A debt that the store may not have. */
  readonly onDebt: (settlement: Settlement) => void
  readonly timers: Timers
  readonly maximumWaiting?: number
}

export const createSettlementQueue = (options: SettlementQueueOptions): SettlementQueue => {
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
    add(settlement) {
      const [oldest] = waiting.length < maximumWaiting ? [] : waiting.splice(0, 1)
      if (oldest !== undefined) giveUp(oldest)
      waiting.push(settlement)
      if (sending !== undefined || isPaused) return
      if (waiting.length >= BATCH) flush()
      else cancelTimer ??= timers.after(GATHER_MS, flush)
    },
    pause() {
      isPaused = true
    },
    resume() {
      isPaused = false
      flush()
    },
    async close() {
      cancelTimer?.()
      await sending
      await sendAll(true)
    },
    get size() {
      return waiting.length
    },
    get dropped() {
      return dropped
    },
  }
}
