import { describe, expect, test } from 'bun:test'
import { UpstreamInvalid } from '#kit'
import { type AdapterContext, unsealThinking } from '#kit/provider'
import { toMessage } from './reply.ts'

const CONTEXT: AdapterContext = {
  provider: 'acme',
  model: 'acme-1',
  stream: false,
  strict: false,
  includeUsage: true,
  callId: 'call-1',
  created: 1,
  settings: {},
}

type Fields = Readonly<Record<string, unknown>>

const answered = (message: Fields, finish: string | null = 'stop', more: Fields = {}, params: Fields = {}) =>
  toMessage(
    {
      id: 'chatcmpl-1',
      model: 'acme-1-2026',
      choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
      ...more,
    },
    CONTEXT,
    params,
  )

const TEXT = { type: 'text', text: 'Hi', citations: null }

test('a text', () => {
  expect(answered({ content: 'Hi' }, 'stop', { usage: { prompt_tokens: 3, completion_tokens: 1 } })).toEqual({
    id: 'msg_chatcmpl-1',
    type: 'message',
    role: 'assistant',
    model: 'acme-1-2026',
    content: [TEXT],
    stop_reason: 'end_turn',
    stop_sequence: null,
    stop_details: null,
    container: null,
    diagnostics: null,
    usage: {
      input_tokens: 3,
      output_tokens: 1,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      cache_creation: null,
      inference_geo: null,
      output_tokens_details: null,
      server_tool_use: null,
      service_tier: null,
      speed: null,
    },
  })
})

test.each([
  ['stop', {}, 'end_turn', null],
  ['length', {}, 'max_tokens', null],
  ['tool_calls', {}, 'tool_use', null],
  ['content_filter', {}, 'refusal', { type: 'refusal', category: null, explanation: null }],
  ['stop', { refusal: 'No.' }, 'refusal', { type: 'refusal', category: null, explanation: 'No.' }],
  ['stop', { tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{}' } }] }, 'tool_use', null],
  ['new_word', {}, 'end_turn', null],
])('%s with %j ends as %s', (finish, message, reason, details) => {
  expect(answered({ content: null, ...message }, finish)).toMatchObject({ stop_reason: reason, stop_details: details })
})

test('a text that the answer stopped at is told where the host tells it, and the client asked for it', () => {
  const choices = [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop', stop_reason: 'END' }]
  const stopped = toMessage({ choices }, CONTEXT, { stop_sequences: ['END'] })
  expect(stopped).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: 'END' })
  expect(toMessage({ choices }, CONTEXT, {})).toMatchObject({ stop_reason: 'end_turn', stop_sequence: null })
})

describe('usage', () => {
  test('leaves what the cache had out of the input', () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 20,
      prompt_tokens_details: { cached_tokens: 60 },
      cache_creation_input_tokens: 30,
      completion_tokens_details: { reasoning_tokens: 5 },
    }
    expect(answered({ content: 'Hi' }, 'stop', { usage }).usage).toMatchObject({
      input_tokens: 10,
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: 30,
      output_tokens: 20,
      output_tokens_details: { thinking_tokens: 5 },
    })
  })

  test('is estimated where the provider reports none', () => {
    expect(answered({ content: 'abcdef' }).usage).toMatchObject({ input_tokens: 0, output_tokens: 2 })
  })
})

describe('thinking', () => {
  const sealIn = (block: unknown) => {
    const { signature, data } = block as Fields
    return unsealThinking(signature ?? data)
  }
  const contentOf = (message: Fields, thinking?: Fields) =>
    answered(message, 'stop', {}, thinking === undefined ? {} : { thinking }).content as Fields[]

  test('stands in front, sealed for its maker', () => {
    const [thought, text] = contentOf({ content: 'Hi', reasoning_content: 'Hm.' })
    expect([thought, text]).toEqual([{ type: 'thinking', thinking: 'Hm.', signature: expect.any(String) }, TEXT])
    expect(sealIn(thought)).toEqual({ by: 'acme' })
  })

  test('in blocks keeps its place and what else its maker said', () => {
    const blocks = [
      { type: 'text', text: 'Hi' },
      { type: 'thinking', thinking: 'Hm.', signature: 's' },
      { type: 'redacted_thinking', data: 'd' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
      { type: 'unheard_of' },
    ]
    const content = contentOf({ content: 'Hi', reasoning_content: 'Hm.', content_blocks: blocks })
    expect(content.map(({ type }) => type)).toEqual(['text', 'thinking', 'redacted_thinking', 'text'])
    expect(sealIn(content[1])).toEqual({ by: 'acme', rest: { signature: 's' } })
    expect(sealIn(content[2])).toEqual({ by: 'acme', block: { type: 'redacted_thinking', data: 'd' } })
    expect(content[3]).toMatchObject({ text: '![image](data:image/png;base64,aGk=)' })
  })

  test('that the client does not want to see is carried all the same, or left out', () => {
    const message = { content: 'Hi', reasoning_content: 'Hm.' }
    const [thought] = contentOf(message, { type: 'adaptive', display: 'omitted' })
    expect(thought).toMatchObject({ thinking: '' })
    expect(sealIn(thought)).toEqual({ by: 'acme', text: 'Hm.' })
    expect(contentOf(message, { type: 'disabled' })).toEqual([TEXT])
  })
})

describe('tool calls', () => {
  const callsOf = (call: Fields) =>
    answered({ content: null, tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{"x":1}' }, ...call }] })
      .content as Fields[]

  test.each([
    [{}, { id: 'a', name: 'f', input: { x: 1 } }],
    [{ id: '' }, { id: 'toolu_call-1_0' }],
    [{ function: { name: 'f' } }, { input: {} }],
    [{ function: { name: 'f', arguments: ' ' } }, { input: {} }],
    [{ function: { name: 'f', arguments: '{"x":' } }, { input: { arguments: '{"x":' } }],
    [{ function: { name: 'f', arguments: '[1]' } }, { input: { arguments: '[1]' } }],
  ])('%j', (call, block) => {
    expect(callsOf(call)).toMatchObject([{ type: 'tool_use', caller: { type: 'direct' }, ...block }])
  })

  test('bring what their maker wants back', () => {
    const extra = { google: { thought_signature: 's' } }
    const [opaque, use] = callsOf({ extra_content: extra })
    expect(unsealThinking(opaque?.data)).toEqual({ by: 'acme', call: extra })
    expect(use).not.toHaveProperty('extra_content')
  })

  test('without a name are no answer', () => {
    expect(() => callsOf({ function: {} })).toThrow(UpstreamInvalid)
  })
})

test.each([[{}], [{ choices: [] }], [{ choices: [{ index: 1, message: {} }] }], [{ choices: [{ index: 0 }] }]])(
  '%j is no answer',
  (answer) => {
    expect(() => toMessage(answer, CONTEXT, {})).toThrow(UpstreamInvalid)
  },
)
