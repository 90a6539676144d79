import { concat } from '#core/answer'
import { FirstTokenTimeout, Pipe, type PipeMachine, type PipeOut, type ReadyStream } from '#kit'
import { Opening } from './opening.ts'

/**
 * Holds a stream back until its first meaningful event: a failure before that still gets a proper HTTP status, or goes
 * unseen to the next target.
 * @param name tells a failure, before that event or after it, in other words
 * @param firstTokenMs milliseconds until that event; passing them is a failure
 * @throws what the stream fails with meanwhile, and FirstTokenTimeout
 */
export const prime = async (
  stream: ReadyStream,
  name: (thrown: unknown) => unknown,
  firstTokenMs?: number,
): Promise<ReadyStream> => {
  const primed = new Pipe(stream, new Held(name))
  const tooLate = (): void =>
    primed.giveUp(new FirstTokenTimeout('The provider did not come to its first token within the limit.'))
  const timer = firstTokenMs === undefined ? undefined : setTimeout(tooLate, firstTokenMs)
  try {
    await primed.begin()
    return primed
  } finally {
    clearTimeout(timer)
  }
}

class Held implements PipeMachine {
  readonly #opening = new Opening()
  readonly #name: (thrown: unknown) => unknown
  #pieces: Uint8Array[] | undefined = []

  constructor(name: (thrown: unknown) => unknown) {
    this.#name = name
  }

  push(piece: Uint8Array, out: PipeOut): void {
    if (this.#pieces === undefined) {
      out.write(piece)
      return
    }
    this.#pieces.push(piece)
    if (this.#opening.endsWith(piece)) this.end(out)
  }

  end(out: PipeOut): void {
    const pieces = this.#pieces ?? []
    this.#pieces = undefined
    if (pieces.length > 0) out.write(concat(pieces))
  }

  fail(thrown: unknown): void {
    throw this.#name(thrown)
  }
}
