import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Edit, editedPart, editsBetween, editsOfRest } from './edits.ts'

const WORDS = 'what one thinks of at night is seldom what one says by day '

describe('what makes one text of another', () => {
  test.each<[string, string, string, readonly Edit[]]>([
    ['nothing', WORDS, WORDS, []],
    ['a change', `${WORDS}4111 1111, ${WORDS}`, `${WORDS}[CARD], ${WORDS}`, [{ start: 59, end: 68, text: '[CARD]' }]],
    ['something put in', `a${WORDS}`, `ab${WORDS}`, [{ start: 1, end: 1, text: 'b' }]],
    ['something taken out', `ab${WORDS}`, `a${WORDS}`, [{ start: 1, end: 2, text: '' }]],
    ['an end', WORDS, `${WORDS}!`, [{ start: 59, end: 59, text: '!' }]],
    ['all of it', 'shout', 'SHOUT', [{ start: 0, end: 5, text: 'SHOUT' }]],
    [
      'one change, where little is between',
      'call 1 or 2 now',
      'call X or Y now',
      [{ start: 5, end: 15, text: 'X or Y now' }],
    ],
  ])('%s', (_, before, after, edits) => {
    expect(editsBetween(before, after)).toEqual(edits)
  })

  test('goes to the end where the text repeats itself: nobody can tell which of them was changed', () => {
    const row = '4111 1111 1111 1111 '
    expect(editsBetween(row.repeat(3), `[CARD] ${row.repeat(2)}`)).toEqual([
      { start: 0, end: 60, text: `[CARD] ${row.repeat(2)}` },
    ])
  })

  const anyPart = fc.oneof(fc.constantFrom(WORDS, '4111', ' ', 'aaaaaaaaaaaaaaaaaaaaaaaa'), fc.string({ maxLength: 9 }))
  const anyText = fc.array(anyPart, { maxLength: 8 }).map((parts) => parts.join(''))

  test('makes it, in whatever parts it is made', () => {
    fc.assert(
      fc.property(anyText, anyText, fc.array(fc.nat(400), { maxLength: 6 }), (before, after, cuts) => {
        const edits = editsBetween(before, after)
        expect(editedPart(before, 0, edits, true)).toBe(after)
        const ends = [...new Set([...cuts.filter((each) => each < before.length), before.length])].sort((a, b) => a - b)
        let start = 0
        const parts = ends.map((end) => {
          const part = editedPart(before.slice(start, end), start, edits, end === before.length)
          start = end
          return part
        })
        expect(parts.join('')).toBe(after)
      }),
      { numRuns: 500 },
    )
  })

  test('is done in time, whatever was changed', () => {
    const before = 'abcdefghij'.repeat(100_000)
    expect(editedPart(before, 0, editsBetween(before, before.toUpperCase()), true)).toBe(before.toUpperCase())
    expect(editsBetween(`x${before}`, `y${before}`)).toHaveLength(1)
  })
})

describe('edits of the rest of a text', () => {
  const edits: readonly Edit[] = [
    { start: 0, end: 2, text: 'A' },
    { start: 4, end: 8, text: 'B' },
    { start: 9, end: 9, text: 'C' },
  ]
  test.each<[number, readonly Edit[]]>([
    [0, edits],
    [
      2,
      [
        { start: 2, end: 6, text: 'B' },
        { start: 7, end: 7, text: 'C' },
      ],
    ],
    [
      5,
      [
        { start: 0, end: 3, text: 'B' },
        { start: 4, end: 4, text: 'C' },
      ],
    ],
    [9, [{ start: 0, end: 0, text: 'C' }]],
    [10, []],
  ])('from %d on: what begins before it puts in what it does at its beginning', (start, rest) => {
    expect(editsOfRest(edits, start)).toEqual(rest)
  })
})
