import { describe, expect, test } from 'bun:test'
import { median, quantile, ratiosOf, spreadOf } from './statistics.ts'

describe('the median', () => {
  test.each([
    [[3], 3],
    [[5, 1, 3], 3],
    [[4, 1, 3, 2], 2.5],
    [[10, 9, 100], 10],
  ])('of %j is %d', (values, expected) => expect(median(values)).toBe(expected))

  test('of nothing is no number', () => expect(median([])).toBeNaN())

  test('leaves the order of what it was given alone', () => {
    const values = [3, 1, 2]
    median(values)
    expect(values).toEqual([3, 1, 2])
  })
})

test('a spread tells the middle and both ends', () => {
  expect(spreadOf([4, 2, 9])).toEqual({ median: 4, min: 2, max: 9, rounds: 3 })
})

describe('ratios', () => {
  test('are those of each round, so that a slow machine does not count', () => {
    expect(ratiosOf([20, 40, 10], [10, 20, 5])).toEqual([2, 2, 2])
  })

  test('leave out rounds that the reference lacks or in which it is nothing', () => {
    expect(ratiosOf([1, 2, 3], [0, 1])).toEqual([2])
  })
})

describe('a quantile', () => {
  const hundred = Array.from({ length: 100 }, (_, place) => 100 - place)
  test.each([
    [0, 1],
    [0.5, 51],
    [0.99, 100],
    [1, 100],
  ])('%d of 1 to 100 is %d', (share, expected) => expect(quantile(hundred, share)).toBe(expected))
})
