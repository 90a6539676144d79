import { concat } from '#core/answer'
import { type ByteStream, FirstTokenTimeout, type ReadyStream, readReady, readyStream, type Taken } from '#kit'
import { Opening } from './opening.ts'

/**
 * Holds a stream back until its first meaningful event: a failure before that still gets a proper HTTP status, or goes
 * unseen to the next target.
 * @param firstTokenMs milliseconds until that event; passing them is a failure
 * @throws what the stream fails with meanwhile, and FirstTokenTimeout
 */
export const prime = async (stream: ByteStream, firstTokenMs?: number): Promise<ByteStream> => {
  const opening = begin(stream)
  return new PrimedStream(
    await (firstTokenMs === undefined ? opening : inTime(opening, firstTokenMs, stream)),
    readyStream(stream),
  )
}

/** What was held back, and then the stream itself. */
class PrimedStream implements ReadyStream {
  readonly #stream: ReadyStream
  #opening: Uint8Array | undefined

  constructor(opening: Uint8Array | undefined, stream: ReadyStream) {
    this.#opening = opening
    this.#stream = stream
  }

  take(): Taken {
    const opening = this.#opening
    if (opening === undefined) return this.#stream.take()
    this.#opening = undefined
    return opening
  }

  whenReady(listener: () => void): void {
    this.#stream.whenReady(listener)
  }

  read(): Promise<Uint8Array | undefined> {
    return readReady(this)
  }

  cancel(reason?: unknown): void {
    this.#opening = undefined
    this.#stream.cancel(reason)
  }
}

/** All pieces up to the one that holds the first meaningful event. */
const begin = async (stream: ByteStream): Promise<Uint8Array | undefined> => {
  const opening = new Opening()
  const held: Uint8Array[] = []
  for (let piece = await stream.read(); piece !== undefined; piece = await stream.read()) {
    held.push(piece)
    if (opening.endsWith(piece)) break
  }
  return held.length === 0 ? undefined : concat(held)
}

const inTime = async <Value>(opening: Promise<Value>, ms: number, stream: ByteStream): Promise<Value> => {
  const limit = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    limit.reject(new FirstTokenTimeout('The provider did not come to its first token within the limit.'))
    stream.cancel()
  }, ms)
  try {
    return await Promise.race([opening, limit.promise])
  } finally {
    clearTimeout(timer)
  }
}
