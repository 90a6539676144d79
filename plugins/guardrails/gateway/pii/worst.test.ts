import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { FOUND_BY_FORM } from './categories.ts'
import { piiFinder } from './find.ts'

const finder = piiFinder(FOUND_BY_FORM, ['US'])

describe('whatever the text', () => {
  const evil: [string, string][] = [
    ['digits', '4'.repeat(200_000)],
    ['single digits', '4 '.repeat(100_000)],
    ['groups of four', '4111 '.repeat(40_000)],
    ['groups of dates', '2024-01-15 10 '.repeat(14_000)],
    ['phone numbers', '212-736-5000 '.repeat(15_000)],
    [
      'different numbers',
      Array.from({ length: 15_000 }, (_, index) => `212-${100 + (index % 900)}-${1000 + (index % 8999)}`).join(' '),
    ],
    ['numbers with a plus', '+49 30 901 '.repeat(20_000)],
    ['at signs', '@'.repeat(200_000)],
    ['letters and at signs', 'a@'.repeat(100_000)],
    ['long words and at signs', `${'a'.repeat(70)}@`.repeat(3_000)],
    ['points', '.'.repeat(200_000)],
    ['letters and points', `a@${'b.'.repeat(100_000)}`],
    ['points of addresses', '1.'.repeat(100_000)],
    ['colons', ':'.repeat(200_000)],
    ['groups and colons', '1:'.repeat(100_000)],
    ['groups and double colons', '1::'.repeat(66_000)],
    ['accounts', 'DE89 '.repeat(40_000)],
    ['accounts that end too soon', `DE89${'1'.repeat(17)} `.repeat(9_000)],
    ['zero-width spaces', '\u200b'.repeat(200_000)],
    ['digits of Arabic', '٤١١١ '.repeat(40_000)],
  ]
  // A quadratic search would need minutes, not the seconds that a loaded machine may take.
  test.each(evil)('200 KB of %s take no time to speak of', (_, text) => {
    const startedMs = performance.now()
    finder.find(text)
    expect(performance.now() - startedMs).toBeLessThan(5_000)
  })

  test('hits lie in the text, in order, none over another and none longer than they may be', () => {
    const piece = fc.constantFrom(
      '4111',
      ' ',
      '-',
      '1',
      '@',
      'a',
      '.',
      'com',
      ':',
      '::',
      '+49',
      '30',
      '901820',
      '(',
      ')',
      '\u200b',
      '４',
      'DE89',
      'ssn ',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('')
        let last = 0
        for (const { start, end } of finder.find(text)) {
          expect(start).toBeGreaterThanOrEqual(last)
          expect(end).toBeGreaterThan(start)
          expect(end).toBeLessThanOrEqual(text.length)
          last = end
        }
      }),
      { numRuns: 300 },
    )
  })
})
