import { UpstreamTooLarge } from '../errors/gateway-error.ts'
import type { HeaderFields } from './header-fields.ts'

/**
 * A stream of bytes that is pulled: nothing is read from the provider before the client takes what there is.
 * `read` gives `undefined` at a proper end and throws at an improper one. `cancel` may come at any time, also twice.
 */
export interface ByteStream {
  read(): Promise<Uint8Array | undefined>
  cancel(reason?: unknown): void
}

/** What a stage hands back to the stage around it. */
export interface Answer {
  status: number
  readonly headers: HeaderFields
  /** The body goes out byte by byte: nothing is put between its pieces, and a failure cuts the connection. */
  readonly verbatim?: true
  body: Uint8Array | ByteStream
}

export const isByteStream = (body: Uint8Array | ByteStream): body is ByteStream => !(body instanceof Uint8Array)

/**
 * All bytes of a stream in one piece.
 * @throws UpstreamTooLarge past `maxBytes`; the stream is cancelled then.
 */
export const collect = async (stream: ByteStream, maxBytes: number): Promise<Uint8Array> => {
  const pieces: Uint8Array[] = []
  let length = 0
  for (let piece = await stream.read(); piece !== undefined; piece = await stream.read()) {
    length += piece.length
    if (length > maxBytes) {
      stream.cancel()
      throw new UpstreamTooLarge(`The provider's answer is larger than ${maxBytes} bytes.`)
    }
    pieces.push(piece)
  }
  return concat(pieces)
}

/** The bytes of a stream in one piece or, where there are more than `maxBytes`, the stream as it was. */
export const collectUpTo = async (stream: ByteStream, maxBytes: number): Promise<Uint8Array | ByteStream> => {
  const pieces: Uint8Array[] = []
  let length = 0
  for (let piece = await stream.read(); piece !== undefined; piece = await stream.read()) {
    pieces.push(piece)
    length += piece.length
    if (length > maxBytes) {
      return {
        read: async () => pieces.shift() ?? stream.read(),
        cancel: (reason) => stream.cancel(reason),
      }
    }
  }
  return concat(pieces)
}

/**
 * Joins pieces. A single one is given back as it is, and neighbours in one buffer (such as the events of one network
 * read) become one view of it: nothing is copied then.
 */
export const concat = (pieces: readonly Uint8Array[]): Uint8Array => {
  const [first] = pieces
  if (first === undefined) return new Uint8Array(0)
  if (pieces.length === 1) return first
  let length = 0
  let neighbours = true
  for (const piece of pieces) {
    neighbours &&= piece.buffer === first.buffer && piece.byteOffset === first.byteOffset + length
    length += piece.length
  }
  if (neighbours) return new Uint8Array(first.buffer, first.byteOffset, length)
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const piece of pieces) {
    bytes.set(piece, offset)
    offset += piece.length
  }
  return bytes
}
