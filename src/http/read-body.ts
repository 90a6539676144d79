import { concat } from '../core/bodies/answer.ts'
import { BodyTimeout, BodyTooLarge, InvalidRequest } from '../errors/gateway-error.ts'
import { Alarm, type Sleeper } from '../timing/alarm.ts'

export interface BodyLimits {
  readonly maxBytes: number
  readonly timeoutMs: number
}

const EMPTY = new Uint8Array(0)

/**
 * Reads the body of a request within its limits.
 * @throws BodyTooLarge by its declared length at once, else as soon as it has grown too large; BodyTimeout; InvalidRequest
 * when the client breaks off or sends a compressed body.
 */
export const readBody = async (request: Request, { maxBytes, timeoutMs }: BodyLimits): Promise<Uint8Array> => {
  const { headers } = request
  const declared = headers.get('content-length')
  // Asked for the body itself, the server makes a stream of it: too dear for the usual body, whose length is known.
  if (declared === '0' || (declared === null && request.body === null)) return EMPTY
  refuseCoded(headers)
  if (declared !== null && Number(declared) > maxBytes) throw tooLarge(maxBytes)
  // With a declared length the server enforces it, so the fast way of reading is bounded too.
  const reading = declared === null && request.body !== null ? readChunks(request.body, maxBytes) : request.bytes()
  try {
    return await new Arrival(reading, timeoutMs).whole
  } catch (thrown) {
    if (thrown instanceof BodyTimeout || thrown instanceof BodyTooLarge) throw thrown
    throw new InvalidRequest('The request body could not be read to its end.', { cause: thrown })
  }
}

/** @throws InvalidRequest for a compressed body: nobody could look into it, or say how large it is */
export const refuseCoded = (headers: Headers): void => {
  const encoding = headers.get('content-encoding')
  if (encoding === null || encoding.toLowerCase() === 'identity') return
  throw new InvalidRequest('Compressed request bodies are not accepted: send the body as it is.', {
    param: 'content-encoding',
  })
}

/** One timer for the bodies of all calls: nearly all of them come right behind their head. */
const alarm = new Alarm(() => performance.now())

/** Bytes on their way, and the moment until when it is waited for. */
export class Arrival<T> implements Sleeper {
  slot = -1
  readonly #atMs: number
  readonly #timeoutMs: number
  readonly #promise = Promise.withResolvers<T>()

  constructor(reading: Promise<T>, timeoutMs: number) {
    const nowMs = alarm.now()
    this.#atMs = nowMs + timeoutMs
    this.#timeoutMs = timeoutMs
    alarm.add(this, this.#atMs, nowMs)
    reading.then(
      (read) => {
        alarm.remove(this)
        this.#promise.resolve(read)
      },
      (thrown: unknown) => {
        alarm.remove(this)
        this.#promise.reject(thrown)
      },
    )
  }

  get whole(): Promise<T> {
    return this.#promise.promise
  }

  wake(nowMs: number): number {
    if (nowMs < this.#atMs) return this.#atMs
    alarm.remove(this)
    this.#promise.reject(new BodyTimeout(`The request body did not arrive within ${this.#timeoutMs} ms.`))
    return Number.POSITIVE_INFINITY
  }
}

const readChunks = async (body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> => {
  const pieces: Uint8Array[] = []
  let length = 0
  const reader = body.getReader()
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    length += piece.value.length
    if (length > maxBytes) {
      await reader.cancel()
      throw tooLarge(maxBytes)
    }
    pieces.push(piece.value)
  }
  return concat(pieces)
}

export const tooLarge = (maxBytes: number): BodyTooLarge =>
  new BodyTooLarge(`The request body is larger than ${Math.floor((maxBytes / 1024 / 1024) * 100) / 100} MB.`)
