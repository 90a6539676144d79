import {
  type Bytes,
  type FrameKind,
  frameBytes,
  HEADER_BYTES,
  kindOfFrame,
  looksLikeFrame,
  namedLength,
  positionOf,
  toBytes,
} from './frame.ts'

/** Bytes of a segment, wherever it is. */
export interface SegmentSource {
  /** Bytes of it in all. */
  readonly length: number
  /** @returns how many could be read */
  read(into: Uint8Array, at: number): number
  close(): void
}

export interface Frame {
  readonly kind: FrameKind
  readonly position: number
  /** Only until the next one is asked for. */
  readonly payload: Uint8Array
}

/** Bytes that are read at once; more for a frame that is longer. */
const WINDOW_BYTES: number = 512 * 1024

/**
 * Reads the frames of a segment in order. What is damaged is left out: reading goes on with the next sound frame, so that a
 * fault costs no frame but those that it hit.
 */
export class SegmentReader {
  readonly #segment: number
  readonly #source: SegmentSource
  #buffer: Bytes = toBytes(new Uint8Array(WINDOW_BYTES))
  /** What the buffer holds: from here on, and so much. */
  #from = 0
  #held = 0
  #offset: number
  /** Places where something was that is no sound frame. */
  damaged = 0

  constructor(segment: number, source: SegmentSource, offset = 0) {
    this.#segment = segment
    this.#source = source
    this.#offset = offset
  }

  /** Where the next frame begins. */
  get offset(): number {
    return this.#offset
  }

  get length(): number {
    return this.#source.length
  }

  /** The next frame that ends at `limit` or before; all frames before it are complete. Undefined: none, all of it is read. */
  next(limit: number): Frame | undefined {
    const end = Math.min(limit, this.#source.length)
    if (this.#offset + HEADER_BYTES > end) return undefined
    const found = this.#frameAt(this.#offset, end)
    if (found !== undefined) return found
    const isUsed = this.#holds(this.#offset, HEADER_BYTES, end) && this.#hasBytes(this.#offset, HEADER_BYTES)
    const later = this.#search(end)
    if (isUsed || later !== undefined) this.damaged++
    if (later === undefined) this.#offset = end
    return later
  }

  close(): void {
    this.#source.close()
  }

  #frameAt(offset: number, end: number): Frame | undefined {
    if (!this.#holds(offset, HEADER_BYTES, end)) return undefined
    const length = namedLength(this.#buffer.words, (offset - this.#from) >> 2, this.#segment)
    if (length < 0) return undefined
    const bytes = frameBytes(length)
    if (offset + bytes > end || !this.#holds(offset, bytes, end)) return undefined
    const at = offset - this.#from
    const kind = kindOfFrame(this.#buffer, at, offset, length)
    if (kind === undefined) return undefined
    this.#offset = offset + bytes
    const payload = this.#buffer.bytes.subarray(at + HEADER_BYTES, at + HEADER_BYTES + length)
    return { kind, position: positionOf(this.#segment, offset), payload }
  }

  #search(end: number): Frame | undefined {
    for (let offset = this.#offset + 8; offset + HEADER_BYTES <= end; offset += 8) {
      if (!this.#holds(offset, HEADER_BYTES, end)) return undefined
      if (!looksLikeFrame(this.#buffer.words, (offset - this.#from) >> 2, this.#segment)) continue
      const found = this.#frameAt(offset, end)
      if (found !== undefined) return found
    }
    return undefined
  }

  #hasBytes(offset: number, count: number): boolean {
    const at = offset - this.#from
    return this.#buffer.bytes.subarray(at, at + count).some((byte) => byte !== 0)
  }

  /** Sees to it that the buffer holds these bytes. What lies behind `end` may still change: it is not kept. */
  #holds(offset: number, bytes: number, end: number): boolean {
    if (offset >= this.#from && offset + bytes <= this.#from + this.#held) return true
    if (bytes > this.#buffer.bytes.length) this.#buffer = toBytes(new Uint8Array(bytes))
    this.#from = offset
    const wanted = Math.min(this.#buffer.bytes.length, end - offset)
    this.#held = this.#source.read(this.#buffer.bytes.subarray(0, wanted), offset)
    return bytes <= this.#held
  }
}
