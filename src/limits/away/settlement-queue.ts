import type { Settlement } from '../ring/ring-store.ts'
import { hasChangedNothing } from './store-failure.ts'
import type { Timers } from './timers.ts'

/** Milliseconds in which settlements are gathered. */
const GATHER_MS = 5
/** Settlements that are sent together; so many do not wait. */
const BATCH = 64
const MAXIMUM_WAITING = 10_000
/** Milliseconds after a failure until what waits is sent again. */
const RETRY_MS = 500
/** Times a debt is sent at most: it is then lost, like that of a process that ends. */
const MOST_ATTEMPTS = 20

interface Waiting {
  readonly settlement: Settlement
  readonly attempts: number
}

/**
 * Settlements on their way to the shared store, off the path of any call. What is given back is sent once, as a second
 * time could make room that is not there; a debt is sent until the store has said that it has it. Either error is on the
 * side of caution.
 */
export interface SettlementQueue {
  add(settlement: Settlement): void
  /** While the store is away everything waits. */
  pause(): void
  resume(): void
  /** Sends what waits, paused or not, and waits for what is on its way. Nothing is sent by itself any more. */
  close(): Promise<void>
  readonly size: number
  /** Settlements lost since the start: for want of room, or because they may have been sent before. */
  readonly dropped: number
}

export interface SettlementQueueOptions {
  /** All of one workspace. */
  readonly send: (settlements: readonly Settlement[]) => Promise<void>
  readonly timers: Timers
  readonly maximumWaiting?: number
}

export const createSettlementQueue = (options: SettlementQueueOptions): SettlementQueue => {
  const { send, timers, maximumWaiting = MAXIMUM_WAITING } = options
  /** Oldest first. */
  const refunds: Waiting[] = []
  const debts: Waiting[] = []
  let isPaused = false
  let isClosed = false
  let dropped = 0
  let sending: Promise<void> | undefined
  let cancelTimer: (() => void) | undefined

  const size = (): number => refunds.length + debts.length

  const put = (waiting: Waiting): void => {
    if (size() >= maximumWaiting) {
      // A refund that is lost leaves too much counted; a debt that is lost, too little.
      const fuller = refunds.length > 0 ? refunds : debts
      fuller.shift()
      dropped += 1
    }
    if (waiting.settlement.delta < 0) refunds.push(waiting)
    else debts.push(waiting)
  }

  const takeBatch = (): Waiting[] => {
    const batch = debts.splice(0, BATCH)
    return batch.length === BATCH ? batch : batch.concat(refunds.splice(0, BATCH - batch.length))
  }

  /** @returns whether the store has them all */
  const sendPart = async (part: readonly Waiting[]): Promise<boolean> => {
    try {
      await send(part.map(({ settlement }) => settlement))
      return true
    } catch (error) {
      const isUnsent = hasChangedNothing(error)
      for (const { settlement, attempts } of part) {
        const again = settlement.delta > 0 || isUnsent
        if (again && attempts + 1 < MOST_ATTEMPTS) put({ settlement, attempts: attempts + 1 })
        else dropped += 1
      }
      return false
    }
  }

  const sendAll = async (evenPaused: boolean): Promise<void> => {
    while (size() > 0 && (evenPaused || !isPaused)) {
      const parts = Map.groupBy(takeBatch(), ({ settlement }) => settlement.key.workspaceId).values()
      const sent = await Promise.all([...parts].map(sendPart))
      if (sent.includes(false)) return schedule(RETRY_MS)
    }
  }

  const flush = (): void => {
    cancelTimer?.()
    cancelTimer = undefined
    sending ??= sendAll(false).finally(() => {
      sending = undefined
      // What came between the last look and now.
      if (size() > 0) schedule(GATHER_MS)
    })
  }

  const schedule = (delayMs: number): void => {
    if (isPaused || isClosed || cancelTimer !== undefined) return
    cancelTimer = timers.after(delayMs, flush)
  }

  return {
    add(settlement) {
      put({ settlement, attempts: 0 })
      // One that is sending, or has failed, goes on by itself.
      if (sending !== undefined || isPaused || isClosed) return
      if (size() === BATCH) flush()
      else schedule(GATHER_MS)
    },
    pause() {
      isPaused = true
      cancelTimer?.()
      cancelTimer = undefined
    },
    resume() {
      isPaused = false
      if (size() > 0) schedule(0)
    },
    async close() {
      isClosed = true
      cancelTimer?.()
      await sending
      await sendAll(true)
    },
    get size() {
      return size()
    },
    get dropped() {
      return dropped
    },
  }
}
