import { expect, test } from 'bun:test'
import { percent, toCents, toCentsText, toIsoTime, toMilliseconds } from './units.ts'

test('cents are exact to the picodollar', () => {
  expect(toCents(1)).toBe(1e-10)
  expect(toCents(123_456_789_012)).toBe(12.3456789012)
  expect(toCents(0)).toBe(0)
})

test.each([
  [0, '0'],
  [1, '0.0000000001'],
  [10_000_000_000, '1'],
  [12_500_000_000, '1.25'],
  [1_000_000_000_000, '100'],
])('%d picodollars are a text without an exponent', (picodollars, text) => {
  expect(toCentsText(picodollars)).toBe(text)
})

test('times are whole milliseconds, shares percent of something', () => {
  expect(toMilliseconds(1_499)).toBe(1)
  expect(toMilliseconds(1_500)).toBe(2)
  expect(toIsoTime(1_000_001)).toBe('1970-01-01T00:00:01.000Z')
  expect([percent(1, 3), percent(1, 0)]).toEqual([33.33, 0])
})
