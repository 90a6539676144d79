import type { Timers } from './timers.ts'

const DELAY_MS = 5
const RETRY_MS = 500

/** What single calls leave behind that were decided here while the shared store answers the others. Off the path of calls. */
export interface Upkeep {
  schedule(): void
  stop(): void
}

export interface UpkeepOptions {
  /** While the shared store is away nothing is done: its return does it. */
  readonly isAway: () => boolean
  /** @returns whether the shared store has all */
  readonly merge: () => Promise<boolean>
  /** @returns whether there is more to free */
  readonly free: () => boolean
  readonly timers: Timers
}

export const createUpkeep = ({ isAway, merge, free, timers }: UpkeepOptions): Upkeep => {
  let cancel: (() => void) | undefined
  let isRunning = false
  let isWanted = false
  let isStopped = false

  const after = (delayMs: number): void => {
    if (cancel === undefined && !isStopped) cancel = timers.after(delayMs, () => void run())
  }

  const run = async (): Promise<void> => {
    cancel = undefined
    if (isAway()) return
    isRunning = true
    isWanted = false
    const isMerged = await merge()
    isRunning = false
    if (isAway()) return
    if (!isMerged) after(RETRY_MS)
    else if (free() || isWanted) after(DELAY_MS)
  }

  return {
    schedule() {
      isWanted = true
      if (!isRunning && !isAway()) after(DELAY_MS)
    },
    stop() {
      isStopped = true
      cancel?.()
    },
  }
}
