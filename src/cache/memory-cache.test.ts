import { describe, expect, test } from 'bun:test'
import { createMemoryCache } from './memory-cache.ts'

const world = (maxBytes = 1e6) => {
  let nowMs = 0
  const cache = createMemoryCache({ now: () => nowMs, maxBytes })
  return {
    cache,
    advance: (ms: number) => {
      nowMs += ms
    },
    keys: (...keys: readonly string[]) => keys.filter((key) => cache.get(key) !== undefined).join(''),
  }
}

const bytes = (length: number, value = 7): Uint8Array => new Uint8Array(length).fill(value)

describe('answers in memory', () => {
  test('are found until their time is over, and set anew they last longer', () => {
    const { cache, advance, keys } = world()
    cache.set('a', bytes(3), 60)
    cache.set('b', bytes(3), 60)
    advance(59_999)
    expect(cache.get('a')).toEqual(bytes(3))
    cache.set('b', bytes(4), 60)
    advance(1)
    expect(keys('a', 'b')).toBe('b')
    expect(cache.get('b')).toEqual(bytes(4))
    cache.delete('b')
    cache.delete('never')
    expect(keys('a', 'b')).toBe('')
  })

  test('give way when there are too many: first the one that was not asked for the longest', () => {
    // 1 byte of key and 128 of what a map needs beside each 871.
    const { cache, keys } = world(3_000)
    for (const key of ['a', 'b', 'c']) cache.set(key, bytes(871), 60)
    expect(cache.get('a')).toBeDefined()
    cache.set('d', bytes(871), 60)
    expect(keys('b')).toBe('')
    expect(keys('a', 'c', 'd')).toBe('acd')
    cache.set('e', bytes(2_000), 60)
    expect(keys('a', 'c', 'd', 'e')).toBe('e')
  })

  test('count what is replaced, removed and expired only as long as it is there', () => {
    const { cache, advance, keys } = world(3_000)
    for (let time = 0; time < 50; time++) cache.set('a', bytes(871), 60)
    cache.set('b', bytes(871), 60)
    cache.delete('b')
    advance(60_000)
    expect(keys('a')).toBe('')
    for (const key of ['c', 'd', 'e']) cache.set(key, bytes(871), 60)
    expect(keys('c', 'd', 'e')).toBe('cde')
  })

  test('larger than all the room are not kept, and put nothing else out', () => {
    const { cache, keys } = world(3_000)
    cache.set('a', bytes(100), 60)
    cache.set('b', bytes(3_000), 60)
    cache.set('c', bytes(1), 0)
    expect(keys('a', 'b', 'c')).toBe('a')
    const none = world(0)
    none.cache.set('a', bytes(0), 60)
    expect(none.keys('a')).toBe('')
  })
})
