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

/** Bytes of head, length and mask of the largest frame. */
const MAX_HEAD_BYTES = 14
/** Frames up to this size are made in one place, which the next one takes again. */
const SCRATCH_BYTES: number = 64 * 1024
const scratch = new Uint8Array(SCRATCH_BYTES)
/** Masks that were drawn in advance, as chance costs much each time that it is asked. */
const masks = new Uint32Array(1024)
let masksLeft = 0

const drawMask = (): number => {
  if (masksLeft === 0) {
    crypto.getRandomValues(masks)
    masksLeft = masks.length
  }
  return masks[--masksLeft] ?? 0
}

const encoder = new TextEncoder()

/**
 * A whole message of a client, masked as the RFC asks it to be (section 5.3). Good until the next one is made: whoever keeps it makes
 * a copy.
 */
export const encodeFrame = (kind: number, payload: string | Uint8Array): Uint8Array => {
  const length = typeof payload === 'string' ? Buffer.byteLength(payload) : payload.length
  const room = length + MAX_HEAD_BYTES + 3
  const bytes = room <= SCRATCH_BYTES ? scratch : new Uint8Array(room)
  const headBytes = length <= MAX_CONTROL_BYTES ? 6 : length <= 0xffff ? 8 : 14
  // The payload begins at a word, so that it can be masked word by word.
  const start = headBytes === 8 ? 0 : 2
  const at = start + headBytes
  const end = at + length
  bytes[start] = LAST | kind
  bytes[start + 1] = MASKED | (headBytes === 6 ? length : headBytes === 8 ? 126 : 127)
  if (headBytes === 8) {
    bytes[start + 2] = length >> 8
    bytes[start + 3] = length & 0xff
  } else if (headBytes === 14) new DataView(bytes.buffer).setBigUint64(start + 2, BigInt(length))
  if (typeof payload === 'string') encoder.encodeInto(payload, bytes.subarray(at, end))
  else bytes.set(payload, at)
  const words = new Uint32Array(bytes.buffer, 0, (end + 3) >> 2)
  const mask = drawMask()
  words[(at >> 2) - 1] = mask
  for (let word = at >> 2; word < words.length; word++) words[word] = (words[word] ?? 0) ^ mask
  return bytes.subarray(start, end)
}

/** Gets a message, or a control frame. */
export type TakeMessage = (kind: number, payload: Uint8Array) => void

/** Reads what a server sends, wherever the network cuts it, and puts fragments together. Strict: what is not in the RFC is refused. */
export class FrameReader {
  readonly #maxBytes: number
  readonly #take: TakeMessage
  #pieces: Uint8Array[] = []
  #length = 0
  /** Bytes that make it worth to look again. */
  #needed = 2
  #fragments: Uint8Array[] = []
  #fragmentBytes = 0
  /** Opcode of the message whose fragments come. */
  #kind: number | undefined

  /** @param maxBytes of one message */
  constructor(maxBytes: number, take: TakeMessage) {
    this.#maxBytes = maxBytes
    this.#take = take
  }

  /** Nothing of what was read is held any more. */
  get isEmpty(): boolean {
    return this.#length === 0 && this.#fragmentBytes === 0
  }

  /** @throws FrameError */
  read(bytes: Uint8Array): void {
    let held = bytes
    if (this.#length > 0) {
      this.#pieces.push(bytes)
      this.#length += bytes.length
      if (this.#length < this.#needed) return
      held = concat(this.#pieces)
      this.#pieces = NOTHING
      this.#length = 0
    }
    let at = 0
    for (let end = this.#next(held, at); end !== 0; end = this.#next(held, at)) at = end
    if (at === held.length) return
    this.#pieces = [held.subarray(at)]
    this.#length = held.length - at
    this.#needed -= at
  }

  /** Hands a frame on. @returns where it ends; 0 while it is not whole */
  #next(bytes: Uint8Array, at: number): number {
    this.#needed = at + 2
    if (bytes.length < this.#needed) return 0
    const first = bytes[at] ?? 0
    const second = bytes[at + 1] ?? 0
    const kind = first & 0x0f
    const short = second & 0x7f
    if ((first & 0x70) !== 0) throw new FrameError(1002, 'a frame of an extension that was not agreed on')
    if ((second & MASKED) !== 0) throw new FrameError(1002, 'a masked frame')
    const isLast = (first & LAST) !== 0
    if (kind >= CLOSE && (!isLast || short > MAX_CONTROL_BYTES)) throw new FrameError(1002, 'a large control frame')
    const start = at + (short < 126 ? 2 : short === 126 ? 4 : 10)
    this.#needed = start
    if (bytes.length < start) return 0
    const length = short < 126 ? short : lengthAt(bytes, at + 2, start)
    if (kind < CLOSE && this.#fragmentBytes + length > this.#maxBytes) throw new FrameError(1009, 'a message too large')
    this.#needed = start + length
    if (bytes.length < this.#needed) return 0
    this.#frame(kind, isLast, bytes.subarray(start, start + length))
    return start + length
  }

  #frame(kind: number, isLast: boolean, payload: Uint8Array): void {
    if (kind === CLOSE || kind === PING || kind === PONG) {
      this.#take(kind, payload)
      return
    }
    if (kind > BINARY) throw new FrameError(1002, 'a frame of an unknown kind')
    if ((kind === CONTINUATION) !== (this.#kind !== undefined)) throw new FrameError(1002, 'a fragment out of order')
    if (isLast && this.#kind === undefined) {
      this.#take(kind, payload)
      return
    }
    this.#kind ??= kind
    this.#fragments.push(payload)
    this.#fragmentBytes += payload.length
    if (!isLast) return
    const whole = concat(this.#fragments)
    const kindOfAll = this.#kind
    this.#kind = undefined
    this.#fragments = []
    this.#fragmentBytes = 0
    this.#take(kindOfAll, whole)
  }
}

const NOTHING: Uint8Array[] = []

/** An unsigned number in network order. */
const lengthAt = (bytes: Uint8Array, from: number, to: number): number => {
  let length = 0
  for (let at = from; at < to; at++) length = length * 256 + (bytes[at] ?? 0)
  return length
}
