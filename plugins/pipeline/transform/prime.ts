import {
  type ByteStream,
  concat,
  FirstTokenTimeout,
  LATER,
  type ReadyStream,
  readReady,
  readyStream,
  type Taken,
} from '#kit'
import { Opening } from './opening.ts'

export interface PrimeOptions {
  /** Milliseconds after which the stream begins in any case. Absent while another target could still take over. */
  readonly patienceMs?: number
  /** Milliseconds until the first meaningful event; passing it is a failure. */
  readonly firstTokenMs?: number
}

/**
 * Holds a stream back until its first meaningful event: a failure before that still gets a proper HTTP status, or goes
 * unseen to the next target. On the last target, a model that thinks for longer than the patience is not waited for: the
 * stream begins, and the door keeps the client awake.
 * @throws what the stream fails with meanwhile, and FirstTokenTimeout; past the patience the first read throws it.
 */
export const prime = async (stream: ByteStream, { patienceMs, firstTokenMs }: PrimeOptions): Promise<ByteStream> => {
  const opening = firstTokenMs === undefined ? begin(stream) : inTime(begin(stream), firstTokenMs, stream)
  // The first read awaits it; until then a late failure has no other handler.
  opening.catch(() => undefined)
  if (patienceMs === undefined) await opening
  else await withPatience(opening, patienceMs)
  return new PrimedStream(opening, stream)
}

/** What was held back, and then the stream itself. */
class PrimedStream implements ReadyStream {
  readonly #stream: ReadyStream
  #source: ReadyStream

  constructor(opening: Promise<Uint8Array | undefined>, stream: ByteStream) {
    this.#stream = readyStream(stream)
    this.#source = readyStream({ read: () => opening, cancel: (reason) => stream.cancel(reason) })
  }

  take(): Taken {
    if (this.#source === this.#stream) return this.#stream.take()
    const opening = this.#source.take()
    if (opening !== LATER) this.#source = this.#stream
    return opening
  }

  whenReady(listener: () => void): void {
    this.#source.whenReady(listener)
  }

  read(): Promise<Uint8Array | undefined> {
    return readReady(this)
  }

  cancel(reason?: unknown): void {
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

const withPatience = async (opening: Promise<unknown>, ms: number): Promise<void> => {
  const patience = Promise.withResolvers<void>()
  const timer = setTimeout(patience.resolve, ms)
  try {
    await Promise.race([opening, patience.promise])
  } finally {
    clearTimeout(timer)
  }
}
