/** Leaves out one event that cannot be read, when the next one can: two in a row are no slip any more. */
export class MalformedEvent {
  readonly #onSkipped: (() => void) | undefined
  /** What the event would have failed the stream with, until the next one is here. */
  #pending: { readonly thrown: unknown } | undefined

  /** @param onSkipped hears of each event that was left out; absent: none is */
  constructor(onSkipped: (() => void) | undefined) {
    this.#onSkipped = onSkipped
  }

  get isPending(): boolean {
    return this.#pending !== undefined
  }

  /** An event cannot be read. @throws `thrown` where it is not left out */
  found(thrown: unknown): void {
    if (this.#onSkipped === undefined || this.#pending !== undefined) throw thrown
    this.#pending = { thrown }
  }

  /** The next event can be read. */
  passed(): void {
    this.#pending = undefined
    this.#onSkipped?.()
  }

  /** What to say of a stream that ends, or fails, without being whole: the event before its end comes first. */
  blame(thrown: unknown): unknown {
    return this.#pending === undefined ? thrown : this.#pending.thrown
  }
}
