import { expect, test } from 'bun:test'
import { type AdapterContext, shortId } from '#kit/provider'
import { ANSWERS } from './answers.ts'

const context = (callId: string): AdapterContext => ({
  model: 'm',
  stream: false,
  strict: true,
  includeUsage: false,
  callId,
  created: 1,
  settings: {},
})

const idsOf = (calls: readonly object[], isDelta: boolean, callId = 'call-1'): unknown => {
  const message = ANSWERS.message?.({ tool_calls: calls }, { isDelta, choice: 0, context: context(callId) })
  const { tool_calls: made } = message as { tool_calls: readonly { id?: string }[] }
  return made.map(({ id }) => id)
}

const called = (name: string) => ({ function: { name, arguments: '{}' } })

// toolcall.py of mistralai 3.7.0 (PyPI), read 2026-11-22: `id` is "null" where it is not given.
test('calls without an id get one of their own, which fits', () => {
  const ids = idsOf([{ id: 'null', ...called('a') }, called('b'), { id: 'abcdefghi', ...called('c') }], false)
  expect(ids).toEqual([shortId('call-1 0 0'), shortId('call-1 0 1'), 'abcdefghi'])
  expect(idsOf([called('a')], false, 'call-2')).not.toEqual(idsOf([called('a')], false))
})

test('in a stream the first piece of a call has the id, and the others go by their place', () => {
  expect(idsOf([{ id: 'null', index: 1, ...called('a') }], true)).toEqual([shortId('call-1 0 1')])
  expect(idsOf([{ id: 'null', index: 1, ...called('') }], true)).toEqual([undefined])
})
