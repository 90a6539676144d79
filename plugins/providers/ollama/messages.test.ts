import { expect, test } from 'bun:test'
import type { AdapterContext, Message } from '#kit/provider'
import { adaptMessages } from './messages.ts'

const context: AdapterContext = {
  model: 'qwen3',
  stream: false,
  strict: true,
  includeUsage: false,
  callId: 'call-1',
  created: 1,
  settings: {},
}

const sent = (text: string): unknown => {
  const message: Message = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: text } }],
  }
  const [made] = adaptMessages([message], { model: 'qwen3', messages: [message] }, context, () => {})
  return made?.tool_calls?.[0]?.function.arguments
}

test.each([
  ['{ "a": 1 }', '{ "a": 1 }'],
  ['', '{}'],
  ['{"city":"Ro', '{"arguments":"{\\"city\\":\\"Ro"}'],
  ['[1]', '{"arguments":"[1]"}'],
])('arguments %p of an earlier call are an object', (text, expected) => {
  expect(sent(text)).toBe(expected)
})
