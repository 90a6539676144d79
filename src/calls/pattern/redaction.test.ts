import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { areTooLarge, REDACTED, readRedaction, redactionFault } from './redaction.ts'
import { PatternRefused } from './translate.ts'

const SSN = '\\b\\d{3}-\\d{2}-\\d{4}\\b'
const EMAIL = '[\\w.+-]+@[\\w-]+\\.[a-z]{2,}'

describe('a redaction', () => {
  test('takes out all that fits any of its patterns', () => {
    const { redact } = readRedaction([SSN, EMAIL, 'gehe[iı]m'])
    expect(redact('123-45-6789, a@b.de and 987-65-4321: geheim, but not 1234-56-78')).toBe(
      `${REDACTED}, ${REDACTED} and ${REDACTED}: ${REDACTED}, but not 1234-56-78`,
    )
    expect(redact('nothing of it')).toBe('nothing of it')
  })

  test('leaves no match behind, wherever one stands', () => {
    const { redact } = readRedaction([SSN])
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constant('123-45-6789'))), (parts) => {
        expect(redact(parts.join(' '))).not.toMatch(/\b\d{3}-\d{2}-\d{4}\b/)
      }),
    )
  })

  test('takes the fewer characters, the more it looks for, and none beyond them', () => {
    const [few, many] = [readRedaction([SSN]), readRedaction([SSN, EMAIL, '(?:\\d[ -]?){13,16}'])]
    expect(many.maxCharacters).toBeLessThan(few.maxCharacters)
    expect(() => many.redact('a'.repeat(many.maxCharacters + 1))).toThrow(RangeError)
    expect(readRedaction([]).maxCharacters).toBe(1024 * 1024)
  })

  test('counts its steps: an evil pattern takes a text in one go, that JavaScript would need years for', () => {
    const { redact, maxCharacters } = readRedaction(['(?:x+x+)+y', '(?:a|aa)+$'])
    const evil = 'x'.repeat(maxCharacters - 1_000) + 'a'.repeat(999)
    expect(redact(`${evil}!`)).toBe(`${evil}!`)
    expect(redact(`${'x'.repeat(1_000)}y`)).toBe(REDACTED)
  })

  test('is refused when it needs backtracking', () => {
    expect(() => readRedaction(['(a)\\1'])).toThrow(PatternRefused)
  })
})

test.each([
  ['a*', 'fits the empty text too'],
  ['(a', 'missing closing ) (at position 2)'],
  ['(?=a)', expect.any(String)],
])('the fault of %s is told', (pattern, fault) => {
  expect(redactionFault(pattern)).toEqual(fault)
  expect(redactionFault(SSN)).toBeUndefined()
})

test('the patterns of one owner have a size together', () => {
  expect(areTooLarge([SSN, EMAIL])).toBe(false)
  expect(areTooLarge(['(?:ab){400}'])).toBe(true)
  expect(areTooLarge(Array.from({ length: 10 }, () => '[a-z]{30}'))).toBe(true)
})
