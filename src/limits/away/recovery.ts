import type { Timers } from './timers.ts'

/** Milliseconds between two attempts. */
const INTERVAL_MS = 500

/** Tries in the background whether the shared store is back. */
export interface Recovery {
  /** For when it went away. */
  start(): void
  stop(): void
}

export interface RecoveryOptions {
  /** Whether the store does what calls need. */
  readonly probe: () => Promise<boolean>
  /** Tells it what was counted without it. */
  readonly merge: () => Promise<boolean>
  readonly onRecovered: () => void
  readonly timers: Timers
}

export const createRecovery = ({ probe, merge, onRecovered, timers }: RecoveryOptions): Recovery => {
  let cancel: (() => void) | undefined
  let isStopped = false

  const attempt = async (): Promise<void> => {
    const isBack = (await probe()) && (await merge())
    if (isStopped) return
    if (isBack) onRecovered()
    else schedule()
  }

  const schedule = (): void => {
    if (isStopped) return
    cancel = timers.after(INTERVAL_MS, () => void attempt())
  }

  return {
    start: schedule,
    stop() {
      isStopped = true
      cancel?.()
    },
  }
}
