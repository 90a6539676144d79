import { expect, test } from 'bun:test'
import { createLocalCache, createLocalFlags } from './local-stores.ts'

test('a flag stays up for its time, counted anew when it is raised again', () => {
  let nowMs = 1_000
  const flags = createLocalFlags(() => nowMs)
  expect(flags.has('a')).toBe(false)
  flags.raise('a', 100)
  nowMs = 1_099
  expect([flags.has('a'), flags.has('b')]).toEqual([true, false])
  flags.raise('a', 100)
  nowMs = 1_198
  expect(flags.has('a')).toBe(true)
  nowMs = 1_199
  expect(flags.has('a')).toBe(false)
  flags.raise('a', 100)
  flags.lower('a')
  expect(flags.has('a')).toBe(false)
})

test('an answer is kept for its seconds, and the oldest goes when there are too many', () => {
  let nowMs = 0
  const cache = createLocalCache(() => nowMs)
  const answer = new Uint8Array([1, 2])
  cache.set('a', answer, 2)
  expect(cache.get('a')).toBe(answer)
  nowMs = 2_000
  expect(cache.get('a')).toBeUndefined()
  cache.set('b', answer, 2)
  cache.delete('b')
  expect(cache.get('b')).toBeUndefined()
  cache.set('first', answer, 9)
  cache.set('second', answer, 9)
  for (let index = 0; index < 998; index++) cache.set(`n-${index}`, answer, 9)
  // Set anew, it is the youngest.
  cache.set('first', answer, 9)
  cache.set('last', answer, 9)
  expect([cache.get('first'), cache.get('second'), cache.get('last')]).toEqual([answer, undefined, answer])
})
