import { expect, test } from 'bun:test'
import { findUnstorable } from './unstorable-text.ts'

const path = (value: unknown): string | undefined => findUnstorable(value)?.path

test('text that the database keeps is found nowhere', () => {
  expect(path({ name: 'naïve 日本 \u{1f600}', list: ['a', null, 1, true], deep: { key: '' } })).toBeUndefined()
  expect(path(undefined)).toBeUndefined()
})

test('text that it cannot keep is found wherever it is', () => {
  expect(path({ name: 'a\0b' })).toBe('name')
  expect(path({ list: [{ name: 'x' }, { name: '\ud800' }] })).toBe('list[1].name')
  expect(path({ metadata: { 'a\0': 'x' } })).toBe('metadata')
  expect(path({ 'a\0': 'x' })).toBe('')
})
