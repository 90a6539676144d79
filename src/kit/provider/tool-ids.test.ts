import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Message } from './openai.ts'
import { OPENAI_TOOL_IDS, shortId, ToolIds, withToolIds } from './tool-ids.ts'

const FITTING = /^[a-zA-Z0-9]{9}$/
const FORM = { fits: FITTING, prefix: '' }

test('an id that fits stays, any other becomes one that does', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 80 }), (id) => {
      const short = new ToolIds([id], FORM).of(id)
      expect(short).toMatch(FITTING)
      expect(short === id).toBe(FITTING.test(id))
    }),
  )
})

test('the same id becomes the same in every call', () => {
  expect(new ToolIds(['call_1', 'call_2'], FORM).of('call_2')).toBe(new ToolIds(['call_2'], FORM).of('call_2'))
})

test('no two ids of a conversation become the same', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => `call_${index}`)
  const ids = new ToolIds(many, FORM)
  expect(new Set(many.map((id) => ids.of(id))).size).toBe(many.length)
})

test('an id that another one has or becomes is passed over', () => {
  const taken = shortId('call_1')
  const ids = new ToolIds([taken, 'call_1'], FORM)
  expect(ids.of('call_1')).toBe(shortId('call_1', 1))
  expect(ids.of(taken)).toBe(taken)
})

test('an id that is too long for OpenAI is cut in call and result alike; a conversation without one stays as it is', () => {
  const long = `call_${'0'.repeat(36)}_0_0`
  const history = (id: string): readonly Message[] => [
    { role: 'assistant', tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: id, content: '1' },
  ]
  expect(withToolIds(history(long), OPENAI_TOOL_IDS)).toEqual(history(`call_${shortId(long)}`))
  const fitting = history('c'.repeat(40))
  expect(withToolIds(fitting, OPENAI_TOOL_IDS)).toBe(fitting)
})
