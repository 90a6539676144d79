import { LATER, type ReadyStream, type Taken } from '../bodies/ready-stream.ts'
import { encodeEvent } from '../bodies/sse.ts'

/** Events that wait for a client at most; one that does not read loses its stream. */
const MAX_WAITING = 1_000

/** A stream of events that somebody writes and a client reads. */
export class EventOut implements ReadyStream {
  #waiting: Uint8Array[] = []
  #listener: (() => void) | undefined
  #isEnded = false
  #failure: unknown
  readonly #onCancel: () => void

  /** @param onCancel hears that nobody reads any more */
  constructor(onCancel: () => void) {
    this.#onCancel = onCancel
  }

  /** @returns false where nothing more is taken */
  write(message: object): boolean {
    if (this.#isEnded) return false
    if (this.#waiting.length >= MAX_WAITING) {
      this.end(new Error('a client does not read what it asked for'))
      this.#onCancel()
      return false
    }
    this.#waiting.push(encodeEvent(JSON.stringify(message)))
    this.#wake()
    return true
  }

  end(failure?: unknown): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#failure = failure
    this.#wake()
  }

  take(): Taken {
    const next = this.#waiting.shift()
    if (next !== undefined) return next
    if (!this.#isEnded) return LATER
    if (this.#failure !== undefined) throw this.#failure
    return undefined
  }

  whenReady(listener: () => void): void {
    if (this.#waiting.length > 0 || this.#isEnded) queueMicrotask(listener)
    else this.#listener = listener
  }

  cancel(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#waiting = []
    this.#onCancel()
  }

  #wake(): void {
    const listener = this.#listener
    this.#listener = undefined
    listener?.()
  }
}
