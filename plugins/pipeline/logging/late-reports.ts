import { within } from '#timing/within'

/** Milliseconds after the end of a call in which guardrails may still report: longer than any check gets. */
const LATE_MS = 10_000

/** Calls that have ended, and whose guardrails still report: what is to be kept of them waits, but not for ever. */
export class LateReports {
  readonly #waiting = new Set<Promise<void>>()
  readonly #onError: (thrown: unknown) => void

  /** @param onError gets what goes wrong with keeping it */
  constructor(onError: (thrown: unknown) => void) {
    this.#onError = onError
  }

  /** Does something once all have reported, or at the latest when the time for it is over. */
  keepAfter(pending: Promise<unknown>, keep: () => void): void {
    const done = within(pending, LATE_MS)
      .catch(() => undefined)
      .then(keep)
      .catch(this.#onError)
      .finally(() => this.#waiting.delete(done))
    this.#waiting.add(done)
  }

  /** Settles once nothing waits. */
  async settle(): Promise<void> {
    await Promise.all(this.#waiting)
  }
}
