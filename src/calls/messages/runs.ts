/** Which bytes belong to a run: true at their values. */
export type ByteClass = Readonly<Uint8Array>

/** @param characters ASCII */
export const byteClass = (characters: string): ByteClass => {
  const members = new Uint8Array(256)
  for (const byte of Buffer.from(characters, 'latin1')) members[byte] = 1
  return members
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
export const LETTERS_AND_DIGITS = `${LETTERS}${LETTERS.toUpperCase()}0123456789`

/** Where a run lies: from its first byte, to the one behind its last. */
export interface Run {
  readonly start: number
  readonly end: number
}

/**
 * Finds the next run of at least so many bytes of a class. Looks at every so manieth byte alone where none is, so that a text
 * without one costs next to nothing.
 */
export const nextRun = (bytes: Uint8Array, members: ByteClass, least: number, from: number): Run | undefined => {
  let start = from
  for (let look = start + least - 1; look < bytes.length; look = start + least - 1) {
    let back = look
    while (back >= start && members[bytes[back] ?? 0] === 1) back--
    if (back < start) {
      let end = look + 1
      while (end < bytes.length && members[bytes[end] ?? 0] === 1) end++
      return { start, end }
    }
    start = back + 1
  }
  return undefined
}
