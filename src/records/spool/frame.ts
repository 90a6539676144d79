/**
 * How rows lie in a segment: frames one behind the other, each on a multiple of eight bytes.
 *
 * | Bytes | What |
 * | --- | --- |
 * | 0–3 | CRC-32 of all that follows, zeros at the end included, seeded with the place in the segment |
 * | 4–7 | length of the payload in bytes |
 * | 8–11 | number of the segment |
 * | 12–15 | `WR`, the version of this form, the kind |
 * | 16– | payload, and zeros up to a multiple of eight |
 *
 * Numbers have the byte order of the machine: a spool is read where it was written.
 */
export const HEADER_BYTES = 16

/** What a frame holds. `opened`, `record`, `feedback`: JSON. `bodies`: see `encodeBodies`. */
export const FRAME = { opened: 1, record: 2, bodies: 3, feedback: 4 } as const
export type FrameKind = (typeof FRAME)[keyof typeof FRAME]

/** Bytes of the longest segment, so that positions are known whatever the length of each is. */
export const MAX_SEGMENT_BYTES: number = 16 * 1024 * 1024

/** `WR`, version 2. */
const MARK = 0x57520200
const KIND_BITS = 0xff

/** A place in a spool: increases over its life, also from one process to the next. */
export const positionOf = (segment: number, offset: number): number => segment * MAX_SEGMENT_BYTES + offset

export const segmentOf = (position: number): number => Math.floor(position / MAX_SEGMENT_BYTES)

export const offsetOf = (position: number): number => position % MAX_SEGMENT_BYTES

/** Bytes that a frame takes in its segment. */
export const frameBytes = (payloadBytes: number): number => HEADER_BYTES + ((payloadBytes + 7) & ~7)

/** The bytes of a segment, or a part of one, as bytes and as words. Begins at a multiple of eight. */
export interface Bytes {
  readonly bytes: Uint8Array
  readonly words: Int32Array
}

export const toBytes = (bytes: Uint8Array): Bytes => ({
  bytes,
  words: new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2),
})

/** Puts the header in front of a payload that is in its place already. @returns the end of the frame */
export const sealFrame = (
  content: Bytes,
  segment: number,
  offset: number,
  kind: FrameKind,
  payloadBytes: number,
): number => {
  const { bytes, words } = content
  const end = offset + frameBytes(payloadBytes)
  const written = offset + HEADER_BYTES + payloadBytes
  if (written < end) bytes.fill(0, written, end)
  const word = offset >> 2
  words[word + 1] = payloadBytes
  words[word + 2] = segment
  words[word + 3] = MARK | kind
  // The checksum last: what was written by half has none.
  words[word] = sumOf(content, offset, end, offset)
  return end
}

/** Of all but the checksum itself, as a word holds it. @param at where the frame begins in `bytes` @param offset in its segment */
const sumOf = ({ bytes }: Bytes, at: number, end: number, offset: number): number =>
  Bun.hash.crc32(bytes.subarray(at + 4, end), offset) | 0

/** Whether a header may begin here: cheap, for a search. */
export const looksLikeFrame = (words: Int32Array, word: number, segment: number): boolean =>
  words[word + 2] === segment && ((words[word + 3] as number) & ~KIND_BITS) === MARK

/** Length of the payload that a header names, or −1 where there is none, or one that no segment holds. */
export const namedLength = (words: Int32Array, word: number, segment: number): number => {
  if (!looksLikeFrame(words, word, segment)) return -1
  const length = words[word + 1] as number
  return length >= 0 && length <= MAX_SEGMENT_BYTES - HEADER_BYTES ? length : -1
}

/** The kind of a whole frame; undefined where it is torn. @param at where it begins in `view` @param offset in its segment */
export const kindOfFrame = (
  content: Bytes,
  at: number,
  offset: number,
  payloadBytes: number,
): FrameKind | undefined => {
  const { bytes, words } = content
  const word = at >> 2
  const end = at + frameBytes(payloadBytes)
  if (end > bytes.length || words[word] !== sumOf(content, at, end, offset)) return undefined
  const kind = (words[word + 3] as number) & KIND_BITS
  return kind >= FRAME.opened && kind <= FRAME.feedback ? (kind as FrameKind) : undefined
}
