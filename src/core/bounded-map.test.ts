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

test('holds what a list in the order of use would, up to its maximum', () => {
  const steps = fc.array(
    fc.tuple(fc.constantFrom('set', 'get', 'peek', 'replace', 'delete', 'clear'), fc.nat(12), fc.nat()),
  )
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 8 }), (actions, maximum) => {
      const map = createBoundedMap<number, number>(maximum)
      let model: readonly (readonly [key: number, value: number])[] = []
      for (const [action, key, value] of actions) {
        const known = model.find(([each]) => each === key)
        const others = model.filter(([each]) => each !== key)
        if (action === 'set') {
          map.set(key, value)
          model = [...others, [key, value] as const].slice(-maximum)
        } else if (action === 'get') {
          expect(map.get(key)).toBe(known?.[1])
          if (known !== undefined) model = [...others, known]
        } else if (action === 'peek') {
          expect(map.peek(key)).toBe(known?.[1])
        } else if (action === 'replace') {
          map.replace(key, value)
          model = model.map((each) => (each[0] === key ? [key, value] : each))
        } else if (action === 'delete') {
          map.delete(key)
          model = others
        } else {
          map.clear()
          model = []
        }
        expect(map.size).toBe(model.length)
        expect([...map.values()].toSorted()).toEqual(model.map(([, each]) => each).toSorted())
      }
    }),
  )
})
