import { expect, test } from 'bun:test'
import { addPacked, addTo, bucketOf, type Histogram, packHistogram, quantileOf, ZERO_BUCKET } from './histogram.ts'

const histogramOf = (values: readonly number[]): Histogram => {
  const histogram: Histogram = new Map()
  for (const value of values) addTo(histogram, bucketOf(value), 1)
  return histogram
}

test('any whole number is found again within 0.55 %', () => {
  for (let value = 0; value < 5_000; value++) {
    const found = quantileOf(histogramOf([value]), 0.5) ?? -1
    expect(Math.abs(found - value)).toBeLessThanOrEqual(value * 0.0055)
  }
  for (const value of [10_007, 1_234_567, 3_600_000_000, 2 ** 50 + 1]) {
    const found = quantileOf(histogramOf([value]), 0.99) ?? -1
    expect(Math.abs(found / value - 1)).toBeLessThan(0.0055)
  }
})

test('a quantile is the value that so many are not above', () => {
  const histogram = histogramOf([4, 1, 3, 2])
  expect([0, 0.25, 0.5, 0.51, 0.75, 1].map((at) => quantileOf(histogram, at))).toEqual([1, 1, 2, 3, 3, 4])
  expect(quantileOf(new Map(), 0.5)).toBeNull()
  expect(quantileOf(histogramOf([0, 0, 7]), 0.5)).toBe(0)
})

test('packed histograms add up to the same', () => {
  const one = histogramOf([0, 1, 5, 5, 70_000, 2 ** 52])
  const other = histogramOf([5, 123_456])
  one.set(bucketOf(99), 2 ** 40)
  const both: Histogram = new Map()
  addPacked(both, packHistogram(one))
  addPacked(both, packHistogram(other))
  for (const [bucket, count] of other) addTo(one, bucket, count)
  expect(new Map([...both].sort())).toEqual(new Map([...one].sort()))
  expect(both.get(ZERO_BUCKET)).toBe(1)
})

test('bytes that are cut off are refused', () => {
  const bytes = packHistogram(histogramOf([1_000]))
  expect(() => addPacked(new Map(), bytes.subarray(0, -1))).toThrow(RangeError)
})
