import { expect, test } from 'bun:test'
import { conform, setUp } from '#kit/testing'
import moonshot from './index.ts'

conform(moonshot, new URL('./fixtures/', import.meta.url))

test('goes on from a prefix, but not to a JSON object', async () => {
  const chat = (await setUp(moonshot)).providers[0]?.endpoints.chat
  const request = { model: 'kimi-k2.6', messages: [{ role: 'user' as const, content: 'Hi' }] }
  const context = {
    model: 'kimi-k2.6',
    stream: true,
    strict: true,
    includeUsage: false,
    callId: 'call-1',
    created: 1,
    settings: {},
  }
  expect(chat?.assistantPrefix?.(request, 'One', context)?.request.messages.at(-1)).toEqual({
    role: 'assistant',
    content: 'One',
    partial: true,
  })
  const json = { ...request, response_format: { type: 'json_object' as const } }
  expect(chat?.assistantPrefix?.(json, 'One', context)).toBeUndefined()
})
