import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { cut, eachOf, grouped, masked, unitOffsets } from './pieces.ts'

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: fc.constantFrom('a', ' ', '😀') }),
)

describe('pieces of a text', () => {
  test('are the text, none too long, and no character is cut', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 4, max: 40 }), (text, max) => {
        const pieces = cut(text, max)
        expect(pieces.join('')).toBe(text)
        expect(pieces.every((piece) => piece.length <= max)).toBe(true)
        expect(pieces.flatMap((piece) => [...piece])).toEqual([...text])
        if (text !== '') expect(pieces).not.toContain('')
      }),
    )
  })

  test('end behind a blank where there is one near', () => {
    expect(cut('four and twenty', 10)).toEqual(['four and ', 'twenty'])
    expect(cut('a bcdefghijkl', 8)).toEqual(['a bcdefg', 'hijkl'])
    expect(cut('short', 8)).toEqual(['short'])
  })
})

describe('masks', () => {
  test('stand where the spans stood', () => {
    const spans = [
      { start: 6, end: 8, mask: '[B]' },
      { start: 0, end: 2, mask: '[A]' },
      { start: 1, end: 4, mask: '[C]' },
    ]
    expect(masked('0123456789', spans)).toBe('[A]45[B]89')
    expect(masked('text', [])).toBe('text')
  })

  test.each([
    [-1, 2],
    [0, 11],
    [3, 3],
    [4, 2],
    [0.5, 2],
    [0, Number.NaN],
  ])('are not written for the span %p to %p', (start, end) => {
    expect(masked('0123456789', [{ start, end, mask: 'X' }])).toBeUndefined()
  })

  test('leave nothing of what they stand for', () => {
    const span = fc.tuple(fc.nat(30), fc.integer({ min: 1, max: 10 }))
    fc.assert(
      fc.property(fc.array(span, { maxLength: 6 }), (places) => {
        const text = Array.from({ length: 40 }, (_, at) => String.fromCharCode(0x4e00 + at)).join('')
        const after = masked(
          text,
          places.map(([start, length]) => ({ start, end: start + length, mask: '*' })),
        )
        const kept = [...text].filter((_, at) => !places.some(([start, length]) => at >= start && at < start + length))
        expect(after?.replaceAll('*', '')).toBe(kept.join(''))
      }),
    )
  })

  test('find code points', () => {
    const toUnits = unitOffsets('a😀b')
    expect([0, 1, 2, 3, 4, -1].map(toUnits)).toEqual([0, 1, 3, 4, Number.NaN, Number.NaN])
    expect(unitOffsets('abc')(2)).toBe(2)
  })
})

describe('each of many', () => {
  test('runs a few at once, and answers in order', async () => {
    let under = 0
    let most = 0
    const results = await eachOf([...Array(20).keys()], async (item) => {
      under++
      most = Math.max(most, under)
      await Bun.sleep(item % 3)
      under--
      return item * 2
    })
    expect(results).toEqual([...Array(20).keys()].map((item) => item * 2))
    expect(most).toBe(4)
    expect(await eachOf([], async () => 1)).toEqual([])
  })

  test('ends with the first failure', async () => {
    const ran: number[] = []
    const failing = eachOf([...Array(50).keys()], async (item) => {
      ran.push(item)
      await Bun.sleep(0)
      if (item === 1) throw new Error('one')
    })
    await expect(failing).rejects.toThrow('one')
    await Bun.sleep(5)
    expect(ran.length).toBeLessThan(12)
  })

  test('in groups', () => {
    expect(grouped([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]])
    expect(grouped([], 2)).toEqual([])
  })
})
