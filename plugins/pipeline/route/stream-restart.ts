import { KEEP_ALIVE_COMMENT } from '#core/sse'
import { type Answer, type ByteStream, isByteStream } from '#kit'
import type { Recovery } from './recovery.ts'

export interface RestartOptions {
  /** Bytes of an answer that are held back at most. */
  readonly maxBytes: number
  /** Milliseconds for which the head of the answer is held back too. */
  readonly patienceMs: number
}

/**
 * Holds an answer back until it is whole; when it breaks before, the next target begins a new one. An answer that outgrows
 * the bound begins as it is, and is as good as its target from there.
 */
export class RestartedStream implements ByteStream {
  readonly #recovery: Recovery
  readonly #maxBytes: number
  readonly #whole: Promise<void>
  #answer: Answer
  #source: ByteStream
  #held: Uint8Array[] = []
  /** Goes out before anything else, when the head had to go out alone. */
  #comment: Uint8Array | undefined
  #isWhole = false
  #ended = false
  #cancelled = false

  constructor(recovery: Recovery, source: ByteStream, maxBytes: number) {
    this.#recovery = recovery
    this.#answer = recovery.answer
    this.#source = source
    this.#maxBytes = maxBytes
    this.#whole = this.#collect()
    // The first read awaits it; until then a failure has no other handler.
    this.#whole.then(
      () => {
        this.#isWhole = true
      },
      () => undefined,
    )
  }

  /** Of the target that gives it, or is about to. */
  get answer(): Answer {
    return this.#answer
  }

  /**
   * Waits until the answer is whole, or as long as the patience lasts.
   * @throws what the last target failed with, within the patience
   */
  async settle(patienceMs: number): Promise<void> {
    const patience = Promise.withResolvers<void>()
    const timer = setTimeout(patience.resolve, patienceMs)
    try {
      await Promise.race([this.#whole, patience.promise])
      // Without a byte behind it the server would keep the head.
      if (!this.#isWhole) this.#comment = KEEP_ALIVE_COMMENT
    } finally {
      clearTimeout(timer)
    }
  }

  async read(): Promise<Uint8Array | undefined> {
    const comment = this.#comment
    this.#comment = undefined
    if (comment !== undefined) return comment
    await this.#whole
    const piece = this.#held.shift()
    if (piece !== undefined || this.#ended) return piece
    return this.#source.read()
  }

  cancel(reason?: unknown): void {
    this.#cancelled = true
    this.#ended = true
    this.#held = []
    this.#comment = undefined
    this.#source.cancel(reason)
  }

  async #collect(): Promise<void> {
    let bytes = 0
    while (bytes <= this.#maxBytes) {
      try {
        const piece = await this.#source.read()
        if (piece === undefined) {
          this.#ended = true
          return
        }
        this.#held.push(piece)
        bytes += piece.length
      } catch (thrown) {
        await this.#startAnew(thrown)
        bytes = 0
      }
    }
    this.#recovery.mindSilence(false)
  }

  async #startAnew(thrown: unknown): Promise<void> {
    this.#held = []
    if (this.#cancelled) throw thrown
    const next = await this.#recovery.nextTarget(thrown)
    if (next === undefined || !isByteStream(next.answer.body)) throw thrown
    this.#recovery.mindSilence(true)
    this.#answer = next.answer
    this.#source = next.answer.body
    if (this.#cancelled) {
      this.#source.cancel()
      throw thrown
    }
  }
}
