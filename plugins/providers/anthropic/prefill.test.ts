import { expect, test } from 'bun:test'
import type { AdapterContext, ChatRequest } from '#kit/provider'
import { prefill } from './prefill.ts'

const context = (model: string): AdapterContext => ({
  model,
  stream: true,
  strict: true,
  includeUsage: false,
  callId: 'call-1',
  created: 1,
  settings: {},
})
const REQUEST: ChatRequest = { model: 'any', messages: [{ role: 'user', content: 'Hello' }] }

test('the text becomes the last message, without the white space at its end', () => {
  expect(prefill(REQUEST, 'One two \n', context('claude-sonnet-4-5'))).toEqual({
    request: { ...REQUEST, messages: [...REQUEST.messages, { role: 'assistant', content: 'One two' }] },
    echo: ' \n',
  })
})

test.each([
  ['claude-3-5-haiku-20241022', true],
  ['claude-opus-4-20250514', true],
  ['claude-opus-4-5', true],
  ['claude-opus-4-6', false],
  ['claude-sonnet-5-5', false],
  ['claude-sonnet-latest', false],
  ['somebody-elses', false],
])('%s: %p', (model, can) => {
  expect(prefill(REQUEST, 'One', context(model)) !== undefined).toBe(can)
})

test.each<[string, Partial<ChatRequest>]>([
  ['thinking', { thinking: { type: 'enabled', budget_tokens: 2000 } }],
  ['an effort', { reasoning_effort: 'low' }],
  ['a structured output', { response_format: { type: 'json_object' } }],
  ['a beginning of its own', { messages: [...REQUEST.messages, { role: 'assistant', content: 'So' }] }],
])('a request with %s is not continued', (_name, more) => {
  expect(prefill({ ...REQUEST, ...more }, 'One', context('claude-sonnet-4-5'))).toBeUndefined()
})

test('there is nothing to go on from in white space', () => {
  expect(prefill(REQUEST, ' \n', context('claude-sonnet-4-5'))).toBeUndefined()
})
