import type { ByteStream } from './answer.ts'

/** Nothing is here yet. */
export const LATER: unique symbol = Symbol('later')

/** What a look at a stream gives: a piece, its end, or neither yet. */
export type Taken = Uint8Array | undefined | typeof LATER

/**
 * A stream that tells when it has something, and gives it without a promise. A promise for each event, at each of the layers
 * that it goes through, costs more than all that is done to the event.
 */
export interface ReadyStream extends ByteStream {
  /** The next piece, `undefined` at a proper end. Throws at an improper one. */
  take(): Taken
  /** Asked after `take` gave `LATER`: calls back once when it is worth to look again. Never before it returns; the last asker counts. */
  whenReady(listener: () => void): void
}

/** `read` for a stream that is ready by itself. */
export const readReady = (stream: ReadyStream): Promise<Uint8Array | undefined> => {
  try {
    const piece = stream.take()
    return piece === LATER ? wait(stream) : Promise.resolve(piece)
  } catch (thrown) {
    return Promise.reject(thrown)
  }
}

const wait = (stream: ReadyStream): Promise<Uint8Array | undefined> =>
  new Promise((resolve, reject) => {
    const look = (): void => {
      try {
        const piece = stream.take()
        if (piece === LATER) stream.whenReady(look)
        else resolve(piece)
      } catch (thrown) {
        reject(thrown)
      }
    }
    stream.whenReady(look)
  })

/** Any stream as one that tells when it is ready. */
export const readyStream = (stream: ByteStream): ReadyStream => (isReady(stream) ? stream : new AwaitedStream(stream))

const isReady = (stream: ByteStream): stream is ReadyStream => 'whenReady' in stream

/** Reads ahead by the one piece that somebody waits for. */
class AwaitedStream implements ReadyStream {
  readonly #source: ByteStream
  #listener: (() => void) | undefined
  #isReading = false
  /** What came of the read. */
  #result: (() => Uint8Array | undefined) | undefined

  constructor(source: ByteStream) {
    this.#source = source
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
    this.#source.read().then(
      (piece) => this.#settle(() => piece),
      (thrown: unknown) =>
        this.#settle(() => {
          throw thrown
        }),
    )
  }

  read(): Promise<Uint8Array | undefined> {
    return readReady(this)
  }

  cancel(reason?: unknown): void {
    this.#source.cancel(reason)
  }

  #settle(result: () => Uint8Array | undefined): void {
    this.#isReading = false
    this.#result = result
    const listener = this.#listener
    this.#listener = undefined
    listener?.()
  }
}
