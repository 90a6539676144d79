/**
 * 53 bits of a text, well mixed and the same in every process and every version: what sticks to a target must not move
 * because a gateway was upgraded. Not for secrets. (Two multiplicative hashes, each finished into the other.)
 */
export const hash53 = (text: string): number => {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    high = Math.imul(high ^ unit, 2654435761)
    low = Math.imul(low ^ unit, 1597334677)
  }
  const mixedHigh = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  const mixedLow = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(mixedHigh ^ (mixedHigh >>> 13), 3266489909)
  return 4294967296 * (2097151 & mixedLow) + (mixedHigh >>> 0)
}

const TWO_TO_53 = 2 ** 53

/** A number above 0 and below 1 that is fixed by the text. */
export const fraction = (text: string): number => (hash53(text) + 0.5) / TWO_TO_53
