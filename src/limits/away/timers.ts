/** Timers as a parameter, so that tests need not wait. */
export interface Timers {
  /** @returns cancels it */
  after(delayMs: number, run: () => void): () => void
  /** After what has arrived on the sockets by now was read. */
  soon(run: () => void): void
}

export const systemTimers: Timers = {
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
  soon(run) {
    setImmediate(run)
  },
}
