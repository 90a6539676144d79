import { expect, test } from 'bun:test'
import { trimSlashes } from './trim-slashes.ts'

test.each([
  ['https://a.example/v1//', 'https://a.example/v1'],
  ['https://a.example', 'https://a.example'],
  ['///', ''],
  ['', ''],
])('%j without slashes at its end is %j', (text, expected) => expect(trimSlashes(text)).toBe(expected))

test('a long row of slashes is looked at once', () => {
  const text = `${'/'.repeat(1_000_000)}x`
  const before = performance.now()
  expect(trimSlashes(text)).toBe(text)
  expect(performance.now() - before).toBeLessThan(1_000)
})
