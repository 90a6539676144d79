/** Milliseconds that all retries of a call may wait together. */
const MAX_WAITED_MS = 60_000

export interface BudgetOptions {
  /** Milliseconds that never step back. */
  readonly now: () => number
  /** Milliseconds that a whole call may take. */
  readonly totalMs: number
  /** Requests to providers that one call may cause, over all retries and targets. */
  readonly maxAttempts: number
}

/** What one call may still spend on attempts: retries and targets together, so that they do not multiply. */
export class Budget {
  readonly #options: BudgetOptions
  readonly #startedMs: number
  #asked = 0
  #waitedMs = 0

  constructor(options: BudgetOptions, startedMs = options.now()) {
    this.#options = options
    this.#startedMs = startedMs
  }

  /** Milliseconds that are left of the whole call; may be below 0. */
  get remainingMs(): number {
    const { now, totalMs } = this.#options
    return totalMs - (now() - this.#startedMs)
  }

  /** Whether a provider may be asked once more. */
  get allowsMore(): boolean {
    return this.#asked < this.#options.maxAttempts && this.remainingMs > 0
  }

  /** Whether the next request to a provider is the last one. */
  get isLast(): boolean {
    return this.#asked + 1 >= this.#options.maxAttempts
  }

  /** Milliseconds that retries may still wait. */
  get waitableMs(): number {
    return Math.min(MAX_WAITED_MS - this.#waitedMs, this.remainingMs)
  }

  countAsked(): void {
    this.#asked++
  }

  countWaited(ms: number): void {
    this.#waitedMs += ms
  }
}
