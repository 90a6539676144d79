import { describe, expect, test } from 'bun:test'
import { type SseEvent, type StreamWatch, UpstreamInvalid } from '#kit'
import type { AdapterContext } from '#kit/provider'
import { geminiAnswers } from './answers.ts'
import { toReply } from './reply.ts'
import { fromSignature } from './signatures.ts'
import { createStream } from './stream.ts'

const context: AdapterContext = {
  model: 'asked',
  stream: true,
  strict: true,
  includeUsage: true,
  callId: 'call-1',
  created: 7,
  settings: {},
}

const usage = {
  prompt_tokens: 10,
  completion_tokens: 7,
  total_tokens: 17,
  prompt_tokens_details: { cached_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 2 },
}
const extra = { anthropic: { blocks: [] } }
const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' }, extra_content: extra }
const replyOf = (message: object, reason = 'stop', showsThoughts = true) =>
  toReply(
    { id: 'i', model: 'm-1', choices: [{ index: 0, message, finish_reason: reason }], usage },
    context,
    showsThoughts,
  )
const candidateOf = (...args: Parameters<typeof replyOf>) => (replyOf(...args).candidates as object[])[0]

describe('the answer of a chat as one of Gemini', () => {
  test('has thoughts, text, calls and all counts', () => {
    const reply = replyOf({ content: 'Hi', reasoning_content: 'so', tool_calls: [call] }, 'tool_calls')
    expect(reply).toMatchObject({
      usageMetadata: {
        promptTokenCount: 10,
        candidatesTokenCount: 5,
        totalTokenCount: 17,
        cachedContentTokenCount: 4,
        thoughtsTokenCount: 2,
      },
      modelVersion: 'm-1',
      responseId: 'i',
    })
    const [{ content, finishReason }] = reply.candidates as [{ content: { parts: never[] }; finishReason: string }]
    expect(finishReason).toBe('STOP')
    expect(content.parts).toMatchObject([
      { text: 'so', thought: true },
      { text: 'Hi' },
      { functionCall: { id: 'c1', name: 'f', args: { a: 1 } } },
    ])
    const [, , { thoughtSignature }] = content.parts as unknown as [0, 0, { thoughtSignature: string }]
    expect(fromSignature(thoughtSignature)).toEqual(extra)
    expect(candidateOf({ content: 'Hi', reasoning_content: 'so' }, 'stop', false)).toMatchObject({
      content: { parts: [{ text: 'Hi' }] },
    })
  })

  test.each([
    ['length', 'MAX_TOKENS'],
    ['content_filter', 'SAFETY'],
    ['function_call', 'STOP'],
    ['their_own', 'OTHER'],
  ])('ends for the reason %s as %s', (reason, word) => {
    expect(candidateOf({ content: 'Hi' }, reason)).toMatchObject({ finishReason: word })
  })

  test('is never one with a call that nobody could run', () => {
    const broken = { ...call, function: { name: 'f', arguments: '{"a":' } }
    expect(candidateOf({ tool_calls: [broken] }, 'tool_calls')).toMatchObject({
      finishReason: 'MALFORMED_FUNCTION_CALL',
    })
    expect(candidateOf({ tool_calls: [broken] }, 'length')).toEqual({ finishReason: 'MAX_TOKENS', index: 0 })
    expect(() => toReply({ object: 'chat.completion' }, context, false)).toThrow(UpstreamInvalid)
  })

  test('says nothing where the model said nothing, and nothing at all where a filter took it', () => {
    expect(candidateOf({ content: '' })).toMatchObject({ content: { parts: [{ text: '' }] } })
    expect(candidateOf({ content: null }, 'content_filter')).not.toHaveProperty('content')
  })
})

const chunk = (delta: object, finish: string | null = null) => ({
  id: 'i',
  model: 'm-1',
  choices: [{ index: 0, delta, finish_reason: finish }],
})

/** Events of a stream that a bridge wrote. */
const eventsOf = (chunks: readonly object[]): Record<string, unknown>[] => {
  const stream = createStream(context, true)
  const text = chunks.map((each) => stream.push(each as never)).join('') + stream.end()
  return text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => JSON.parse(event.slice('data: '.length)))
}

const CHUNKS = [
  chunk({ role: 'assistant', content: '' }),
  chunk({ reasoning_content: 'so' }),
  chunk({ content: 'Hel' }),
  chunk({ content: 'lo' }),
  chunk({ tool_calls: [{ index: 0, id: 'c1', function: { name: 'f', arguments: '{"a"' }, extra_content: extra }] }),
  chunk({ tool_calls: [{ index: 1, id: 'c2', function: { name: 'g', arguments: '' } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }),
  chunk({}, 'tool_calls'),
  { id: 'i', model: 'm-1', choices: [], usage },
]

describe('the stream of a chat as one of Gemini', () => {
  test('says text as it comes, calls whole, and the end with the usage last', () => {
    const events = eventsOf(CHUNKS)
    expect(events).toHaveLength(4)
    expect(events.at(-1)).toMatchObject({
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              { functionCall: { id: 'c1', name: 'f', args: { a: 1 } } },
              { functionCall: { id: 'c2', name: 'g', args: {} } },
            ],
          },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      usageMetadata: { promptTokenCount: 10, thoughtsTokenCount: 2 },
    })
  })

  test('adds up to the whole answer, and comes apart again', () => {
    const add = (events: readonly object[]) => {
      const collector = geminiAnswers.collector()
      for (const event of events) collector.add(event as never)
      return collector.whole()
    }
    const whole = replyOf(
      {
        content: 'Hello',
        reasoning_content: 'so',
        tool_calls: [call, { id: 'c2', type: 'function', function: { name: 'g', arguments: '' } }],
      },
      'tool_calls',
    )
    expect(add(eventsOf(CHUNKS))).toEqual(whole)
    expect(add([...(geminiAnswers.read(whole)?.chunks(true) ?? [])])).toEqual(whole)
    const refused = { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 1 } }
    expect(add([...(geminiAnswers.read(refused)?.chunks(true) ?? [])])).toEqual(refused)
  })

  test.each([[{}], [{ candidates: [] }], [{ candidates: [{}] }], [{ error: {}, candidates: [] }], [5]])(
    'is not read from %j',
    (body) => {
      expect(geminiAnswers.read(body)).toBeUndefined()
    },
  )
})

const eventOf = (data: string): SseEvent => ({ data, event: 'message' })

describe('a stream of Google’s own is followed', () => {
  const noteOf = (watch: StreamWatch, body: unknown) => watch(eventOf(JSON.stringify(body)))
  const start = () => {
    const watch = geminiAnswers.watch?.({})
    if (watch === undefined) throw new Error('it is not followed')
    return watch
  }

  test('to the end of each of its candidates', () => {
    const watch = start()
    const piece = (index: number, more: object = {}) => ({
      candidates: [{ index, content: { parts: [{ text: 'ab' }] }, ...more }],
    })
    expect(noteOf(watch, piece(0))).toMatchObject({ textBytes: 2, isEnd: false })
    expect(noteOf(watch, piece(1))).toMatchObject({ isEnd: false })
    expect(noteOf(watch, piece(0, { finishReason: 'STOP' }))).toMatchObject({ isEnd: false })
    const last = {
      ...piece(1, { finishReason: 'MAX_TOKENS' }),
      usageMetadata: { promptTokenCount: 3, totalTokenCount: 5 },
    }
    expect(noteOf(watch, last)).toMatchObject({ isEnd: true, usage: { inputTokens: 3, totalTokens: 5 } })
  })

  test('to its error, or the refusal of the prompt', () => {
    const error = { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } }
    expect(noteOf(start(), error)).toEqual({ error })
    expect(noteOf(start(), { promptFeedback: { blockReason: 'SAFETY' } })).toMatchObject({ isEnd: true })
    expect(() => start()(eventOf('{"candidates":'))).toThrow(SyntaxError)
    expect(start()(eventOf(' '))).toBeUndefined()
  })
})
