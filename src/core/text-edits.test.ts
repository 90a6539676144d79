import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { applyEdits, areEditsOf, composeEdits, editBetween, type TextEdits } from './text-edits.ts'

const anyEditsOf = (text: string): fc.Arbitrary<TextEdits> =>
  fc.array(fc.tuple(fc.nat(text.length), fc.string({ maxLength: 4 }), fc.nat(2)), { maxLength: 5 }).map((drawn) => {
    const places = drawn.map(([at]) => at).toSorted((a, b) => a - b)
    return drawn.map(([, put, width], index) => {
      const start = places[index] ?? 0
      return { start, end: Math.min(start + width, places[index + 1] ?? text.length), text: put }
    })
  })

const anyText = fc.string({ maxLength: 30 })

describe('edits', () => {
  test('that come one after the other are as good as one list of them', () => {
    const twice = anyText
      .chain((text) => anyEditsOf(text).map((first) => ({ text, first, between: applyEdits(text, first) })))
      .chain(({ between, ...rest }) => anyEditsOf(between).map((second) => ({ ...rest, between, second })))
    fc.assert(
      fc.property(twice, ({ text, first, between, second }) => {
        const both = composeEdits(first, second)
        expect(areEditsOf(both, text)).toBe(true)
        expect(applyEdits(text, both)).toBe(applyEdits(between, second))
      }),
      { numRuns: 2_000 },
    )
  })

  test('that touch no edit before them keep their place', () => {
    const card = [{ start: 10, end: 14, text: '[CARD]' }]
    const name = [{ start: 20, end: 23, text: '[NAME]' }]
    expect(composeEdits(card, name)).toEqual([
      { start: 10, end: 14, text: '[CARD]' },
      { start: 18, end: 21, text: '[NAME]' },
    ])
    expect(composeEdits(card, [{ start: 0, end: 2, text: '' }])).toEqual([
      { start: 0, end: 2, text: '' },
      { start: 10, end: 14, text: '[CARD]' },
    ])
  })

  test('between two texts are one stretch', () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        const edits = editBetween(before, after)
        expect(edits.length).toBe(before === after ? 0 : 1)
        expect(applyEdits(before, edits)).toBe(after)
      }),
    )
    expect(editBetween('a 4111 b', 'a [CARD] b')).toEqual([{ start: 2, end: 6, text: '[CARD]' }])
  })

  test('of a text lie within it, in order', () => {
    const edit = (start: number, end: number) => ({ start, end, text: 'x' })
    expect(areEditsOf([edit(0, 1), edit(1, 2)], 'ab')).toBe(true)
    for (const wrong of [[edit(1, 0)], [edit(0, 3)], [edit(1, 2), edit(0, 1)], [edit(-1, 1)], [edit(Number.NaN, 1)]]) {
      expect(areEditsOf(wrong, 'ab')).toBe(false)
    }
  })
})
