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

export type Outcome<T> =
  | { readonly kind: 'reply'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'late' }

export interface DeadlineOptions {
  readonly deadlineMs: number
  readonly timers: Timers
  readonly monotonicMs: () => number
}

/** A timer that fires so much too late says that this process stood still, not that nobody answered. */
const STALL_MS = 10
/** Rounds of the event loop in which an answer that has arrived meanwhile can be read. */
const STALL_ROUNDS = 2

/** Waits for a reply, but not for longer than the deadline. The work goes on: its promise may still settle later. */
export const withinDeadline = <T>(
  reply: Promise<T>,
  { deadlineMs, timers, monotonicMs }: DeadlineOptions,
): Promise<Outcome<T>> =>
  new Promise((resolve) => {
    const startedMs = monotonicMs()
    let isSettled = false
    const settle = (outcome: Outcome<T>): void => {
      isSettled = true
      cancel()
      resolve(outcome)
    }
    const readFirst = (rounds: number): void => {
      if (isSettled) return
      if (rounds === 0) settle({ kind: 'late' })
      else timers.soon(() => readFirst(rounds - 1))
    }
    const cancel = timers.after(deadlineMs, () => {
      const hasStalled = monotonicMs() - startedMs >= deadlineMs + STALL_MS
      readFirst(hasStalled ? STALL_ROUNDS : 0)
    })
    reply.then(
      (value) => settle({ kind: 'reply', value }),
      (error: unknown) => settle({ kind: 'failed', error }),
    )
  })
