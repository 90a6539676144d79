import { expect, test } from 'bun:test'
import { digits } from './metrics.ts'

test.each([
  [0.12345, '0.123'],
  [1.2345, '1.23'],
  [12.345, '12.3'],
  [123.45, '123'],
  [1234567, '1,234,567'],
  [9.999, '10.0'],
  [-0.5, '-0.500'],
  [Number.NaN, '–'],
])('%d is written %s', (value, expected) => expect(digits(value)).toBe(expected))
