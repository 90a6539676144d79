import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { shortId, ToolIds } from './tool-ids.ts'

const FITTING = /^[a-zA-Z0-9]{9}$/

test('an id that fits stays, any other becomes one that does', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 80 }), (id) => {
      const short = new ToolIds([id]).of(id)
      expect(short).toMatch(FITTING)
      expect(short === id).toBe(FITTING.test(id))
    }),
  )
})

test('the same id becomes the same in every call', () => {
  expect(new ToolIds(['call_1', 'call_2']).of('call_2')).toBe(new ToolIds(['call_2']).of('call_2'))
})

test('no two ids of a conversation become the same', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => `call_${index}`)
  const ids = new ToolIds(many)
  expect(new Set(many.map((id) => ids.of(id))).size).toBe(many.length)
})

test('an id that another one has or becomes is passed over', () => {
  const taken = shortId('call_1')
  const ids = new ToolIds([taken, 'call_1'])
  expect(ids.of('call_1')).toBe(shortId('call_1', 1))
  expect(ids.of(taken)).toBe(taken)
})
