import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { toChunks } from '../../../plugins/endpoints/chat-chunks.ts'
import { responseAnswers } from '../../../plugins/endpoints/responses/answers.ts'
import { responsesByChat } from '../../../plugins/endpoints/responses/chat/by-chat.ts'
import { decodeFrame, isRecord, SseFramer } from '../../../src/kit/index.ts'
import type { AdapterContext, ChatCompletion } from '../../../src/kit/provider.ts'

const CONTEXT: AdapterContext = {
  provider: 'some',
  model: 'm',
  stream: false,
  strict: false,
  includeUsage: true,
  callId: '11111111-2222-4333-8444-555555555555',
  created: 1,
  settings: {},
}
const PARAMS = { model: 'm', input: 'Hello', include: ['reasoning.encrypted_content'] }
const bridge = responsesByChat({ keeps: true })

const words = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' })

const call = fc.record({
  name: fc.constantFrom('f', 'g'),
  arguments: fc.dictionary(words, words, { maxKeys: 2 }).map((value) => JSON.stringify(value)),
  signature: fc.option(words, { nil: undefined }),
})

const answers: fc.Arbitrary<ChatCompletion> = fc
  .record({
    text: fc.option(words, { nil: '' }),
    thought: fc.option(words, { nil: '' }),
    signature: fc.option(words, { nil: undefined }),
    refusal: fc.option(words, { nil: undefined }),
    calls: fc.array(call, { maxLength: 3 }),
    finish: fc.constantFrom('stop', 'length', 'content_filter'),
  })
  .map(({ text, thought, signature, refusal, calls, finish }) => {
    const blocks = [
      ...(thought === '' ? [] : [{ type: 'thinking', thinking: thought, ...(signature ? { signature } : {}) }]),
      ...(text === '' ? [] : [{ type: 'text', text }]),
    ]
    return {
      id: 'c-1',
      object: 'chat.completion',
      created: 1,
      model: 'm-1',
      choices: [
        {
          index: 0,
          logprobs: null,
          finish_reason: finish,
          message: {
            role: 'assistant',
            content: text === '' ? null : text,
            ...(thought === '' ? {} : { reasoning_content: thought }),
            ...(refusal === undefined ? {} : { refusal }),
            ...(blocks.length === 0 ? {} : { content_blocks: blocks }),
            ...(calls.length === 0
              ? {}
              : {
                  tool_calls: calls.map(({ name, arguments: args, signature: mark }, index) => ({
                    id: `call_${index}`,
                    type: 'function' as const,
                    function: { name, arguments: args },
                    ...(mark === undefined ? {} : { extra_content: { google: { thought_signature: mark } } }),
                  })),
                }),
          },
        },
      ],
      usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
    }
  })

const eventsIn = (text: string): Record<string, unknown>[] =>
  new SseFramer().push(new TextEncoder().encode(text)).flatMap((frame) => {
    const event: unknown = JSON.parse(decodeFrame(frame)?.data ?? 'null')
    return isRecord(event) ? [event] : []
  })

const collected = (events: readonly Record<string, unknown>[]): unknown => {
  const collector = responseAnswers.collector()
  for (const event of events) collector.add(event)
  return collector.whole()
}

/** What the messages say of the answer, by whatever names. */
const said = (message: Record<string, unknown>) => {
  const { content, refusal, reasoning_content: thought, tool_calls: calls, content_blocks: blocks } = message
  const parts = Array.isArray(content) ? content : content == null ? [] : [{ type: 'text', text: content }]
  return {
    text: parts.map(({ text = '' }) => text).join(''),
    refusal: refusal ?? (parts.map(({ refusal: words = '' }) => words).join('') || undefined),
    thought,
    calls,
    sealed: (Array.isArray(blocks) ? blocks : []).filter(({ signature }) => signature !== undefined),
  }
}

test('an answer comes back as it was when its items are sent back', () => {
  fc.assert(
    fc.property(answers, (answer) => {
      const response = bridge.reply({ ...answer }, CONTEXT, PARAMS)
      const items = response.output as readonly Record<string, unknown>[]
      const input = [{ role: 'user', content: 'Hello' }, ...items, { role: 'user', content: 'Go on' }]
      const { request, dropped } = bridge.request({ ...PARAMS, input }, CONTEXT)
      expect(dropped).toEqual([])
      const [, message] = request.messages as readonly Record<string, unknown>[]
      const original = { ...answer.choices[0]?.message }
      if (said(original).text === '' && said(original).refusal === undefined && original.tool_calls === undefined)
        return
      expect(said({ ...message })).toEqual(said(original))
    }),
  )
})

test('a stream tells the same response as the whole answer, and so does a stream made of that', () => {
  fc.assert(
    fc.property(answers, (answer) => {
      // Made into chunks it would refuse before its blocks came, which no provider does.
      const { refusal, content_blocks: blocks } = answer.choices[0]?.message ?? {}
      fc.pre(refusal === undefined || blocks === undefined)
      const whole = bridge.reply({ ...answer }, CONTEXT, PARAMS)
      const stream = bridge.stream(CONTEXT, PARAMS)
      const text = [...toChunks(answer, true)].map((chunk) => stream.push({ ...chunk })).join('') + stream.end()
      const events = eventsIn(text)
      expect(plain(collected(events))).toEqual(plain(whole))
      const replayed = [...(responseAnswers.read(whole)?.chunks(true) ?? [])] as Record<string, unknown>[]
      expect(collected(replayed)).toEqual(whole)
      for (const sequence of [events, replayed]) checkSequence(sequence)
    }),
  )
})

/** Chunks may tell a refusal before a text, as their order is not that of the whole answer. */
const plain = (response: unknown): unknown => {
  if (!isRecord(response) || !Array.isArray(response.output)) return response
  const said = response.output.map(
    ({ id: _, content, encrypted_content: sealed, ...item }: Record<string, unknown>) => ({
      ...item,
      sealed: sealed !== undefined,
      content: Array.isArray(content) ? content.map((part) => JSON.stringify(part)).toSorted() : content,
    }),
  )
  return { ...response, output: said.map((item) => JSON.stringify(item)).toSorted() }
}

/** Numbers without a gap, items in their places, and pieces that add up. */
const checkSequence = (events: readonly Record<string, unknown>[]): void => {
  expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index))
  expect(events.slice(0, 2).map(({ type }) => type)).toEqual(['response.created', 'response.in_progress'])
  const pieces = new Map<string, string>()
  let items = 0
  for (const event of events) {
    const type = String(event.type)
    const at = `${type.replace(/\.(?:delta|done)$/, '')} ${event.item_id} ${event.content_index ?? event.summary_index}`
    if (type === 'response.output_item.added') expect(event.output_index).toBe(items++)
    if (type.endsWith('.delta')) pieces.set(at, (pieces.get(at) ?? '') + String(event.delta))
    const whole = [event.text, event.refusal, event.arguments, event.input].find((each) => typeof each === 'string')
    if (type.endsWith('.done') && whole !== undefined) expect(pieces.get(at) ?? '').toBe(String(whole))
  }
  const last = events.at(-1)?.response
  expect(isRecord(last) && Array.isArray(last.output) ? last.output.length : undefined).toBe(items)
}
