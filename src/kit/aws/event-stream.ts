import { crc32 } from 'node:zlib'
import type { PipeMachine, PipeOut } from '../../core/bodies/pipe.ts'
import { UpstreamInvalid } from '../../errors/gateway-error.ts'

/** Media type of AWS's binary event streams. */
export const EVENT_STREAM = 'application/vnd.amazon.eventstream'

/** A message of a stream. Headers that are no texts are left out: nothing reads them. */
export interface EventMessage {
  /** `:message-type`, `:event-type`, `:exception-type`, `:content-type` and others, by their names. */
  readonly headers: ReadonlyMap<string, string>
  readonly payload: Uint8Array
}

/** Lengths of a message and of its headers, and the checksum of both. */
const PRELUDE_BYTES = 12
const CHECKSUM_BYTES = 4

/** The most that a message may have ("Amazon S3 SelectObjectContent", event stream encoding: 16 MiB and its frame). */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024 + 128 * 1024

/** Bytes of the value of a header by its type; of types 6 and 7 the first two bytes say how many. */
const VALUE_BYTES: readonly (number | undefined)[] = [0, 0, 1, 2, 4, 8, undefined, undefined, 8, 16]
const TEXT = 7

const NOTHING = new Uint8Array(0)
const decoder = new TextDecoder()

/**
 * Reads a binary event stream, wherever the network cut it: prelude, headers, payload, and the two checksums (Smithy
 * specification, "Amazon Event Stream", read 2026-11-22).
 */
export class EventStreamReader {
  #rest: Uint8Array = NOTHING

  /** The messages that this piece completes. @throws UpstreamInvalid for what is no message, or was changed on its way */
  push(piece: Uint8Array): EventMessage[] {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
    const messages: EventMessage[] = []
    let start = 0
    while (bytes.length - start >= PRELUDE_BYTES) {
      const view = new DataView(bytes.buffer, bytes.byteOffset + start, bytes.length - start)
      const length = checkedLength(view, bytes.subarray(start, start + PRELUDE_BYTES))
      if (view.byteLength < length) break
      messages.push(messageOf(view, bytes.subarray(start, start + length)))
      start += length
    }
    // A copy, so that a large piece is not kept for the few bytes behind its last message.
    this.#rest = start === bytes.length ? NOTHING : bytes.slice(start)
    return messages
  }

  /** Whether the stream may end here. */
  get isBetween(): boolean {
    return this.#rest.length === 0
  }
}

const refuse = (problem: string): never => {
  throw new UpstreamInvalid(`The provider sent an event stream with ${problem}.`)
}

const checkedLength = (view: DataView, prelude: Uint8Array): number => {
  if (crc32(prelude.subarray(0, 8)) !== view.getUint32(8)) refuse('a prelude that does not match its checksum')
  const length = view.getUint32(0)
  const isSound = length >= PRELUDE_BYTES + view.getUint32(4) + CHECKSUM_BYTES && length <= MAX_MESSAGE_BYTES
  return isSound ? length : refuse('a message of an impossible length')
}

const messageOf = (view: DataView, bytes: Uint8Array): EventMessage => {
  const end = bytes.length - CHECKSUM_BYTES
  if (crc32(bytes.subarray(0, end)) !== view.getUint32(end)) refuse('a message that does not match its checksum')
  const headersEnd = PRELUDE_BYTES + view.getUint32(4)
  return { headers: headersOf(view, bytes, headersEnd), payload: bytes.subarray(headersEnd, end) }
}

const headersOf = (view: DataView, bytes: Uint8Array, end: number): ReadonlyMap<string, string> => {
  const headers = new Map<string, string>()
  let at = PRELUDE_BYTES
  /** Takes so many bytes; gives where they begin. */
  const take = (count: number): number => {
    const from = at
    at += count
    return at <= end ? from : refuse('a header that does not end')
  }
  while (at < end) {
    const nameBytes = view.getUint8(take(1))
    const name = decoder.decode(bytes.subarray(take(nameBytes), at))
    const type = view.getUint8(take(1))
    if (type >= VALUE_BYTES.length) refuse('a header of an unknown type')
    const count = VALUE_BYTES[type] ?? view.getUint16(take(2))
    const from = take(count)
    if (type === TEXT) headers.set(name, decoder.decode(bytes.subarray(from, at)))
  }
  return headers
}

/**
 * Makes a binary event stream what `write` says of each of its messages.
 * @param write nothing for a message that says nothing
 */
export const eventStreamMachine = (write: (message: EventMessage) => Uint8Array | undefined): PipeMachine => {
  const reader = new EventStreamReader()
  return {
    push(piece: Uint8Array, out: PipeOut) {
      for (const message of reader.push(piece)) {
        const written = write(message)
        if (written !== undefined) out.write(written)
      }
    },
    // What is cut is told by whoever reads the events: an answer that was complete stays so.
  }
}
