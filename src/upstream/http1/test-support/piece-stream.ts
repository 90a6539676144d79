import { LATER, type ReadyStream, type Taken } from '../../../core/bodies/ready-stream.ts'

/** A stream that a test plays: pieces, an error that it breaks with, or a promise that has to settle first. */
export class PieceStream implements ReadyStream {
  readonly #steps: readonly (Uint8Array | Error | Promise<void>)[]
  #at = 0
  #isAwaiting = false
  taken = 0
  cancelled = 0

  constructor(...steps: readonly (string | Uint8Array | Error | Promise<void>)[]) {
    this.#steps = steps.map((step) => (typeof step === 'string' ? Buffer.from(step) : step))
  }

  take(): Taken {
    const step = this.#steps[this.#at]
    if (step instanceof Promise) return LATER
    this.#at++
    if (step instanceof Error) throw step
    if (step !== undefined) this.taken += step.length
    return step
  }

  whenReady(listener: () => void): void {
    const step = this.#steps[this.#at]
    if (!(step instanceof Promise) || this.#isAwaiting) throw new Error('nobody has to wait')
    this.#isAwaiting = true
    void step.then(() => {
      this.#isAwaiting = false
      this.#at++
      listener()
    })
  }

  cancel(): void {
    this.cancelled++
  }
}
