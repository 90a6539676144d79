/** What tells that something is given up. An `AbortSignal` is one. */
export interface Abortable {
  readonly aborted: boolean
  /** Why. */
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/**
 * Whether a call is given up, and why. Listening costs next to nothing; a native signal, which does not, is made for those who
 * need one: nearly no call has any.
 */
export class Cancellation implements Abortable {
  /** One or two. */
  #listeners: readonly (() => void)[] = []
  #controller: AbortController | undefined
  #aborted = false
  #reason: unknown

  get aborted(): boolean {
    return this.#aborted
  }

  get reason(): unknown {
    return this.#reason
  }

  /** A native signal that says so too. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#aborted) this.#controller.abort(this.#reason)
    return this.#controller.signal
  }

  /** The first reason counts. */
  abort(reason: unknown): void {
    if (this.#aborted) return
    this.#aborted = true
    this.#reason = reason
    const listeners = this.#listeners
    this.#listeners = []
    for (const listener of listeners) listener()
    this.#controller?.abort(reason)
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners = [...this.#listeners, listener]
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners =
      this.#listeners.length === 1 && this.#listeners[0] === listener
        ? NOBODY
        : this.#listeners.filter((each) => each !== listener)
  }
}

const NOBODY: readonly (() => void)[] = []
