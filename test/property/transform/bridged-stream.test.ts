import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { fromReader, nextPiece, Pipe, type ReadyStream, UpstreamError, type Usage } from '#kit'
import type { ChatCompletionChunk, TextCompletion } from '#kit/provider'
import { accumulate, decodeStream } from '#kit/testing'
import { textByChat } from '../../../plugins/endpoints/text-by-chat.ts'
import { AnswerMeter } from '../../../plugins/pipeline/transform/stream/answer-meter.ts'
import { BridgedMachine } from '../../../plugins/pipeline/transform/stream/bridged.ts'
import { UntranslatedMachine } from '../../../plugins/pipeline/transform/stream/untranslated.ts'

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('', '🙂', 'data: [DONE]\n\n', '"usage"'),
)

const delta = fc.oneof(
  { weight: 5, arbitrary: fc.record({ content: text }) },
  fc.record({ role: fc.constant('assistant' as const), content: fc.constantFrom('', null) }),
  fc.record({ reasoning_content: text }),
  fc.record({ tool_calls: fc.constant([{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }]) }),
)

interface Piece {
  readonly index: number
  readonly delta: object
  readonly finish_reason: string | null
}

/** What up to three choices say, in any order, each to its end. */
const pieces: fc.Arbitrary<readonly Piece[]> = fc
  .array(fc.tuple(fc.array(delta, { maxLength: 8 }), fc.constantFrom('stop', 'length', 'content_filter')), {
    minLength: 1,
    maxLength: 3,
  })
  .chain((choices) => {
    const lists = choices.map(([deltas, reason], index) => [
      ...deltas.map((each): Piece => ({ index, delta: each, finish_reason: null })),
      { index, delta: {}, finish_reason: reason },
    ])
    const order = lists.flatMap((list, index) => list.map(() => index))
    return fc.shuffledSubarray(order, { minLength: order.length }).map((turns) => {
      const left = lists.map((list) => [...list])
      return turns.flatMap((turn) => left[turn]?.shift() ?? [])
    })
  })

const USAGE = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }

const chunksOf = (said: readonly Piece[]): ChatCompletionChunk[] => [
  ...said.map((choice) => chunk([choice])),
  { ...chunk([]), usage: USAGE },
]

const chunk = (choices: readonly Piece[]): ChatCompletionChunk =>
  ({ id: 'c-1', object: 'chat.completion.chunk', created: 1, model: 'm', choices }) as unknown as ChatCompletionChunk

const bytesOf = (chunks: readonly object[], end = 'data: [DONE]\n\n'): Uint8Array =>
  new TextEncoder().encode(`${chunks.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')}${end}`)

const cutAt = (bytes: Uint8Array, cuts: readonly number[], thrown?: unknown): ReadyStream => {
  const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((one, other) => one - other), bytes.length]
  const left = at.slice(1).map((end, index) => bytes.slice(at[index] ?? 0, end))
  return fromReader({
    async read() {
      const piece = left.shift()
      if (piece === undefined && thrown !== undefined) throw thrown
      return piece
    },
    cancel: () => undefined,
  })
}

const viaChat = (source: ReadyStream, choices: number, includeUsage: boolean, usages: Usage[] = []): ReadyStream =>
  new Pipe(
    new Pipe(
      source,
      new UntranslatedMachine({
        includeUsage,
        choices,
        meter: new AnswerMeter(),
        onUsage: (usage) => usages.push(usage),
        toError: () => new UpstreamError('said so'),
      }),
    ),
    new BridgedMachine(
      textByChat.stream(
        {
          model: 'm',
          stream: true,
          strict: true,
          includeUsage,
          callId: 'call-1',
          created: 1,
          settings: {},
        },
        {},
      ),
    ),
  )

/** All that the client gets, and what it ended with. */
const readAll = async (stream: ReadyStream): Promise<{ readonly bytes: Uint8Array; readonly failure?: unknown }> => {
  const got: Uint8Array[] = []
  try {
    for (let piece = await nextPiece(stream); piece !== undefined; piece = await nextPiece(stream)) got.push(piece)
  } catch (failure) {
    return { bytes: Buffer.concat(got), failure }
  }
  return { bytes: Buffer.concat(got) }
}

const dataOf = (bytes: Uint8Array): string[] => decodeStream(bytes).map(({ data }) => data)
const textsOf = (bytes: Uint8Array): TextCompletion[] =>
  dataOf(bytes)
    .filter((data) => data !== '[DONE]')
    .map((data) => JSON.parse(data))

const choiceCount = (said: readonly Piece[]): number => new Set(said.map(({ index }) => index)).size

const joined = (texts: readonly TextCompletion[], index: number): string =>
  texts
    .flatMap(({ choices }) => choices.filter((choice) => choice.index === index))
    .map((choice) => choice.text)
    .join('')

test('the texts are the deltas of each choice in their order, wherever the network cuts the stream', async () => {
  await fc.assert(
    fc.asyncProperty(pieces, fc.array(fc.nat()), fc.boolean(), async (said, cuts, includeUsage) => {
      const chunks = chunksOf(said)
      const usages: Usage[] = []
      const { bytes, failure } = await readAll(
        viaChat(cutAt(bytesOf(chunks), cuts), choiceCount(said), includeUsage, usages),
      )
      expect(failure).toBeUndefined()
      expect(dataOf(bytes).at(-1)).toBe('[DONE]')
      const texts = textsOf(bytes)
      for (const { object, id, model } of texts) expect([object, id, model]).toEqual(['text_completion', 'c-1', 'm'])
      for (const { index, message, finish_reason: reason } of accumulate(chunks).choices) {
        expect(joined(texts, index)).toBe(message.content ?? '')
        const ends = texts.flatMap(({ choices }) =>
          choices.filter((choice) => choice.index === index && choice.finish_reason !== null),
        )
        expect(ends.map(({ finish_reason }) => finish_reason)).toEqual([reason])
      }
      const counted = texts.flatMap(({ usage }) => usage ?? [])
      expect(counted).toEqual(includeUsage ? [USAGE] : [])
      expect(usages.at(-1)).toEqual({ inputTokens: 1, outputTokens: 2, totalTokens: 3 })
    }),
    { numRuns: 300 },
  )
})

test('a stream that breaks before its choices ended is an error after what was said, and has no end marker', async () => {
  await fc.assert(
    fc.asyncProperty(pieces, fc.nat(), fc.array(fc.nat()), fc.boolean(), async (said, at, cuts, breaks) => {
      const chunks = said.slice(0, at % said.length).map((choice) => chunk([choice]))
      const reset = new UpstreamError('reset')
      const source = cutAt(bytesOf(chunks, ''), cuts, breaks ? reset : undefined)
      const { bytes, failure } = await readAll(viaChat(source, choiceCount(said), false))
      if (breaks) expect(failure).toBe(reset)
      else expect(failure).toMatchObject({ code: 'stream_truncated' })
      expect(dataOf(bytes)).not.toContain('[DONE]')
      if (chunks.length === 0) return
      for (const { index, message } of accumulate(chunks).choices) {
        expect(joined(textsOf(bytes), index)).toBe(message.content ?? '')
      }
    }),
    { numRuns: 300 },
  )
})
