import { describe, expect, test } from 'bun:test'
import { GroupCache } from './group-cache.ts'

describe('groups that were met lately', () => {
  test('are found again, each under its policy', () => {
    const cache = new GroupCache<string>(10)
    cache.add(0, 'red', 'first')
    cache.add(3, 'red', 'fourth')
    expect([cache.get(0, 'red'), cache.get(3, 'red'), cache.get(1, 'red'), cache.get(0, 'blue')]).toEqual([
      'first',
      'fourth',
      undefined,
      undefined,
    ])
  })

  test('are forgotten when twice as many came after them', () => {
    const cache = new GroupCache<number>(4)
    for (let number = 0; number < 20; number += 1) cache.add(number % 2, `group-${number}`, number)
    const kept = Array.from({ length: 20 }, (_, number) => number).filter(
      (number) => cache.get(number % 2, `group-${number}`) !== undefined,
    )
    expect(kept.length).toBeLessThanOrEqual(8)
    expect(kept).toContain(19)
    expect(kept).not.toContain(0)
  })

  test('stay when they are met all the time', () => {
    const cache = new GroupCache<string>(4)
    cache.add(0, 'often', 'here')
    for (let number = 0; number < 100; number += 1) {
      cache.add(0, `once-${number}`, 'x')
      expect(cache.get(0, 'often')).toBe('here')
    }
  })

  test('are kept until as many came after them, at the least', () => {
    for (let count = 4; count <= 20; count += 1) {
      for (let last = 1; last <= 4; last += 1) {
        // To ask for a group counts as meeting it.
        const cache = new GroupCache<number>(4)
        for (let number = 0; number < count; number += 1) cache.add(0, `group-${number}`, number)
        expect(cache.get(0, `group-${count - last}`)).toBe(count - last)
      }
    }
  })

  test('with very long names are not kept', () => {
    const cache = new GroupCache<string>(4)
    cache.add(0, 'm'.repeat(512), 'kept')
    cache.add(0, 'm'.repeat(513), 'not')
    expect([cache.get(0, 'm'.repeat(512)), cache.get(0, 'm'.repeat(513))]).toEqual(['kept', undefined])
  })
})
