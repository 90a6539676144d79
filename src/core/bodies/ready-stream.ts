/** Nothing is here yet. */
export const LATER: unique symbol = Symbol('later')

/** What a look at a stream gives: a piece, its end, or neither yet. */
export type Taken = Uint8Array | undefined | typeof LATER

/**
 * Bytes that are pulled: nothing is read from the provider before the client takes what there is. The stream tells when it has
 * something, and gives it without a promise: one for each event, at each of the layers that it goes through, costs more than
 * all that is done to the event.
 */
export interface ReadyStream {
  /** The next piece, `undefined` at a proper end. Throws at an improper one. */
  take(): Taken
  /** Asked after `take` gave `LATER`: calls back once when it is worth to look again. Never before it returns; the last asker counts. */
  whenReady(listener: () => void): void
  /** Gives up what has not been taken. May come at any time, also twice. */
  cancel(): void
}

export const isReadyStream = (body: Uint8Array | ReadyStream): body is ReadyStream => !(body instanceof Uint8Array)

/** Settles when it is worth to look again. */
export const ready = (stream: ReadyStream): Promise<void> => new Promise((resolve) => stream.whenReady(resolve))

/** The next piece, waited for. `undefined` at a proper end. */
export const nextPiece = async (stream: ReadyStream): Promise<Uint8Array | undefined> => {
  for (;;) {
    const piece = stream.take()
    if (piece !== LATER) return piece
    await ready(stream)
  }
}

/** A stream of pieces that are here, or are made as they are taken. */
export const fromPieces = (pieces: Iterable<Uint8Array>): ReadyStream => {
  const left = pieces[Symbol.iterator]()
  let isCancelled = false
  return {
    take: () => {
      const next = isCancelled ? undefined : left.next()
      return next === undefined || next.done === true ? undefined : next.value
    },
    // Never asked: something is always here.
    whenReady: queueMicrotask,
    cancel: () => {
      isCancelled = true
    },
  }
}

/** What gives each piece by a promise, like the reader of a web stream; `undefined` at its end. */
export interface PieceReader {
  read(): Promise<Uint8Array | undefined>
  cancel(): void
}

/** A stream of what is read by promises. Reads ahead by the one piece that somebody waits for. */
export const fromReader = (reader: PieceReader): ReadyStream => new ReaderStream(reader)

/** A stream of what a generator makes. @param cancel what is done where nobody reads any more; by default the generator ends */
export const fromGenerator = (
  pieces: AsyncGenerator<Uint8Array, void>,
  cancel: () => void = () => void pieces.return(undefined).catch(() => undefined),
): ReadyStream =>
  fromReader({
    async read() {
      const { value, done } = await pieces.next()
      return done === true ? undefined : value
    },
    cancel,
  })

/** A stream of the body of a web response; an empty one where there is none. */
export const fromWeb = (body: ReadableStream<Uint8Array> | null): ReadyStream => {
  const reader = body?.getReader()
  return fromReader({
    read: async () => (await reader?.read())?.value,
    cancel: () => void reader?.cancel().catch(() => undefined),
  })
}

class ReaderStream implements ReadyStream {
  readonly #reader: PieceReader
  #listener: (() => void) | undefined
  #isReading = false
  /** What came of the read. */
  #result: (() => Uint8Array | undefined) | undefined

  constructor(reader: PieceReader) {
    this.#reader = reader
  }

  take(): Taken {
    const result = this.#result
    if (result === undefined) return LATER
    this.#result = undefined
    return result()
  }

  whenReady(listener: () => void): void {
    this.#listener = listener
    if (this.#isReading) return
    this.#isReading = true
    this.#reader.read().then(
      (piece) => this.#settle(() => piece),
      (thrown: unknown) =>
        this.#settle(() => {
          throw thrown
        }),
    )
  }

  cancel(): void {
    this.#reader.cancel()
  }

  #settle(result: () => Uint8Array | undefined): void {
    this.#isReading = false
    this.#result = result
    const listener = this.#listener
    this.#listener = undefined
    listener?.()
  }
}
