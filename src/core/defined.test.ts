import { expect, test } from 'bun:test'
import { type Defined, defined } from './defined.ts'

test('fields that are undefined are left out, all else stays', () => {
  expect(Object.entries(defined({ a: 1, b: undefined, c: null, d: false, e: '', f: [undefined] }))).toEqual([
    ['a', 1],
    ['c', null],
    ['d', false],
    ['e', ''],
    ['f', [undefined]],
  ])
})

test('what it is given stays as it is', () => {
  const fields = { a: 1, b: undefined }
  const kept = defined(fields)
  expect(kept).not.toBe(fields)
  expect(Object.keys(fields)).toEqual(['a', 'b'])
})

test('its result has optional fields where undefined could be, and keeps literals', () => {
  interface Wanted {
    readonly kind: 'one' | 'two'
    readonly name: string
    readonly size?: number
    readonly parts?: readonly string[]
  }
  const size = undefined as number | undefined
  const wanted: Wanted = defined({ kind: 'one', name: 'x', size, parts: ['a'] })
  // @ts-expect-error: a field that may be absent is not there for sure.
  const certain: { size: number } = defined({ size })
  const unknown: Defined<{ a: unknown }> = {}
  expect([wanted, certain, unknown]).toEqual([{ kind: 'one', name: 'x', parts: ['a'] }, {} as { size: number }, {}])
})
