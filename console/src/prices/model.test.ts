import { expect, test } from 'bun:test'
import { forMillion, toCents, toDollars } from './model.ts'

test('a price that is typed in dollars for a million comes back as it was', () => {
  for (const dollars of ['2.5', '0.15', '0.0375', '600', '0', '1.1']) {
    expect(toDollars(toCents(dollars))).toBe(dollars)
  }
  expect(toCents('2.5')).toBe(0.00025)
})

test('a price that is not known is not nought', () => {
  expect([forMillion(undefined), toDollars(undefined)]).toEqual(['—', ''])
  expect(forMillion(0)).toBe('$0.00')
})
