import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { RateLimited, UpstreamError } from '#kit'
import { messageAnswers } from './answers.ts'
import { anthropicErrors } from './errors.ts'

const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  content: [],
  stop_reason: 'end_turn',
  stop_sequence: null,
  stop_details: null,
  usage: { input_tokens: 3, output_tokens: 5 },
}

const text = fc.string({ unit: 'grapheme', maxLength: 40 })
const input = fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })

/** Blocks of every kind that a stream tells in pieces, and some that come whole. */
const block = fc.oneof(
  fc.record({ type: fc.constant('text'), text }),
  fc.record({
    type: fc.constant('text'),
    text,
    citations: fc.array(fc.record({ cited_text: text }), { minLength: 1, maxLength: 2 }),
  }),
  fc.record({ type: fc.constant('thinking'), thinking: text, signature: text }),
  fc.record({ type: fc.constant('redacted_thinking'), data: text }),
  fc.record({ type: fc.constant('tool_use'), id: text, name: text, input }),
  fc.record({ type: fc.constant('server_tool_use'), id: text, name: text, input }),
  fc.record({ type: fc.constant('web_search_tool_result'), tool_use_id: text, content: fc.constant([{ url: 'x' }]) }),
)

const eventsOf = (message: object) => [...(messageAnswers.read(message)?.chunks(true) ?? [])]

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('a whole message and its stream', () => {
  test('are the same, whatever is in it', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 5 }), (content) => {
        const message = { ...MESSAGE, content }
        const collector = messageAnswers.collector()
        for (const event of eventsOf(message)) collector.add(plain(event) as Record<string, unknown>)
        expect(plain(collector.whole())).toEqual(plain(message))
      }),
    )
  })

  test('the stream has names in front, and no marker at its end', () => {
    expect(messageAnswers.write?.({ type: 'message_stop' })).toBe(
      'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    )
    expect(messageAnswers.last).toBe('')
  })

  test.each([
    [{}],
    [{ ...MESSAGE, type: 'error' }],
    [{ ...MESSAGE, stop_reason: null }],
    [{ ...MESSAGE, content: [1] }],
  ])('%j is no message', (body) => {
    expect(messageAnswers.read(body)).toBeUndefined()
  })

  test.each([
    [[{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'a' } }]],
    [[{ type: 'content_block_start', index: 1, content_block: { type: 'text' } }]],
    [[{ type: 'message_start' }]],
    [[{ type: 'error', error: {} }]],
    [[{ type: 'message_start', message: {} }]],
    [
      [
        { type: 'message_start', message: {} },
        { type: 'content_block_start', index: 0, content_block: { type: 'text' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'new_delta' } },
      ],
    ],
  ])('%j is not put together', (events) => {
    expect(() => {
      const collector = messageAnswers.collector()
      for (const event of events) collector.add(event)
      collector.whole()
    }).toThrow()
  })
})

describe('a native stream', () => {
  const watched = (...events: readonly object[]) => {
    const watch = messageAnswers.watch?.({})
    return events.map((data) => watch?.({ event: 'message', data: JSON.stringify(data) }))
  }

  test('is followed event by event', () => {
    const start = { ...MESSAGE, usage: { input_tokens: 3, cache_read_input_tokens: 4, output_tokens: 1 } }
    const notes = watched(
      { type: 'message_start', message: start },
      { type: 'ping' },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'né' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{}' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: {}, usage: { output_tokens: 9, input_tokens: null } },
      { type: 'message_stop' },
    )
    const usage = { inputTokens: 7, cachedInputTokens: 4 }
    expect(notes).toEqual([
      { isSilent: true, usage: { ...usage, outputTokens: 1, totalTokens: 8 }, answer: start },
      { isSilent: true },
      { isSilent: true },
      { textBytes: 3 },
      { textBytes: 2 },
      undefined,
      { usage: { ...usage, outputTokens: 9, totalTokens: 16 } },
      { isEnd: true },
    ])
  })

  test('says its errors with the status of their type', () => {
    const error = { type: 'overloaded_error', message: 'Overloaded' }
    expect(watched({ type: 'error', error })).toEqual([{ error: { type: 'error', error: { ...error, status: 529 } } }])
    expect(watched({ error: { message: 'x' } })).toEqual([{ error: { error: { message: 'x' } } }])
  })

  test('with an event that is not JSON is malformed', () => {
    expect(() => messageAnswers.watch?.({})({ event: 'message', data: '{' })).toThrow(SyntaxError)
  })
})

describe('errors', () => {
  test('of ours keep what else is known of them', () => {
    const refused = new RateLimited('Too many.', {
      type: 'api_key_rate_limit_error',
      rateLimit: { group: {}, type: 'requests', unit: 'rpm', limit: 1, used: 1, requested: 1, resetMs: 5 },
    })
    expect(anthropicErrors.body(refused, 'id-1')).toMatchObject({
      type: 'error',
      error: { type: 'rate_limit_error', message: 'Too many.', rate_limit: { limit: 1, reset_ms: 5 } },
      request_id: 'id-1',
    })
  })

  test.each([
    [400, 'invalid_request_error'],
    [401, 'authentication_error'],
    [402, 'billing_error'],
    [403, 'permission_error'],
    [404, 'not_found_error'],
    [408, 'timeout_error'],
    [412, 'invalid_request_error'],
    [413, 'request_too_large'],
    [422, 'invalid_request_error'],
    [429, 'rate_limit_error'],
    [500, 'api_error'],
    [502, 'api_error'],
    [503, 'overloaded_error'],
    [504, 'timeout_error'],
    [529, 'overloaded_error'],
  ])('%i is %s', (status, type) => {
    const error = new UpstreamError('x', { status, type: 'server_error', provider: 'acme' })
    expect(anthropicErrors.body(error, 'id')).toMatchObject({ error: { type }, provider: 'acme' })
    expect(anthropicErrors.event(error, 'id')).toStartWith('event: error\ndata: {"type":"error"')
  })

  test('a word of Anthropic that says more than the status stays', () => {
    const error = new UpstreamError('x', { status: 400, type: 'billing_error', wireCode: 'spend_limit' })
    expect(anthropicErrors.body(error, 'id')).toMatchObject({
      error: { type: 'billing_error', code: 'spend_limit', details: { error_code: 'spend_limit' } },
    })
  })
})
