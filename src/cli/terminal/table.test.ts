import { expect, test } from 'bun:test'
import { table } from './table.ts'

test('columns are aligned and lines end where their text does', () => {
  expect(
    table([
      ['a', 'long cell', ''],
      ['longer', 'b', 'c'],
      ['d', ''],
    ]),
  ).toBe('a       long cell\nlonger  b          c\nd\n')
})

test('nothing gives nothing', () => {
  expect(table([])).toBe('')
})
