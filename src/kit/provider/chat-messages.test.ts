import { expect, test } from 'bun:test'
import { adaptRequest } from '../../calls/adapt.ts'
import type { ChatFields } from './chat-fields.ts'
import type { Message } from './openai.ts'
import { openaiCompatible } from './openai-compatible.ts'

const TAKES: ChatFields = {
  unknown: 'refused',
  params: [],
  messages: { system: [], user: [], assistant: ['tool_calls'], tool: ['tool_call_id'] },
}

const messagesSent = (takes: ChatFields, ...messages: readonly Message[]): unknown => {
  const { chat } = openaiCompatible({ id: 'acme', baseURL: 'https://api.acme.example/v1', takes }).endpoints
  if (chat === undefined) throw new Error('no chat endpoint')
  const context = {
    model: 'm',
    stream: false,
    strict: true,
    includeUsage: false,
    callId: 'c',
    created: 1,
    settings: {},
  }
  return adaptRequest(chat, { model: 'm', messages }, context).body?.messages
}

const text = (said: string) => ({ type: 'text', text: said })

test('a host that wants text as a string gets no lists of it', () => {
  const picture = { type: 'image_url', image_url: { url: 'https://files.example/a.png' } }
  const calls = [{ id: 'c', type: 'function' as const, function: { name: 'f', arguments: '{}' } }]
  const sent = messagesSent(
    { ...TAKES, stringContent: true },
    { role: 'system', content: [text('Be'), text('brief.')] },
    { role: 'user', content: [text('What?'), picture] },
    { role: 'assistant', content: [text('Fo'), text('und.')] },
    { role: 'assistant', tool_calls: calls },
    { role: 'tool', tool_call_id: 'c', content: [text('1')] },
  )
  expect(sent).toEqual([
    { role: 'system', content: 'Be\nbrief.' },
    { role: 'user', content: [text('What?'), picture] },
    { role: 'assistant', content: 'Found.' },
    { role: 'assistant', content: null, tool_calls: calls },
    { role: 'tool', tool_call_id: 'c', content: '1' },
  ])
})

test('calls and results in the older form are those of tools for a host that does not know it', () => {
  const history: readonly Message[] = [
    { role: 'user', content: 'One?' },
    { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
    { role: 'function', name: 'f', content: '1' },
  ]
  expect(messagesSent(TAKES, ...history)).toEqual([
    { role: 'user', content: 'One?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: '1' },
  ])
  const knows: ChatFields = {
    ...TAKES,
    messages: { ...TAKES.messages, assistant: ['function_call'], tool: ['name'] },
  }
  expect(messagesSent(knows, ...history)).toEqual(history)
})
