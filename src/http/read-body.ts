import { concat } from '../core/answer.ts'
import { BodyTimeout, BodyTooLarge, InvalidRequest } from '../errors/gateway-error.ts'

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
  if (request.body === null) return EMPTY
  const encoding = request.headers.get('content-encoding')
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    throw new InvalidRequest('Compressed request bodies are not accepted: send the body as it is.', {
      param: 'content-encoding',
    })
  }
  const declared = request.headers.get('content-length')
  if (declared !== null && Number(declared) > maxBytes) throw tooLarge(maxBytes)
  // With a declared length the server enforces it, so the fast way of reading is bounded too.
  const reading = declared === null ? readChunks(request.body, maxBytes) : request.bytes()
  // Most bodies came with the head and are there already: no clock needs to run for them.
  if (Bun.peek.status(reading) === 'fulfilled') return reading
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new BodyTimeout(`The request body did not arrive within ${timeoutMs} ms.`)),
      timeoutMs,
    )
  })
  try {
    return await Promise.race([reading, late])
  } catch (thrown) {
    if (thrown instanceof BodyTimeout || thrown instanceof BodyTooLarge) throw thrown
    throw new InvalidRequest('The request body could not be read to its end.', { cause: thrown })
  } finally {
    clearTimeout(timer)
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

const tooLarge = (maxBytes: number): BodyTooLarge =>
  new BodyTooLarge(`The request body is larger than ${Math.floor((maxBytes / 1024 / 1024) * 100) / 100} MB.`)
