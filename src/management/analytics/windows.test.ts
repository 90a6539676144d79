import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { ManagementInvalid } from '../../errors/gateway-error.ts'
import { bucketsOf, INTERVALS, widthOf } from './windows.ts'

const HOUR_US = 3_600_000_000
const START = Date.UTC(2026, 10, 22, 17, 42, 30) * 1000
const after = (hours: number) => ({ from: START, to: START + hours * HOUR_US })

test.each([
  [1, '1m', 61],
  [2, '1m', 121],
  [3, '5m', 37],
  [24, '15m', 97],
  [7 * 24, '1h', 169],
  [30 * 24, '6h', 121],
  [90 * 24, '1d', 91],
] as const)('%d hours are cut into buckets of %s', (hours, interval, points) => {
  const width = widthOf(after(hours), undefined)
  expect(width).toBe(widthOf(after(1), interval))
  expect(bucketsOf(after(hours), width)).toHaveLength(points)
})

test('too many points are refused, in the name of what makes them', () => {
  expect(() => widthOf(after(26), '1m')).toThrow(ManagementInvalid)
  expect(() => widthOf(after(26), '1m')).toThrow('`interval` makes more than 1500 points')
  expect(() => widthOf(after(24 * 1_501), undefined)).toThrow('`time_of_generation_max` makes more than 1500 points')
})

test('buckets begin at whole widths of UTC, and cover the window without gaps', () => {
  const window = fc
    .record({ from: fc.nat(2 ** 50), length: fc.integer({ min: 1, max: 20 * HOUR_US }) })
    .map(({ from, length }) => ({ from, to: from + length }))
  fc.assert(
    fc.property(window, fc.constantFrom(...INTERVALS), (range, interval) => {
      const width = widthOf(range, interval)
      const buckets = bucketsOf(range, width)
      const [first = Number.NaN] = buckets
      expect(first % width).toBe(0)
      expect(first).toBeLessThanOrEqual(range.from)
      expect(first + width).toBeGreaterThan(range.from)
      expect(buckets).toEqual(buckets.map((_, index) => first + index * width))
      expect((buckets.at(-1) ?? Number.NaN) < range.to && (buckets.at(-1) ?? 0) + width >= range.to).toBe(true)
    }),
  )
})
