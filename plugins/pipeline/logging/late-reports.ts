import { MOST_DEADLINE_MS } from '#calls/guardrails/compile'
import { within } from '#timing/within'

export interface LateReportsOptions {
  /** Milliseconds after the end of a call in which guardrails may still report. */
  readonly lateMs?: number
  /** Milliseconds that a stop waits for them. */
  readonly stopMs?: number
  /** Calls that wait at the same time: what is to be kept of one more does not. */
  readonly most?: number
  /** Gets what goes wrong with keeping it. */
  onError(thrown: unknown): void
}

/** Calls that have ended, and whose guardrails still report: what is to be kept of them waits, but not for ever. */
export class LateReports {
  readonly #options: Required<LateReportsOptions>
  readonly #waiting = new Set<Promise<void>>()
  readonly #stop = new AbortController()

  /** By default calls wait as long as a check may take. */
  constructor({ lateMs = MOST_DEADLINE_MS, stopMs = 10_000, most = 2_000, onError }: LateReportsOptions) {
    this.#options = { lateMs, stopMs, most, onError }
  }

  /** Does something once all have reported, or when nobody waits for them any longer. */
  keepAfter(pending: Promise<unknown>, keep: () => void): void {
    const { lateMs, most, onError } = this.#options
    if (this.#waiting.size >= most) {
      keep()
      return
    }
    const done = within(pending, lateMs, undefined, this.#stop.signal)
      .catch(() => undefined)
      .then(keep)
      .catch(onError)
      .finally(() => this.#waiting.delete(done))
    this.#waiting.add(done)
  }

  /** Settles once all is kept. */
  async settle(): Promise<void> {
    const timer = setTimeout(() => this.#stop.abort(), this.#options.stopMs)
    await Promise.all(this.#waiting)
    clearTimeout(timer)
  }
}
