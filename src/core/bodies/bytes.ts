/**
 * What a `Buffer` can do, done to any bytes: a `Buffer` of a short typed array first makes an `ArrayBuffer` of it (Bun 1.4.5), which
 * takes ten times as long as the search.
 */
const { indexOf, toString: textOf } = Buffer.prototype

/** Place of a text (as UTF-8) or of bytes at or behind `from`, or −1. */
export const placeIn = (bytes: Uint8Array, what: string | Uint8Array, from = 0): number =>
  indexOf.call(bytes as Buffer, what, from)

/** A part of bytes as text. */
export const textIn = (bytes: Uint8Array, coding: 'latin1' | 'base64', start = 0, end: number = bytes.length): string =>
  textOf.call(bytes as Buffer, coding, start, end)
