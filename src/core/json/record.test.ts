import { expect, test } from 'bun:test'
import { isRecord } from './record.ts'

test('an object of JSON is a record; an array, null and a scalar are none', () => {
  for (const record of [{}, { a: 1 }, JSON.parse('{"__proto__":1}'), Object.create(null)])
    expect(isRecord(record)).toBe(true)
  for (const other of [[], [{}], null, undefined, 'text', 1, true]) expect(isRecord(other)).toBe(false)
})
