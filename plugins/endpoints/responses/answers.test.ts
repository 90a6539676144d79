import { describe, expect, test } from 'bun:test'
import { InvalidRequest } from '#kit'
import { responseAnswers, responsesUsage } from './answers.ts'
import { createResponse } from './create.ts'
import { responseErrors } from './errors.ts'
import { pageOf } from './kept/page.ts'

const note = (event: object, name?: string) =>
  responseAnswers.watch?.({})({ event: name, data: JSON.stringify(event) } as never)

const usage = {
  input_tokens: 5,
  input_tokens_details: { cached_tokens: 2, cache_write_tokens: 1 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 3 },
  total_tokens: 12,
}
const counted = {
  inputTokens: 5,
  outputTokens: 7,
  totalTokens: 12,
  cachedInputTokens: 2,
  cacheWriteTokens: 1,
  reasoningTokens: 3,
}

describe('a stream of a provider of its own', () => {
  test.each([
    [{ type: 'response.created', response: {} }, { isSilent: true }],
    [{ type: 'response.in_progress', response: {} }, { isSilent: true }],
    [{ type: 'response.output_item.added', item: {} }, { isSilent: true }],
    [{ type: 'response.queued', response: {} }, undefined],
    [{ type: 'response.output_text.delta', delta: 'ä' }, { textBytes: 2 }],
    [{ type: 'response.function_call_arguments.delta', delta: '{}' }, { textBytes: 2 }],
    [{ type: 'response.web_search_call.searching' }, undefined],
    [
      { type: 'response.completed', response: { usage } },
      { usage: counted, answer: { usage }, isEnd: true },
    ],
    [
      { type: 'response.incomplete', response: { usage } },
      { usage: counted, answer: { usage }, isEnd: true },
    ],
    [
      { type: 'response.cancelled', response: {} },
      { usage: undefined, answer: {}, isEnd: true },
    ],
    [
      { type: 'response.failed', response: { usage, error: { code: 'server_error', message: 'no' } } },
      {
        usage: counted,
        answer: { usage, error: { code: 'server_error', message: 'no' } },
        isShown: true,
        error: { error: { code: 'server_error', message: 'no' } },
      },
    ],
    [{ type: 'error', sequence_number: 3, message: 'no' }, { error: { error: { message: 'no' } } }],
    [{ type: 'error', error: { message: 'no' } }, { error: { error: { message: 'no' } } }],
  ])('%j', (event, expected) => {
    expect(note(event)).toEqual(expected as never)
  })

  test('an event that cannot be read is an error, an end marker of others is not', () => {
    const watch = responseAnswers.watch?.({})
    expect(() => watch?.({ data: '{"type":' } as never)).toThrow(SyntaxError)
    expect(watch?.({ data: '[DONE]' } as never)).toEqual({ isSilent: true })
  })
})

test.each([
  [{}, undefined],
  [{ usage: null }, undefined],
  [{ usage: { input_tokens: -1, output_tokens: 1 } }, undefined],
  [{ usage: { output_tokens: 2 } }, { inputTokens: 0, outputTokens: 2, totalTokens: 2 }],
  [
    {
      usage: { output_tokens: 2 },
      output: [
        { type: 'web_search_call' },
        { type: 'message' },
        { type: 'web_search_call' },
        { type: 'file_search_call' },
      ],
    },
    { inputTokens: 0, outputTokens: 2, totalTokens: 2, units: { web_search: 2, file_search: 1 } },
  ],
])('the usage of %j', (response, expected) => {
  expect(responsesUsage(response)).toEqual(expected as never)
})

test('only what is whole may be kept and given again', () => {
  const whole = {
    object: 'response',
    id: 'resp_1',
    status: 'completed',
    output: [{ type: 'web_search_call', id: 'ws_1' }],
  }
  expect([...(responseAnswers.read(whole)?.chunks(true) ?? [])].map((event) => Object(event).type)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.output_item.done',
    'response.completed',
  ])
  for (const part of [{ status: 'queued' }, { status: 'failed' }, { output: {} }, { id: 1 }, { object: 'chat' }]) {
    expect(responseAnswers.read({ ...whole, ...part })).toBeUndefined()
  }
  const collector = responseAnswers.collector()
  expect(() => collector.add({ type: 'response.failed' })).toThrow()
  expect(() => collector.whole()).toThrow()
})

test('an error in a stream is told in both forms that clients read', () => {
  const text = responseErrors.event(new InvalidRequest('No.', { param: 'input' }), 'id')
  expect(text).toStartWith('event: error\ndata: ')
  const { error, ...fields } = JSON.parse(text.slice(text.indexOf('{')))
  expect(fields).toMatchObject({ type: 'error', message: 'No.', param: 'input', code: 'invalid_request' })
  expect(error).toMatchObject({ message: 'No.', param: 'input', code: 'invalid_request' })
})

test.each([
  [{ model: 'm' }, 'input'],
  [{ model: 5, input: 'x' }, 'model'],
  [{ input: 5 }, 'input'],
  [{ input: ['x'] }, 'input[0]'],
  [{ input: 'x', tools: [{}] }, 'tools[0].type'],
  [{ input: 'x', truncation: 'some' }, 'truncation'],
  [{ input: 'x', store: 'yes' }, 'store'],
  [{ input: 'x', include: 'all' }, 'include'],
  [{ input: 'x', max_output_tokens: -1 }, 'max_output_tokens'],
])('%j is refused by name', (params, param) => {
  const { body } = createResponse
  if (body.kind !== 'json') throw new Error('its body is JSON')
  let refusal: unknown
  try {
    body.check(params)
  } catch (thrown) {
    refusal = thrown
  }
  expect(refusal).toBeInstanceOf(InvalidRequest)
  expect((refusal as InvalidRequest).options.param).toBe(param)
})

describe('a page of items', () => {
  const items = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }))
  test.each([
    ['', 'edcba', false],
    ['order=asc&limit=2', 'ab', true],
    ['order=asc&limit=2&after=b', 'cd', true],
    ['order=asc&limit=2&after=d', 'e', false],
    ['order=asc&limit=2&before=d', 'bc', true],
    ['order=asc&limit=5&before=c', 'ab', false],
    ['limit=2&after=d', 'cb', true],
    ['order=asc&after=a&before=d', 'bc', false],
  ])('%s', (query, ids, hasMore) => {
    const { data, has_more } = pageOf(items, new URLSearchParams(query))
    expect([(data as { id: string }[]).map(({ id }) => id).join(''), has_more]).toEqual([ids, hasMore])
  })

  test.each(['limit=0', 'limit=101', 'limit=x', 'order=up', 'after=z', 'before=z'])('%s is refused', (query) => {
    expect(() => pageOf(items, new URLSearchParams(query))).toThrow(InvalidRequest)
  })
})
