import { describe, expect, test } from 'bun:test'
import { StreamTruncated, UpstreamError, UpstreamInvalid } from '#kit'
import type { AdapterContext } from '#kit/provider'
import { readReply } from './response.ts'
import { createStream } from './stream.ts'

const context = (overrides: Partial<AdapterContext> = {}): AdapterContext => ({
  model: 'm',
  stream: true,
  strict: true,
  includeUsage: true,
  callId: 'call-1',
  created: 7,
  settings: {},
  ...overrides,
})

const run = (events: readonly unknown[], overrides: Partial<AdapterContext> = {}) => {
  const machine = createStream(context(overrides))
  const chunks = events.flatMap((event) => machine.push({ event: 'message', data: JSON.stringify(event) }))
  return { machine, chunks }
}

const start = { type: 'message_start', message: { id: 'msg_1', model: 'm-1', usage: { input_tokens: 5 } } }
const text = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }
const call = {
  type: 'content_block_start',
  index: 0,
  content_block: { type: 'tool_use', id: 't', name: 'f', input: {} },
}
const piece = (partial: string) => ({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'input_json_delta', partial_json: partial },
})
const stopped = (reason: string) => ({
  type: 'message_delta',
  delta: { stop_reason: reason },
  usage: { output_tokens: 3 },
})
const end = { type: 'message_stop' }

describe('finish reasons', () => {
  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['pause_turn', 'length'],
    ['tool_use', 'tool_calls'],
    ['refusal', 'content_filter'],
    ['something_new', 'stop'],
    ['constructor', 'stop'],
  ])('%s is %s, streamed or not, without strict compliance too, and itself for those who ask', (reason, expected) => {
    const events = [start, text, stopped(reason), end]
    const answer = { content: [], stop_reason: reason }
    for (const [how, word] of [
      [{ strict: true }, expected],
      [{ strict: false }, expected],
      [{ ownFinishReason: true }, reason],
    ] as const) {
      expect(run(events, { ...how, includeUsage: false }).chunks.at(-1)?.choices[0]?.finish_reason).toBe(word)
      expect(readReply(answer, context(how)).reply.choices[0]?.finish_reason).toBe(word)
    }
  })
})

describe('an end that is none', () => {
  test('the finish reason waits for message_stop, and a stream without it is cut', () => {
    const { machine, chunks } = run([start, text, stopped('end_turn')])
    expect(chunks.map(({ choices }) => choices[0]?.finish_reason)).toEqual([null])
    expect(machine.complete()).toBe(false)
    expect(() => machine.end()).toThrow(StreamTruncated)
  })

  test('an empty stream is cut', () => {
    expect(() => run([]).machine.end()).toThrow(StreamTruncated)
  })

  test('message_stop without a stop reason is no end', () => {
    expect(() => run([start, text, end])).toThrow(UpstreamInvalid)
  })

  test('what follows the end is not read', () => {
    const { machine, chunks } = run([start, text, stopped('end_turn'), end, text, { type: 'error', error: {} }])
    expect(machine.complete()).toBe(true)
    expect(machine.end()).toEqual([])
    expect(chunks).toHaveLength(3)
  })
})

describe('errors', () => {
  test.each([
    ['invalid_request_error', 400],
    ['rate_limit_error', 429],
    ['overloaded_error', 529],
    ['something_new', 502],
  ])('%s has status %d', (type, status) => {
    const error = { type: 'error', error: { type, message: 'No.' } }
    let thrown: unknown
    try {
      run([start, error])
    } catch (caught) {
      thrown = caught
    }
    expect(thrown).toBeInstanceOf(UpstreamError)
    expect(thrown).toMatchObject({ status, message: 'No.', options: { type, provider: 'anthropic' } })
  })

  test('an event that is not JSON, or a piece of a block that never began', () => {
    expect(() => createStream(context()).push({ event: 'message', data: '{"type":' })).toThrow(UpstreamInvalid)
    expect(() => createStream(context()).push({ event: 'message', data: '[]' })).toThrow(UpstreamInvalid)
    expect(() => run([start, piece('{}')])).toThrow(UpstreamInvalid)
  })
})

describe('usage', () => {
  test('is a running total: the last count wins, one that is left out or null stays', () => {
    const counts = { input_tokens: null, output_tokens: 9, cache_read_input_tokens: 4 }
    const { machine } = run([start, text, stopped('end_turn'), { type: 'message_delta', usage: counts }])
    expect(machine.usage()).toEqual({ inputTokens: 9, outputTokens: 9, totalTokens: 18, cachedInputTokens: 4 })
  })

  test('is not shown to a client that did not ask for it', () => {
    const { machine, chunks } = run([start, text, stopped('end_turn'), end], { includeUsage: false })
    expect(chunks.some((chunk) => 'usage' in chunk)).toBe(false)
    expect(machine.usage()).toEqual({ inputTokens: 5, outputTokens: 3, totalTokens: 8 })
  })

  test('the cache counts of the provider stay with strict compliance off', () => {
    const usage = { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 3, cache_creation_input_tokens: 4 }
    const answer = { content: [], stop_reason: 'end_turn', usage }
    expect(readReply(answer, context({ strict: false })).reply.usage).toEqual({
      prompt_tokens: 8,
      completion_tokens: 2,
      total_tokens: 10,
      prompt_tokens_details: { cached_tokens: 3 },
      cache_read_input_tokens: 3,
      cache_creation_input_tokens: 4,
    })
  })
})

describe('tool arguments', () => {
  test('10 MB go through piece by piece', () => {
    const part = 'x'.repeat(10_000)
    const machine = createStream(context())
    for (const event of [start, call]) machine.push({ event: 'message', data: JSON.stringify(event) })
    const data = JSON.stringify(piece(part))
    for (let count = 0; count < 1000; count++) {
      const [chunk] = machine.push({ event: 'message', data })
      expect(chunk?.choices[0]?.delta).toEqual({ tool_calls: [{ index: 0, function: { arguments: part } }] })
    }
  })

  test('that come whole at the start are not doubled by the end of the block', () => {
    const whole = { ...call, content_block: { ...call.content_block, input: { a: 1 } } }
    const { chunks } = run([start, whole, { type: 'content_block_stop', index: 0 }])
    const pieces = chunks.map(({ choices }) => choices[0]?.delta.tool_calls?.[0]?.function?.arguments)
    expect(pieces).toEqual(['{"a":1}'])
  })
})

describe('answers that are none', () => {
  test.each([
    ['no content', { type: 'message', stop_reason: 'end_turn' }],
    ['no stop reason', { type: 'message', content: [], stop_reason: null }],
    ['a block without a type', { content: [{}], stop_reason: 'end_turn' }],
    ['a call without a name', { content: [{ type: 'tool_use', id: 'a' }], stop_reason: 'tool_use' }],
    ['a page', '<html></html>'],
  ])('%s', (_, body) => {
    expect(() => readReply(body, context())).toThrow(UpstreamInvalid)
  })
})
