import { expect, test } from 'bun:test'
import { findLongKey } from './long-key.ts'

test('keys of a sensible length are none of its business, whatever their values', () => {
  expect(findLongKey({ [`${'k'.repeat(512)}`]: 'v'.repeat(10_000), list: [{ a: null }, 5] })).toBeUndefined()
})

test('names the place of a longer one, in short', () => {
  const long = 'k'.repeat(513)
  expect(findLongKey({ [long]: 1 })?.path).toBe(`${'k'.repeat(32)}...`)
  expect(findLongKey({ list: [{}, { inner: { [long]: 1 } }] })?.path).toBe(`list[1].inner.${'k'.repeat(32)}...`)
})
