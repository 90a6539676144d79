import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { adaptRequest } from '#calls/adapt'
import { isRecord, type Provider } from '#kit'
import type { AdapterContext, ChatCompletion, ChatRequest } from '#kit/provider'
import { fakeHost } from '#kit/testing'
import { chatAnswers } from '../../../plugins/endpoints/chat-answers.ts'
import { messageAnswers } from '../../../plugins/endpoints/messages/answers.ts'
import { messagesByChat } from '../../../plugins/endpoints/messages/index.ts'
import anthropic from '../../../plugins/providers/anthropic/index.ts'
import { histories, words } from './histories.ts'

const context: AdapterContext = {
  provider: 'anthropic',
  // Takes every parameter that there is.
  model: 'claude-opus-4-6',
  stream: false,
  strict: false,
  includeUsage: true,
  callId: 'call-1',
  created: 1,
  settings: {},
}

const { providers } = await anthropic.setup({ baseURL: 'https://anthropic.example/v1' }, fakeHost())
const [provider] = providers as readonly [Provider]
const chat = provider.endpoints.chat as NonNullable<Provider['endpoints']['chat']>

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('a request that goes to Anthropic over a chat', () => {
  /** The very message it was, but for a mark of its own and the place of results, which come first. */
  const back = (request: Readonly<Record<string, unknown>>) => {
    const asked = messagesByChat.request(request, context)
    const { body, dropped } = adaptRequest(chat, asked.request as unknown as ChatRequest, context)
    return { body, dropped: [...asked.dropped, ...dropped] }
  }

  test('is the one that it was: turns, tools, images, documents, cache marks', () => {
    fc.assert(
      fc.property(histories, (messages) => {
        const request = { model: context.model, max_tokens: 100, messages }
        expect(plain(back(request))).toEqual({ body: plain(request), dropped: [] })
      }),
    )
  })

  const tool = fc.record({
    name: words.map((_, index = 0) => `f${index}`),
    description: words,
    input_schema: fc.constant({ type: 'object', properties: { a: { type: 'string' } } }),
  })

  test('keeps its parameters', () => {
    const params = fc.record(
      {
        system: fc.array(
          words.map((text) => ({ type: 'text', text })),
          { minLength: 1, maxLength: 2 },
        ),
        temperature: fc.constantFrom(0, 0.5, 1),
        stop_sequences: fc.array(words, { minLength: 1, maxLength: 3 }),
        tools: fc.array(tool, { minLength: 1, maxLength: 2 }),
        tool_choice: fc.constantFrom(
          { type: 'auto' },
          { type: 'any' },
          { type: 'none' },
          { type: 'tool', name: 'f0' },
          { type: 'auto', disable_parallel_tool_use: true },
        ),
        metadata: fc.record({ user_id: words }),
        service_tier: fc.constantFrom('auto', 'standard_only'),
        stream: fc.boolean(),
      },
      { requiredKeys: ['tools'] },
    )
    fc.assert(
      fc.property(params, (more) => {
        const request = { model: context.model, max_tokens: 100, messages: [HELLO], ...more }
        expect(plain(back(request))).toEqual({ body: plain(request), dropped: [] })
      }),
    )
  })
})

const HELLO = { role: 'user', content: [{ type: 'text', text: 'Hello' }] }

describe('an answer of a chat', () => {
  const call = fc.record({
    function: fc.record({
      name: fc.constantFrom('f', 'g'),
      arguments: fc.constantFrom('{}', '{"a":1}', '{"a":{"b":"c"}}'),
    }),
    extra_content: fc.option(fc.constant({ google: { thought_signature: 's' } }), { nil: undefined }),
  })

  const answers = fc
    .record({
      content: fc.option(words, { nil: null }),
      reasoning: fc.option(words, { nil: undefined }),
      details: fc.option(fc.constant([{ type: 'reasoning.encrypted', data: 'x' }]), { nil: undefined }),
      calls: fc.array(call, { maxLength: 3 }),
      finish: fc.constantFrom('stop', 'length', 'content_filter'),
    })
    .map(({ content, reasoning, details, calls, finish }) => ({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: 'acme-1',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content,
            ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
            ...(details === undefined ? {} : { reasoning_details: details }),
            ...(calls.length === 0
              ? {}
              : { tool_calls: calls.map((each, index) => ({ id: `call_${index}`, type: 'function', ...each })) }),
          },
          logprobs: null,
          finish_reason: calls.length > 0 ? 'tool_calls' : finish,
        },
      ],
      usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13, prompt_tokens_details: { cached_tokens: 2 } },
    }))

  const thinking = fc.constantFrom(undefined, { type: 'disabled' }, { type: 'adaptive', display: 'omitted' })

  test('is the same message as a whole and as a stream', () => {
    fc.assert(
      fc.property(answers, thinking, (answer, asked) => {
        const params = asked === undefined ? {} : { thinking: asked }
        const whole = plain(messagesByChat.reply(answer, context, params))
        const bridge = messagesByChat.stream(context, params)
        const collector = messageAnswers.collector()
        let text = ''
        for (const chunk of chatAnswers.read(answer)?.chunks(true) ?? []) text += bridge.push(plain(chunk) as never)
        text += bridge.end()
        expect(blocksIn(text)).toBe('ordered')
        for (const event of text.split('\n\n').filter((each) => each !== '')) {
          collector.add(JSON.parse(event.slice(event.indexOf('\ndata: ') + 7)))
        }
        expect(plain(collector.whole())).toEqual(whole)
      }),
    )
  })

  test('goes back with the next turn: text, calls and reasoning', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const { content } = messagesByChat.reply(answer, context, {})
        const { request, dropped } = messagesByChat.request(
          { model: 'm', max_tokens: 1, messages: [HELLO, { role: 'assistant', content }] },
          context,
        )
        const [, again] = request.messages as readonly unknown[]
        const { message } = (answer as unknown as ChatCompletion).choices[0] as ChatCompletion['choices'][0]
        const isSilent = Object.values(message).every((field) => field === null || field === 'assistant')
        expect([plain(again ?? null), dropped]).toEqual([isSilent ? null : plain(message), []])
      }),
    )
  })
})

/** Whether each block ends before the next one begins. */
const blocksIn = (text: string): string => {
  let open: unknown
  for (const [, json] of text.matchAll(/^data: (.*)$/gm)) {
    const event: unknown = JSON.parse(json ?? '')
    if (!isRecord(event)) return 'no event'
    if (event.type === 'content_block_start') {
      if (open !== undefined) return 'two at once'
      open = event.index
    }
    if (event.type === 'content_block_delta' && event.index !== open) return 'a piece of another one'
    if (event.type === 'content_block_stop') open = undefined
  }
  return open === undefined ? 'ordered' : 'left open'
}
