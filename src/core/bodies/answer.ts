import { UpstreamTooLarge } from '../../errors/gateway-error.ts'
import type { HeaderFields } from '../header-fields.ts'
import type { UpstreamSocket } from '../ports.ts'
import { Pipe } from './pipe.ts'
import { LATER, type ReadyStream, ready } from './ready-stream.ts'

/** What a stage hands back to the stage around it. */
export interface Answer {
  status: number
  readonly headers: HeaderFields
  /** The body goes out byte by byte: nothing is put between its pieces, and a failure cuts the connection. */
  readonly verbatim?: true
  /** No stage looks into the body or keeps a piece of it: the memory of each is freed once it was sent. */
  readonly opaque?: true
  body: Uint8Array | ReadyStream
  /** What is written while a stream waits, where a comment of server-sent events has no place. */
  readonly keepAlive?: Uint8Array
  /** With the status 101 and no body: the connection goes on as a WebSocket. */
  readonly socket?: UpstreamSocket
}

/**
 * All bytes of a stream in one piece.
 * @throws UpstreamTooLarge past `maxBytes`; the stream is cancelled then.
 */
export const collect = async (stream: ReadyStream, maxBytes: number): Promise<Uint8Array> => {
  const whole = await collectUpTo(stream, maxBytes)
  if (whole instanceof Uint8Array) return whole
  whole.cancel()
  throw new UpstreamTooLarge(`The provider's answer is larger than ${maxBytes} bytes.`)
}

/** The bytes of a stream in one piece or, where there are more than `maxBytes`, the stream as it was. */
export const collectUpTo = async (stream: ReadyStream, maxBytes: number): Promise<Uint8Array | ReadyStream> => {
  const pieces: Uint8Array[] = []
  let length = 0
  while (length <= maxBytes) {
    const piece = stream.take()
    if (piece === undefined) return concat(pieces)
    if (piece === LATER) await ready(stream)
    else {
      pieces.push(piece)
      length += piece.length
    }
  }
  const whole = new Pipe(stream)
  for (const piece of pieces) whole.write(piece)
  return whole
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
    // The buffer last: a short piece of its own has none until somebody asks.
    neighbours &&= piece.byteOffset === first.byteOffset + length && (piece === first || piece.buffer === first.buffer)
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
