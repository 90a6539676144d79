import { expect, test } from 'bun:test'
import type { AdapterContext, ChatRequest, Message } from '#kit/provider'
import { adaptMessages } from './messages.ts'

const context: AdapterContext = {
  model: 'mistral-large-latest',
  stream: false,
  strict: true,
  includeUsage: false,
  callId: 'call-1',
  created: 1,
  settings: {},
}

const adapted = (...turns: readonly string[]): readonly string[] => {
  const messages = turns.map((turn): Message => {
    const [role = '', content = ''] = turn.split(':')
    return { role, content } as Message
  })
  const request: ChatRequest = { model: context.model, messages }
  return adaptMessages(messages, request, context, () => {}).map(({ role, content }) => `${role}:${content}`)
}

// mistral-common 1.13.1, validator.py (`_validate_message_order`, `_validate_last_message`), read 2026-11-22.
test.each([
  [
    'behind an answer',
    ['system:a', 'user:b', 'assistant:c', 'system:d', 'user:e'],
    ['system:a', 'system:d', 'user:b', 'assistant:c', 'user:e'],
  ],
  ['behind a result', ['user:b', 'tool:c', 'system:d'], ['system:d', 'user:b', 'tool:c']],
  ['as they are', ['system:a', 'user:b', 'system:c', 'user:d'], ['system:a', 'user:b', 'system:c', 'user:d']],
  ['at the end', ['user:b', 'system:c'], ['user:b', 'user:c']],
  ['alone', ['system:a', 'system:b'], ['system:a', 'user:b']],
  ['only one', ['system:a'], ['system:a']],
])('instructions %s', (_, turns, expected) => {
  expect(adapted(...turns)).toEqual(expected)
})

test('an answer that says nothing is left out', () => {
  expect(adapted('user:a', 'assistant:', 'user:b')).toEqual(['user:a', 'user:b'])
})
