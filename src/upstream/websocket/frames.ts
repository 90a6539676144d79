import { concat } from '../../core/bodies/answer.ts'

/** Kinds of frames (RFC 6455, section 5.2). */
export const CONTINUATION = 0x0
export const TEXT = 0x1
export const BINARY = 0x2
export const CLOSE = 0x8
export const PING = 0x9
export const PONG = 0xa

const LAST = 0x80
const MASKED = 0x80
const MAX_CONTROL_BYTES = 125

/** What the other side may not send; `code` is how the connection is closed. */
export class FrameError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.name = 'FrameError'
    this.code = code
  }
}

/** A whole message of a client, masked as the RFC asks it to be (section 5.3). */
export const encodeFrame = (kind: number, payload: Uint8Array): Uint8Array => {
  const { length } = payload
  const lengthBytes = length <= MAX_CONTROL_BYTES ? 0 : length <= 0xffff ? 2 : 8
  const maskAt = 2 + lengthBytes
  const frame = Buffer.allocUnsafe(maskAt + 4 + length)
  frame[0] = LAST | kind
  frame[1] = MASKED | (lengthBytes === 0 ? length : lengthBytes === 2 ? 126 : 127)
  if (lengthBytes === 2) frame.writeUInt16BE(length, 2)
  if (lengthBytes === 8) frame.writeBigUInt64BE(BigInt(length), 2)
  const mask = crypto.getRandomValues(new Uint8Array(4))
  frame.set(mask, maskAt)
  for (let at = 0; at < length; at++) frame[maskAt + 4 + at] = (payload[at] ?? 0) ^ (mask[at & 3] ?? 0)
  return frame
}

/** A message, or a control frame. */
export interface Message {
  readonly kind: number
  readonly payload: Uint8Array
}

interface Head {
  readonly kind: number
  readonly isLast: boolean
  readonly start: number
  readonly length: number
}

/** Reads what a server sends, wherever the network cuts it, and puts fragments together. Strict: what is not in the RFC is refused. */
export class FrameReader {
  readonly #maxBytes: number
  #pieces: Uint8Array[] = []
  #length = 0
  /** Bytes that make it worth to look again. */
  #needed = 2
  #fragments: Uint8Array[] = []
  #fragmentBytes = 0
  /** Opcode of the message whose fragments come. */
  #kind: number | undefined

  /** @param maxBytes of one message */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** @throws FrameError */
  *read(bytes: Uint8Array): Generator<Message> {
    this.#pieces.push(bytes)
    this.#length += bytes.length
    if (this.#length < this.#needed) return
    const held = concat(this.#pieces)
    let at = 0
    for (let head = this.#head(held, at); head !== undefined; head = this.#head(held, at)) {
      at = head.start + head.length
      const message = this.#take(head, held.subarray(head.start, at))
      if (message !== undefined) yield message
    }
    this.#pieces = at === held.length ? [] : [held.subarray(at)]
    this.#length = held.length - at
    this.#needed -= at
  }

  /** @returns undefined while the frame is not whole */
  #head(bytes: Uint8Array, at: number): Head | undefined {
    this.#needed = at + 2
    if (bytes.length < this.#needed) return undefined
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const first = view.getUint8(at)
    const second = view.getUint8(at + 1)
    const kind = first & 0x0f
    const short = second & 0x7f
    if ((first & 0x70) !== 0) throw new FrameError(1002, 'a frame of an extension that was not agreed on')
    if ((second & MASKED) !== 0) throw new FrameError(1002, 'a masked frame')
    const isLast = (first & LAST) !== 0
    if (kind >= CLOSE && (!isLast || short > MAX_CONTROL_BYTES)) throw new FrameError(1002, 'a large control frame')
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0
    const start = at + 2 + lengthBytes
    this.#needed = start
    if (bytes.length < start) return undefined
    const length =
      lengthBytes === 0 ? short : lengthBytes === 2 ? view.getUint16(at + 2) : Number(view.getBigUint64(at + 2))
    if (kind < CLOSE && this.#fragmentBytes + length > this.#maxBytes) throw new FrameError(1009, 'a message too large')
    this.#needed = start + length
    return bytes.length < this.#needed ? undefined : { kind, isLast, start, length }
  }

  #take({ kind, isLast }: Head, payload: Uint8Array): Message | undefined {
    if (kind === CLOSE || kind === PING || kind === PONG) return { kind, payload }
    if (kind > BINARY) throw new FrameError(1002, 'a frame of an unknown kind')
    if ((kind === CONTINUATION) !== (this.#kind !== undefined)) throw new FrameError(1002, 'a fragment out of order')
    this.#kind ??= kind
    this.#fragments.push(payload)
    this.#fragmentBytes += payload.length
    if (!isLast) return undefined
    const message = { kind: this.#kind, payload: concat(this.#fragments) }
    this.#kind = undefined
    this.#fragments = []
    this.#fragmentBytes = 0
    return message
  }
}
