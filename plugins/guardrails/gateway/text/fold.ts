/** A text as detectors read it, and where its characters stand in the text that it was made of. */
export interface Folded {
  readonly text: string
  /** Index in the text that it was made of; that of its end for its own end. */
  at(index: number): number
}

/** What ASCII has another character for, or what nobody sees. */
const FOLDABLE = /[[\p{Nd}\p{Zs}\p{Pd}\p{Cf}\p{Default_Ignorable_Code_Point}\uff01-\uff5e]--\p{ASCII}]/gv

/** Code points from a full-width character to that of ASCII. */
const FULL_WIDTH = 0xfee0

const same = (index: number): number => index

/**
 * Writes a text with ASCII's digits, blanks, dashes and full-width letters, and without what nobody sees: soft hyphens, joiners,
 * marks of direction. A card number in Arabic digits, or with a zero-width space in its midst, reads like any other then.
 */
export const fold = (text: string): Folded => {
  // Bytes are counted many at a time: the quick way to see that a text is all ASCII, as most are.
  if (Buffer.byteLength(text) === text.length) return { text, at: same }

  /** From these indexes of the folded text on, the other text is so many characters ahead. */
  const froms: number[] = []
  const leads: number[] = []
  let lead = 0
  const folded = text.replace(FOLDABLE, (found, index: number) => {
    const plain = plainOf(found)
    if (found.length !== plain.length) {
      lead += found.length - plain.length
      froms.push(index + found.length - lead)
      leads.push(lead)
    }
    return plain
  })

  return {
    text: folded,
    at(index) {
      let low = 0
      let high = froms.length
      while (low < high) {
        const middle = (low + high) >> 1
        if ((froms[middle] ?? 0) <= index) low = middle + 1
        else high = middle
      }
      return index + (leads[low - 1] ?? 0)
    },
  }
}

/** What was folded before: there are some thousand characters that can be. */
const plains = new Map<string, string>()

const plainOf = (found: string): string => {
  const known = plains.get(found)
  if (known !== undefined) return known
  const plain = toPlain(found)
  plains.set(found, plain)
  return plain
}

const toPlain = (found: string): string => {
  const codePoint = found.codePointAt(0) ?? 0
  if (codePoint >= 0xff01 && codePoint <= 0xff5e) return String.fromCodePoint(codePoint - FULL_WIDTH)
  if (/\p{Nd}/u.test(found)) return String(digitOf(codePoint))
  if (/\p{Zs}/u.test(found)) return ' '
  return /\p{Pd}/u.test(found) ? '-' : ''
}

/** Digits of a script stand in a row from 0 to 9, and rows of several may follow each other. */
const digitOf = (codePoint: number): number => {
  let first = codePoint
  while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first--
  return (codePoint - first) % 10
}
