import { expect, test } from 'bun:test'
import { conform, setUp } from '#kit/testing'
import openrouter from './index.ts'

conform(openrouter, new URL('./fixtures/', import.meta.url))

test('the calling application is named by its own headers', async () => {
  const { providers } = await setUp(openrouter)
  expect(providers[0]?.headers).toEqual(['http-referer', 'x-title'])
})

// OpenRouter docs, "Streaming", read 2026-11-21: errors come as data events with an `error` field. This one looks like a
// chunk besides.
test('an error in the middle of a stream finds its words', async () => {
  const { providers } = await setUp(openrouter)
  const event = {
    id: 'cmpl-1',
    object: 'chat.completion.chunk',
    created: 1763683200,
    model: 'openai/gpt-5.2',
    provider: 'openai',
    error: { code: 'server_error', message: 'Provider disconnected unexpectedly' },
    choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
  }
  expect(providers[0]?.failure(200, event)).toEqual({
    message: 'Provider disconnected unexpectedly',
    type: null,
    param: null,
    code: 'server_error',
  })
})

test('what the provider behind it said is cut like any message', async () => {
  const { providers } = await setUp(openrouter)
  const body = { error: { message: 'Provider returned error', metadata: { raw: 'x'.repeat(5000) } } }
  expect(providers[0]?.failure(502, body).message).toHaveLength(2001)
})
