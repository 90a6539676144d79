import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createBoundedMap } from './bounded-map.ts'

test('keeps what was used lately and forgets the rest', () => {
  const map = createBoundedMap<string, number>(4)
  for (const [index, key] of [...'abcdefgh'].entries()) {
    map.set(key, index)
    expect(map.get('a')).toBe(0)
  }
  expect(map.get('b')).toBeUndefined()
  expect(map.get('h')).toBe(7)
})

test('never holds more than its maximum, each key once, and only what was last set', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom('set', 'get', 'replace', 'delete', 'clear'), fc.nat(12), fc.nat()))
  fc.assert(
    fc.property(steps, fc.integer({ min: 2, max: 8 }), (actions, maximum) => {
      const map = createBoundedMap<number, { readonly key: number; readonly value: number }>(maximum)
      const model = new Map<number, number>()
      for (const [action, key, value] of actions) {
        if (action === 'set') {
          map.set(key, { key, value })
          model.set(key, value)
          expect(map.peek(key)?.value).toBe(value)
        }
        if (action === 'replace') {
          if (map.peek(key) !== undefined) model.set(key, value)
          map.replace(key, { key, value })
        }
        if (action === 'delete') map.delete(key)
        if (action === 'clear') map.clear()
        if (action === 'delete' || action === 'clear') expect(map.get(key)).toBeUndefined()
        const found = map.get(key)
        if (found !== undefined) expect(found).toEqual({ key, value: model.get(key) ?? -1 })
        const keys = [...map.values()].map((entry) => entry.key)
        expect(keys.length).toBe(map.size)
        expect(new Set(keys).size).toBe(keys.length)
        expect(keys.length).toBeLessThanOrEqual(maximum)
      }
    }),
  )
})
