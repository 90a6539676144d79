import { type Answer, isReadyStream, type PipeMachine, type PipeOut, type ReadyStream } from '#kit'
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
export class Restart implements PipeMachine {
  readonly #recovery: Recovery
  readonly #maxBytes: number
  #answer: Answer
  /** Absent once it has begun. */
  #held: Uint8Array[] | undefined = []
  #bytes = 0

  constructor(recovery: Recovery, maxBytes: number) {
    this.#recovery = recovery
    this.#answer = recovery.answer
    this.#maxBytes = maxBytes
    recovery.mindSilence(true)
  }

  /** Answer of the target that gives it, or is about to. */
  get answer(): Answer {
    return this.#answer
  }

  push(piece: Uint8Array, out: PipeOut): void {
    if (this.#held === undefined) {
      out.write(piece)
      return
    }
    this.#held.push(piece)
    this.#bytes += piece.length
    if (this.#bytes <= this.#maxBytes) return
    this.end(out)
    this.#recovery.mindSilence(false)
  }

  end(out: PipeOut): void {
    for (const piece of this.#held ?? []) out.write(piece)
    this.#held = undefined
  }

  fail(thrown: unknown, out: PipeOut): void {
    if (this.#held === undefined) throw thrown
    this.#held = []
    this.#bytes = 0
    out.readFrom(this.#startAnew(thrown))
  }

  async #startAnew(thrown: unknown): Promise<ReadyStream> {
    const next = await this.#recovery.nextTarget(thrown)
    if (next === undefined || !isReadyStream(next.answer.body)) throw thrown
    this.#recovery.mindSilence(true)
    this.#answer = next.answer
    return next.answer.body
  }
}
