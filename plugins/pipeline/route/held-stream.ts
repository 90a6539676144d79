import { HeaderList } from '#core/header-fields'
import { KEEP_ALIVE_COMMENT } from '#core/sse'
import {
  type Answer,
  type ByteStream,
  isByteStream,
  LATER,
  type ReadyStream,
  readReady,
  readyStream,
  type Taken,
} from '#kit'

/**
 * A streamed answer, or its beginning: when it takes longer than the patience, the head and a comment go out, and the rest
 * follows when it comes. What fails after that is told by the stream.
 * @param onHeld runs before the head goes out without an answer
 * @throws what the answer fails with, within the patience
 */
export const beginInTime = async (answer: Promise<Answer>, patienceMs: number, onHeld: () => void): Promise<Answer> => {
  const patience = Promise.withResolvers<undefined>()
  const timer = setTimeout(patience.resolve, patienceMs)
  try {
    const begun = await Promise.race([answer, patience.promise])
    if (begun !== undefined) return begun
  } finally {
    clearTimeout(timer)
  }
  onHeld()
  const headers = new HeaderList()
  headers.set('content-type', 'text/event-stream; charset=utf-8')
  headers.set('cache-control', 'no-cache')
  return { status: 200, headers, body: new HeldStream(answer) }
}

/** A comment at once, so that the head goes out, and then the stream that is still to come. */
class HeldStream implements ReadyStream {
  #hasBegun = false
  #source: ReadyStream | undefined
  #failure: { readonly thrown: unknown } | undefined
  #listener: (() => void) | undefined
  #cancelled = false

  constructor(answer: Promise<Answer>) {
    answer.then(
      ({ body }) => {
        this.#source = readyStream(isByteStream(body) ? body : inOnePiece(body))
        if (this.#cancelled) this.#source.cancel()
        this.#listener?.()
      },
      (thrown: unknown) => {
        this.#failure = { thrown }
        this.#listener?.()
      },
    )
  }

  take(): Taken {
    if (!this.#hasBegun) {
      this.#hasBegun = true
      return KEEP_ALIVE_COMMENT
    }
    if (this.#failure !== undefined) throw this.#failure.thrown
    return this.#source === undefined ? LATER : this.#source.take()
  }

  whenReady(listener: () => void): void {
    if (this.#source === undefined) this.#listener = listener
    else this.#source.whenReady(listener)
  }

  read(): Promise<Uint8Array | undefined> {
    return readReady(this)
  }

  cancel(reason?: unknown): void {
    this.#cancelled = true
    this.#source?.cancel(reason)
  }
}

const inOnePiece = (bytes: Uint8Array): ByteStream => {
  let rest: Uint8Array | undefined = bytes
  return {
    read() {
      const piece = rest
      rest = undefined
      return Promise.resolve(piece)
    },
    cancel: () => undefined,
  }
}
