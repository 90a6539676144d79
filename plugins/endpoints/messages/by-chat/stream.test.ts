import { describe, expect, test } from 'bun:test'
import { type AdapterContext, unsealThinking } from '#kit/provider'
import { messageAnswers } from '../answers.ts'
import { MessageStream } from './stream.ts'

const CONTEXT: AdapterContext = {
  provider: 'acme',
  model: 'acme-1',
  stream: true,
  strict: false,
  includeUsage: true,
  callId: 'call-1',
  created: 1,
  settings: {},
}

type Fields = Readonly<Record<string, unknown>>

const eventsIn = (text: string): Fields[] =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json ?? ''))

interface Message {
  readonly content: readonly Fields[]
  readonly stop_reason: string
  readonly usage: Fields
}

/** The events that deltas become, and the message that they add up to. */
const streamed = (deltas: readonly Fields[], { finish = 'stop', params = {}, usage = undefined as unknown } = {}) => {
  const stream = new MessageStream(CONTEXT, params)
  const chunk = (choices: readonly Fields[], more: Fields = {}) =>
    stream.push({ id: 'c', model: 'm', choices, ...more })
  let text = ''
  for (const delta of deltas) text += chunk([{ index: 0, delta, finish_reason: null }])
  text += chunk([{ index: 0, delta: {}, finish_reason: finish }])
  if (usage !== undefined) text += chunk([], { usage })
  const events = eventsIn(text + stream.end())
  const collector = messageAnswers.collector()
  for (const event of events) collector.add(event)
  const message = collector.whole() as Message
  return { events, types: message.content.map(({ type }) => type), ...message }
}

const call = (index: number, text: string, more: Fields = {}) => ({
  tool_calls: [
    { index, ...more, function: { ...(more.name === undefined ? {} : { name: more.name }), arguments: text } },
  ],
})

test('a text is a block from its beginning to its end', () => {
  const { events } = streamed([{ role: 'assistant', content: '' }, { content: 'He' }, { content: 'llo' }], {
    usage: { prompt_tokens: 5, completion_tokens: 2 },
  })
  expect(events.map(({ type }) => type)).toEqual([
    'message_start',
    'content_block_start',
    'content_block_delta',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ])
  expect(events.at(-2)).toMatchObject({
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { input_tokens: 5, output_tokens: 2 },
  })
})

test('an answer of nothing is one all the same', () => {
  expect(streamed([])).toMatchObject({ content: [], stop_reason: 'end_turn' })
})

test('usage that nobody reports is estimated', () => {
  expect(streamed([{ content: 'abcdef' }]).usage).toMatchObject({ input_tokens: 0, output_tokens: 2 })
})

test('a refusal is said, and is why it ended', () => {
  expect(streamed([{ refusal: 'No' }, { refusal: '.' }])).toMatchObject({
    content: [{ type: 'text', text: 'No.' }],
    stop_reason: 'refusal',
    stop_details: { explanation: 'No.' },
  })
})

test('other choices are not told', () => {
  const stream = new MessageStream(CONTEXT, {})
  const text = stream.push({ choices: [{ index: 1, delta: { content: 'x' } }] }) + stream.end()
  expect(eventsIn(text).map(({ type }) => type)).toEqual(['message_start', 'message_delta', 'message_stop'])
})

describe('thinking', () => {
  test('comes before the text, with its seal', () => {
    const { content, types } = streamed([{ reasoning_content: 'H' }, { reasoning_content: 'm' }, { content: 'Hi' }])
    expect(types).toEqual(['thinking', 'text'])
    expect(content[0]).toMatchObject({ thinking: 'Hm' })
    expect(unsealThinking(content[0]?.signature)).toEqual({ by: 'acme' })
  })

  test('of several blocks keeps what each has', () => {
    const { content, types } = streamed([
      {
        reasoning_content: 'A',
        content_blocks: [{ index: 0, type: 'thinking', thinking: 'A', extra_content: { acme: 1 } }],
      },
      { content_blocks: [{ index: 1, type: 'thinking', thinking: 'B' }] },
      { content_blocks: [{ index: 1, delta: { type: 'signature_delta', signature: 's' } }] },
      { content_blocks: [{ index: 2, type: 'redacted_thinking', data: 'd' }] },
      { content: 'Hi', content_blocks: [{ index: 3, type: 'text', text: 'Hi' }] },
      { content: '!', content_blocks: [{ index: 3, delta: { type: 'text_delta', text: '!' } }] },
      { content_blocks: [{ index: 4, type: 'image', source: { media_type: 'image/png', data: 'aGk=' } }] },
    ])
    expect(types).toEqual(['thinking', 'thinking', 'redacted_thinking', 'text'])
    expect(content.map(({ signature, data }) => unsealThinking(signature ?? data))).toEqual([
      { by: 'acme', rest: { extra_content: { acme: 1 } } },
      { by: 'acme', rest: { signature: 's' } },
      { by: 'acme', block: { type: 'redacted_thinking', data: 'd' } },
      undefined,
    ])
    expect(content[3]).toMatchObject({ text: 'Hi!![image](data:image/png;base64,aGk=)' })
  })

  test('is hidden, or left out, where the client says so', () => {
    const thoughts = [{ reasoning_content: 'Hm' }, { content: 'Hi' }]
    const hidden = streamed(thoughts, { params: { thinking: { type: 'adaptive', display: 'omitted' } } })
    expect(hidden.content[0]).toMatchObject({ type: 'thinking', thinking: '' })
    expect(unsealThinking(hidden.content[0]?.signature)).toEqual({ by: 'acme', text: 'Hm' })
    expect(streamed(thoughts, { params: { thinking: { type: 'disabled' } } }).types).toEqual(['text'])
  })
})

describe('tool calls', () => {
  test.each([
    [
      'one after the other',
      [call(0, '', { id: 'a', name: 'f' }), call(0, '{"x"'), call(0, ':1}'), call(1, '{}', { id: 'b', name: 'g' })],
    ],
    [
      'in turns',
      [call(0, '{"x"', { id: 'a', name: 'f' }), call(1, '{', { id: 'b', name: 'g' }), call(0, ':1}'), call(1, '}')],
    ],
    ['all with the same number', [call(0, '{"x":1}', { id: 'a', name: 'f' }), call(0, '{}', { id: 'b', name: 'g' })]],
    [
      'with names in pieces',
      [call(0, '', { id: 'a', name: '' }), call(0, '{"x":1}', { name: 'f' }), call(1, '', { id: 'b', name: 'g' })],
    ],
  ])('%s', (_how, deltas) => {
    const { content, stop_reason: reason } = streamed(deltas, { finish: 'tool_calls' })
    expect(reason).toBe('tool_use')
    expect(content).toMatchObject([
      { type: 'tool_use', id: 'a', name: 'f', input: { x: 1 } },
      { type: 'tool_use', id: 'b', name: 'g', input: {} },
    ])
  })

  test('are all told before the model goes on', () => {
    const { types } = streamed([
      { content: 'Let me see.' },
      call(0, '{}', { id: 'a', name: 'f' }),
      call(1, '', { id: 'b', name: 'g' }),
      { content: 'Done.' },
      { reasoning_content: 'Hm.' },
    ])
    expect(types).toEqual(['text', 'tool_use', 'tool_use', 'text', 'thinking'])
  })

  test('bring what their maker wants back', () => {
    const { content, types } = streamed([call(0, '{}', { id: 'a', name: 'f', extra_content: { acme: 1 } })])
    expect(types).toEqual(['redacted_thinking', 'tool_use'])
    expect(unsealThinking(content[0]?.data)).toEqual({ by: 'acme', call: { acme: 1 } })
  })
})
