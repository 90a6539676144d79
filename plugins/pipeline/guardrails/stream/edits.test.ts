import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { applyEdits, type TextEdit, type TextEdits } from '#core/text-edits'
import { editedPart, editsOfRest } from './edits.ts'

const edit = (start: number, end: number, text: string): TextEdit => ({ start, end, text })

describe('a part of a text', () => {
  const anyText = fc.string({ maxLength: 40 })
  const anyEdits = (text: string): fc.Arbitrary<TextEdits> =>
    fc
      .array(fc.tuple(fc.nat(text.length), fc.string({ maxLength: 3 })), { maxLength: 4 })
      .map((drawn) => drawn.toSorted(([left], [right]) => left - right))
      .map((drawn) =>
        drawn.map(([at, put], index) => edit(at, Math.min(at + 3, drawn[index + 1]?.[0] ?? text.length), put)),
      )
  const edited = anyText.chain((text) => anyEdits(text).map((edits) => ({ text, edits })))

  test('has what edits of the whole make of it, whatever the parts', () => {
    fc.assert(
      fc.property(edited, fc.array(fc.nat(40), { maxLength: 6 }), ({ text, edits }, cuts) => {
        const ends = [...new Set([...cuts.filter((each) => each < text.length), text.length])].sort((a, b) => a - b)
        let start = 0
        const parts = ends.map((end) => {
          const part = editedPart(text.slice(start, end), start, edits, end === text.length)
          start = end
          return part
        })
        expect(parts.join('')).toBe(applyEdits(text, edits))
      }),
      { numRuns: 500 },
    )
  })
})

describe('edits of the rest of a text', () => {
  const edits: TextEdits = [
    { start: 0, end: 2, text: 'A' },
    { start: 4, end: 8, text: 'B' },
    { start: 9, end: 9, text: 'C' },
  ]
  test.each<[number, TextEdits]>([
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
