import { expect, test } from 'bun:test'
import { shownUnits, worded } from './amounts.ts'

test.each([
  ['cost', 0, '0 USD', 0],
  ['cost', 1, '0.000000001 USD', 1e-9],
  ['cost', 420_000_000, '0.42 USD', 0.42],
  ['cost', 9_000_000_000_000_000, '9000000 USD', 9_000_000],
  ['cost', 8_999_999_999_999_999, '8999999.999999999 USD', 8_999_999.999999998],
  ['tokens', 1_200, '1200 tokens', 1_200],
  ['tokens', 1, '1 token', 1],
  ['requests', 0, '0 requests', 0],
  ['requests', 1, '1 request', 1],
] as const)('an amount of %s is written with its unit: %d as %s', (type, units, text, shown) => {
  expect([worded(type, units), shownUnits(type, units)]).toEqual([text, shown])
  expect(Number.parseFloat(worded(type, units))).toBe(shown)
})
