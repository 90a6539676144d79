import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { encodeEvent, fromPieces, nextPiece, Pipe, type ReadyStream } from '#kit'
import type { ChatCompletion, ChatCompletionChunk } from '#kit/provider'
import { accumulate } from '#kit/testing'
import { chatAnswers } from '../../../plugins/endpoints/chat-answers.ts'
import { toChunks } from '../../../plugins/endpoints/chat-chunks.ts'
import { CollectedAnswer } from '../../../plugins/pipeline/cache/collected-stream.ts'
import { eventsOf } from '../../../src/calls/events-of.ts'
import { streamOf } from '../../support/routing.ts'

const text = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.constantFrom('', '🙂🙂🙂', 'data: [DONE]\n\n'))

const toolCall = fc.record({
  id: fc.uuid(),
  type: fc.constant('function' as const),
  function: fc.record({ name: fc.string({ minLength: 1 }), arguments: text }),
})

const message = fc.record(
  {
    role: fc.constant('assistant' as const),
    content: fc.option(text),
    refusal: fc.string({ minLength: 1 }),
    reasoning_content: fc.string({ minLength: 1 }),
    tool_calls: fc.array(toolCall, { minLength: 1, maxLength: 3 }),
    content_blocks: fc.array(fc.record({ type: fc.constant('text'), text }), { minLength: 1, maxLength: 3 }),
    annotations: fc.array(fc.record({ url: fc.string() }), { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: ['role', 'content'] },
)

const choices = fc
  .array(
    fc.record({
      message,
      logprobs: fc.option(fc.record({ content: fc.array(fc.record({ token: fc.string() }), { minLength: 1 }) })),
      finish_reason: fc.constantFrom('stop', 'length', 'tool_calls', 'content_filter'),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((list) => list.map((choice, index) => ({ index, ...choice })))

const answer: fc.Arbitrary<ChatCompletion> = fc.record(
  {
    id: fc.string({ minLength: 1 }),
    object: fc.constant('chat.completion' as const),
    created: fc.nat(),
    model: fc.string({ minLength: 1 }),
    choices,
    usage: fc.record({ prompt_tokens: fc.nat(), completion_tokens: fc.nat(), total_tokens: fc.nat() }),
    system_fingerprint: fc.string({ minLength: 1 }),
  },
  { requiredKeys: ['id', 'object', 'created', 'model', 'choices'] },
)

/** As clients see it after JSON: key order and undefined do not matter. */
const same = (one: ChatCompletion, other: ChatCompletion): void =>
  expect(JSON.parse(JSON.stringify(one))).toEqual(JSON.parse(JSON.stringify(other)))

const textOf = async (stream: ReadyStream): Promise<string> => {
  let events = ''
  for (let piece = await nextPiece(stream); piece !== undefined; piece = await nextPiece(stream)) {
    events += new TextDecoder().decode(piece)
  }
  return events
}

const chunksOf = (events: string): ChatCompletionChunk[] =>
  events
    .split('\n\n')
    .filter((event) => event !== '' && event !== 'data: [DONE]')
    .map((event) => JSON.parse(event.replace(/^data: /, '')))

test('the stream of an answer adds up to the answer, ends, and names usage if and only if it is asked for', async () => {
  await fc.assert(
    fc.asyncProperty(answer, fc.boolean(), async (whole, includeUsage) => {
      const events = await textOf(fromPieces(eventsOf(toChunks(whole, includeUsage))))
      expect(events).toEndWith('data: [DONE]\n\n')
      const { usage, ...rest } = whole
      same(accumulate(chunksOf(events)), { ...rest, ...(includeUsage && usage !== undefined ? { usage } : {}) })
      expect(events.includes('"usage"')).toBe(includeUsage && usage !== undefined)
    }),
    { numRuns: 500 },
  )
})

test('a stream that is collected, however the network cut it, is the answer that its chunks add up to', async () => {
  await fc.assert(
    fc.asyncProperty(answer, fc.array(fc.nat(2_000)), async (whole, cuts) => {
      const chunks = [...toChunks(whole, true)]
      const bytes = Buffer.concat([...chunks.map((chunk) => encodeEvent(JSON.stringify(chunk))), encodeEvent('[DONE]')])
      const passed: Uint8Array[] = []
      const source = sliced(bytes, cuts)
      const collected = new CollectedAnswer({
        form: chatAnswers,
        maxCharacters: 1e9,
        onGiveUp: () => expect.unreachable(),
      })
      const stream = new Pipe(source, collected)
      expect(collected.whole()).toBeUndefined()
      for (let piece = await nextPiece(stream); piece !== undefined; piece = await nextPiece(stream)) passed.push(piece)
      expect(Buffer.concat(passed).equals(bytes)).toBe(true)
      const found = collected.whole()
      if (found === undefined) throw new Error('nothing was collected')
      same(found.answer as ChatCompletion, accumulate(chunks))
      same(accumulate([...found.chunks(true)] as ChatCompletionChunk[]), found.answer as ChatCompletion)
    }),
    { numRuns: 500 },
  )
})

test('a stream that breaks off anywhere is not collected', async () => {
  await fc.assert(
    fc.asyncProperty(answer, fc.nat(), async (whole, at) => {
      const events = [...toChunks(whole, true)].map((chunk) =>
        new TextDecoder().decode(encodeEvent(JSON.stringify(chunk))),
      )
      let gaveUp = 0
      const collected = new CollectedAnswer({ form: chatAnswers, maxCharacters: 1e9, onGiveUp: () => gaveUp++ })
      const stream = new Pipe(streamOf(events.slice(0, at % events.length), new Error('reset')), collected)
      await expect(textOf(stream)).rejects.toThrow('reset')
      expect([collected.whole(), gaveUp]).toEqual([undefined, 1])
    }),
    { numRuns: 200 },
  )
})

const sliced = (bytes: Uint8Array, cuts: readonly number[]) => {
  const at = [0, ...cuts.map((cut) => cut % bytes.length).sort((one, other) => one - other), bytes.length]
  const pieces = at.slice(1).flatMap((end, index) => {
    const start = at[index] ?? 0
    return end > start ? [bytes.subarray(start, end)] : []
  })
  return fromPieces(pieces)
}
