import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { fold } from './fold.ts'

test.each([
  ['plain text, 1-2', 'plain text, 1-2'],
  ['４１１１－１１１１', '4111-1111'],
  ['٤١١١', '4111'],
  ['𝟒𝟏𝟏𝟏 𝟢𝟫', '4111 09'],
  ['41\u200b11\u00ad 11\u2060\ufeff11', '4111 1111'],
  ['41\u00a011\u202f11\u301411', '41 11 11\u301411'],
  ['a — b – c ‐ d', 'a - b - c - d'],
  ['ｕｓｅｒ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'user@example.com'],
  ['naïve “quotes” stay, 日本語も', 'naïve “quotes” stay, 日本語も'],
])('%s becomes %s', (text, folded) => {
  expect(fold(text).text).toBe(folded)
})

test('every digit that Unicode knows is one of ASCII', () => {
  for (let codePoint = 0x80; codePoint <= 0x1ffff; codePoint++) {
    const digit = String.fromCodePoint(codePoint)
    if (/\p{Nd}/u.test(digit)) expect(fold(digit).text).toMatch(/^\d$/)
  }
  // The last of a row, and the first of the row that follows it at once.
  expect(fold('\u{1d7d7}\u{1d7d8}').text).toBe('90')
  expect(fold('٩۰९').text).toBe('909')
})

describe('a place in the folded text', () => {
  test('is one of the text that it was made of', () => {
    const text = 'a\u200bb\u200b\u200b𝟒c'
    const folded = fold(text)
    expect(folded.text).toBe('ab4c')
    expect([0, 1, 2, 3, 4].map((index) => folded.at(index))).toEqual([0, 2, 5, 7, 8])
    expect([text[0], text[2], text.slice(5, 7), text[7]]).toEqual(['a', 'b', '𝟒', 'c'])
  })

  test('grows with it, and what stands between two places folds to what stands between them there', () => {
    const piece = fc.constantFrom('a', '1', '\u200b', '４', '𝟒', ' ', '\u00a0', '—', 'é', '😀')
    fc.assert(
      fc.property(fc.array(piece), fc.nat(), fc.nat(), (pieces, one, other) => {
        const text = pieces.join('')
        const { text: folded, at } = fold(text)
        const [start, end] = [one % (folded.length + 1), other % (folded.length + 1)].sort((a, b) => a - b)
        if (/[\ud800-\udfff]/.test(folded)) return
        expect(fold(text.slice(at(start ?? 0), at(end ?? 0))).text).toBe(folded.slice(start, end))
        expect(at(folded.length)).toBeLessThanOrEqual(text.length)
      }),
    )
  })
})
