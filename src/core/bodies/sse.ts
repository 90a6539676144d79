/**
 * Server-sent events as bytes. Framing follows the WHATWG rules (HTML standard, section 9.2.6, read 2026-11):
 * LF, CR and CRLF end a line, an empty line ends an event, a leading byte order mark is skipped, `:` starts a comment.
 * Bytes are decoded only event by event, so a character that the network cut in two arrives whole.
 */

/** One event, as decoded from its lines. Comments and unknown fields leave no trace. */
export interface SseEvent {
  /** `message` when the stream names none. */
  readonly event: string
  /** The data lines, joined by a line feed. */
  readonly data: string
  readonly id?: string
}

/** One event as it came: its bytes with the empty line that ends it. */
export type SseFrame = Uint8Array

/** An event outgrew the limit: nothing sensible sends one, so the stream is given up instead of the memory. */
export class SseEventTooLarge extends Error {
  constructor(maxEventBytes: number) {
    super(`a server-sent event is larger than ${maxEventBytes} bytes`)
    this.name = 'SseEventTooLarge'
  }
}

const LF = 0x0a
const CR = 0x0d
const NOTHING = new Uint8Array(0)

/**
 * Cuts a byte stream into frames at event boundaries, wherever the network cut it. Keeps at most one unfinished event.
 * Bytes in = bytes out: the frames, joined with `rest()`, are the input without a leading byte order mark.
 */
export class SseFramer {
  readonly #maxEventBytes: number
  #carry: Uint8Array = NOTHING
  /** Where in the carry the scan stopped, so that no byte is looked at twice. */
  #scanned = 0
  #lineIsEmpty = true
  /** The last byte was a CR: an LF right after it is the second half of that line end. */
  #afterCarriageReturn = false
  #started = false

  constructor(maxEventBytes = 4 * 1024 * 1024) {
    this.#maxEventBytes = maxEventBytes
  }

  /** @throws SseEventTooLarge when an unfinished event outgrows the limit. */
  push(chunk: Uint8Array): SseFrame[] {
    let bytes = this.#carry.length === 0 ? chunk : joined(this.#carry, chunk)
    if (!this.#started) {
      if (bytes.length < 3 && startsLikeByteOrderMark(bytes)) {
        this.#carry = bytes
        return []
      }
      this.#started = true
      if (bytes.length >= 3 && startsLikeByteOrderMark(bytes)) bytes = bytes.subarray(3)
    }
    const frames: SseFrame[] = []
    const hasCarriageReturn = bytes.includes(CR)
    let start = 0
    let index = this.#scanned
    while (index < bytes.length) {
      const byte = bytes[index]
      if (byte === LF && this.#afterCarriageReturn) {
        this.#afterCarriageReturn = false
        index++
        // The empty line that ended the last frame was a CR cut from its LF: keep them together when they came together.
        if (start === index - 1 && frames.length > 0) {
          const last = frames.length - 1
          const frame = frames[last]
          if (frame !== undefined) frames[last] = bytes.subarray(index - 1 - frame.length, index)
          start = index
        }
        continue
      }
      this.#afterCarriageReturn = byte === CR
      if (byte !== LF && byte !== CR) {
        this.#lineIsEmpty = false
        index = nextLineEnd(bytes, index + 1, hasCarriageReturn)
        continue
      }
      index++
      if (this.#lineIsEmpty) {
        // Most pieces are one event.
        frames.push(start === 0 && index === bytes.length ? bytes : bytes.subarray(start, index))
        start = index
      }
      this.#lineIsEmpty = true
    }
    this.#carry = start === bytes.length ? NOTHING : bytes.subarray(start)
    this.#scanned = index - start
    if (this.#carry.length > this.#maxEventBytes) throw new SseEventTooLarge(this.#maxEventBytes)
    return frames
  }

  /** What came after the last boundary. The standard discards it; a provider that forgets the last empty line means it. */
  rest(): Uint8Array {
    return this.#carry
  }
}

const joined = (head: Uint8Array, tail: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(head.length + tail.length)
  bytes.set(head)
  bytes.set(tail, head.length)
  return bytes
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/** True for the mark and for each shorter beginning of it. */
const startsLikeByteOrderMark = (bytes: Uint8Array): boolean =>
  BYTE_ORDER_MARK.every((byte, index) => index >= bytes.length || bytes[index] === byte)

/** Index of the next CR or LF at or after `from`, or the length. LF alone is the common case and found at memory speed. */
const nextLineEnd = (bytes: Uint8Array, from: number, hasCarriageReturn: boolean): number => {
  const lf = bytes.indexOf(LF, from)
  const end = lf === -1 ? bytes.length : lf
  if (!hasCarriageReturn) return end
  const cr = bytes.subarray(from, end).indexOf(CR)
  return cr === -1 ? end : from + cr
}

// Only the mark that begins the stream is skipped, and the framer does that.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The event of a frame, or nothing when it only holds comments or fields without data. */
export const decodeFrame = (frame: Uint8Array): SseEvent | undefined => {
  let event = 'message'
  let data: string | undefined
  let id: string | undefined
  const text = decoder.decode(frame)
  const plain = plainEvent(text)
  if (plain !== undefined) return plain
  for (const line of text.split(text.includes('\r') ? /\r\n|\r|\n/ : '\n')) {
    if (line === '' || line.startsWith(':')) continue
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const rest = colon === -1 ? '' : line.slice(colon + 1)
    const value = rest.startsWith(' ') ? rest.slice(1) : rest
    if (field === 'data') data = data === undefined ? value : `${data}\n${value}`
    else if (field === 'event') event = value === '' ? 'message' : value
    else if (field === 'id' && !value.includes('\0')) id = value
  }
  if (data === undefined) return undefined
  return id === undefined ? { event, data } : { event, data, id }
}

const NAME = 'event: '
const DATA = 'data: '

/** An event as nearly all are written: perhaps its name, and its data in one line. Undefined for any other. */
const plainEvent = (text: string): SseEvent | undefined => {
  let start = 0
  let event = 'message'
  if (text.startsWith(NAME)) {
    const end = text.indexOf('\n')
    if (end <= NAME.length) return undefined
    event = text.slice(NAME.length, end)
    start = end + 1
  }
  const isPlain = text.startsWith(DATA, start) && text.indexOf('\n', start) === text.length - 2 && text.endsWith('\n\n')
  return isPlain && !text.includes('\r') ? { event, data: text.slice(start + DATA.length, -2) } : undefined
}

const encoder = new TextEncoder()

/** One event with the given data and, if not `message`, its name. The data may hold line feeds. */
export const eventText = (data: string, event?: string): string => {
  const name = event === undefined || event === 'message' ? '' : `event: ${event}\n`
  return `${name}data: ${data.includes('\n') ? data.replaceAll('\n', '\ndata: ') : data}\n\n`
}

/** Writes an event as bytes. */
export const encodeEvent = (data: string, event?: string): Uint8Array => encoder.encode(eventText(data, event))

export const DONE_EVENT: Uint8Array = encodeEvent('[DONE]')

/** A comment: keeps proxies and clients awake, and no parser sees it. */
export const KEEP_ALIVE_COMMENT: Uint8Array = encoder.encode(': keep-alive\n\n')
