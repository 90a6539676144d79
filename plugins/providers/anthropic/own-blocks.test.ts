import { expect, test } from 'bun:test'
import { adaptRequest } from '#calls/adapt'
import type { ChatRequest } from '#kit/provider'
import { setUp } from '#kit/testing'
import anthropic from './index.ts'

const { providers } = await setUp(anthropic)

const sent = (model: string, messages: readonly object[], fields: object = {}) => {
  const chat = providers[0]?.endpoints.chat
  if (chat === undefined) throw new Error('no chat endpoint')
  const context = { model, stream: false, strict: false, includeUsage: false, callId: 'c', created: 1, settings: {} }
  const request = { model, messages, ...fields } as unknown as ChatRequest
  const { body } = adaptRequest(chat, request, context)
  return body as { readonly messages: readonly { role: string; content: unknown }[]; readonly thinking?: unknown }
}

const user = { role: 'user', content: 'Hi' }
const google = { extra_content: { google: { thought_signature: 'c2ln' } } }
const sealed = { type: 'thinking', thinking: 'Hm.', signature: 'EqQB' }
const text = { type: 'text', text: 'Found.' }

test("blocks of another provider's answer keep their text alone", () => {
  const blocks = [
    { type: 'thinking', thinking: 'Hm.', ...google },
    { type: 'thinking', thinking: 'Hm.' },
    { type: 'text', text: '', ...google },
    { ...text, ...google },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' }, ...google },
  ]
  const turn = (content_blocks: readonly object[]) =>
    sent('claude-opus-5-5', [user, { role: 'assistant', content: null, content_blocks }, user]).messages[1]?.content
  expect(turn(blocks)).toEqual([text])
  expect(turn(blocks.slice(-1))).toEqual([{ type: 'text', text: '[image]' }])
})

test('a turn never ends with thinking, and one of thinking alone is left out', () => {
  const answer = (...content_blocks: readonly object[]) => ({ role: 'assistant', content: null, content_blocks })
  expect(sent('claude-opus-5-5', [user, answer(sealed, text, sealed), user]).messages[1]?.content).toEqual([
    sealed,
    text,
  ])
  expect(sent('claude-opus-5-5', [user, answer(sealed), user]).messages).toHaveLength(1)
})

test('a conversation that ends with an answer goes on, where the model cannot go on from it', () => {
  const history = [user, { role: 'assistant', content: 'One, two ' }]
  const roles = (model: string, messages: readonly object[]) => sent(model, messages).messages.map(({ role }) => role)
  expect(roles('claude-opus-5-5', history)).toEqual(['user', 'assistant', 'user'])
  expect(sent('claude-sonnet-4-5', history).messages.at(-1)).toEqual({
    role: 'assistant',
    content: [{ type: 'text', text: 'One, two' }],
  })
  const paused = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }
  const pause = [user, { role: 'assistant', content: null, content_blocks: [paused] }]
  expect(roles('claude-opus-5-5', pause)).toEqual(['user', 'assistant'])
})

test('a loop of tools that another provider began is not taken for one with thinking', () => {
  const calls = [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":"b' } }]
  const began = {
    role: 'assistant',
    content: null,
    tool_calls: calls,
    content_blocks: [{ type: 'thinking', thinking: 'x', ...google }],
  }
  const result = { role: 'tool', tool_call_id: 'c', content: '1' }
  const body = sent('claude-sonnet-4-5', [user, began, result], { thinking: { type: 'enabled', budget_tokens: 1024 } })
  expect(body.thinking).toBeUndefined()
  expect(body.messages[1]?.content).toEqual([{ type: 'tool_use', id: 'c', name: 'f', input: { arguments: '{"a":"b' } }])
})
