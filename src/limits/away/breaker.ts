/** Failures in a row after which nothing is asked any more. */
const MOST_IN_A_ROW = 5
/** Outcomes looked back at; more than half of them failed: the same. */
const LOOKED_BACK = 20

/** Whether a store that fails is still asked. Counts outcomes; when to try again is up to the caller. */
export interface Breaker {
  readonly isOpen: boolean
  succeeded(): void
  /** @returns true when it opens now */
  failed(): boolean
  /** Begins anew. */
  close(): void
}

export const createBreaker = (): Breaker => {
  let isOpen = false
  let inARow = 0
  let outcomes: boolean[] = []
  let failures = 0

  const note = (hasFailed: boolean): void => {
    outcomes.push(hasFailed)
    if (hasFailed) failures += 1
    if (outcomes.length > LOOKED_BACK && outcomes.shift() === true) failures -= 1
    inARow = hasFailed ? inARow + 1 : 0
  }

  return {
    get isOpen() {
      return isOpen
    },
    succeeded() {
      // Replies to what was asked before it opened do not close it.
      if (!isOpen) note(false)
    },
    failed() {
      if (isOpen) return false
      note(true)
      isOpen = inARow >= MOST_IN_A_ROW || failures > LOOKED_BACK / 2
      return isOpen
    },
    close() {
      isOpen = false
      inARow = 0
      outcomes = []
      failures = 0
    },
  }
}
