import type { Run } from './runs.ts'

/** A part of a body, and what is kept in its place. */
export interface Cut extends Run {
  readonly text: string
}

/** A body with other texts in the place of its cuts, which are in order and do not overlap. The body itself without any. */
export const withCuts = (bytes: Uint8Array, cuts: readonly Cut[]): Uint8Array => {
  if (cuts.length === 0) return bytes
  const pieces: Uint8Array[] = []
  let at = 0
  for (const { start, end, text } of cuts) {
    pieces.push(bytes.subarray(at, start), Buffer.from(text))
    at = end
  }
  pieces.push(bytes.subarray(at))
  return Buffer.concat(pieces)
}

/** The beginning of a text in UTF-8, so many bytes at most, that ends with a whole character. */
export const beginningOf = (bytes: Uint8Array, maxBytes: number): Uint8Array => {
  if (bytes.length <= maxBytes) return bytes
  let end = maxBytes
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.subarray(0, end)
}
