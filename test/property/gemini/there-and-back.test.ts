import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { adaptRequest } from '#calls/adapt'
import { decodeFrame, isRecord, type Provider, SseFramer } from '#kit'
import type { AdapterContext, ChatRequest } from '#kit/provider'
import { fakeHost } from '#kit/testing'
import { chatAnswers } from '../../../plugins/endpoints/chat-answers.ts'
import { geminiAnswers } from '../../../plugins/endpoints/gemini/answers.ts'
import { geminiByChat } from '../../../plugins/endpoints/gemini/by-chat.ts'
import google from '../../../plugins/providers/google/index.ts'
import { histories, words } from './turns.ts'

const context: AdapterContext = {
  provider: 'google',
  // Takes files in results, and holds calls to their signatures.
  model: 'gemini-3.8-flash',
  stream: false,
  strict: false,
  includeUsage: true,
  callId: 'call-1',
  created: 1,
  settings: {},
}

const { providers } = await google.setup({ baseURL: 'https://google.example/v1beta' }, fakeHost())
const [provider] = providers as readonly [Provider]
const chat = provider.endpoints.chat as NonNullable<Provider['endpoints']['chat']>

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const QUESTION = { role: 'user', parts: [{ text: 'Hello' }] }

describe('a request that goes to Gemini over a chat', () => {
  const back = (request: Readonly<Record<string, unknown>>) => {
    const asked = geminiByChat.request({ model: context.model, stream: false, ...request }, context)
    const { body, dropped } = adaptRequest(chat, asked.request as unknown as ChatRequest, context)
    return { body, dropped: [...asked.dropped, ...dropped] }
  }

  test('is the one that it was: turns, calls with their signatures, results, pictures, sounds and files', () => {
    fc.assert(
      fc.property(histories, (contents) => {
        expect(plain(back({ contents }))).toEqual({ body: plain({ contents }), dropped: [] })
      }),
    )
  })

  const schema = fc.constantFrom(
    { type: 'object', properties: { a: { type: 'string', description: 'A' } }, required: ['a'] },
    { type: 'object', properties: { a: { type: ['string', 'null'], enum: ['x', 'y'] } } },
    { type: 'object', properties: { a: { type: 'array', items: { anyOf: [{ type: 'number' }] }, minItems: 1 } } },
  )

  const config = fc.record(
    {
      temperature: fc.constantFrom(0, 0.5, 2),
      topP: fc.constantFrom(0.1, 1),
      topK: fc.integer({ min: 1, max: 40 }),
      candidateCount: fc.integer({ min: 1, max: 8 }),
      maxOutputTokens: fc.integer({ min: 1, max: 65_536 }),
      presencePenalty: fc.constantFrom(-1, 0, 1),
      frequencyPenalty: fc.constantFrom(-1, 0, 1),
      seed: fc.integer(),
      responseLogprobs: fc.constant(true),
      logprobs: fc.integer({ min: 0, max: 20 }),
      stopSequences: fc.array(words, { minLength: 1, maxLength: 3 }),
      thinkingConfig: fc.record({
        thinkingLevel: fc.constantFrom('minimal', 'low', 'medium', 'high'),
        includeThoughts: fc.constant(true),
      }),
    },
    { requiredKeys: ['temperature'] },
  )

  const format = fc.oneof(
    fc.constant({}),
    fc.constant({ responseMimeType: 'application/json' }),
    schema.map((responseJsonSchema) => ({ responseMimeType: 'application/json', responseJsonSchema })),
  )

  const tool = fc.record(
    { name: fc.constantFrom('f', 'g'), description: words, parametersJsonSchema: schema },
    { requiredKeys: ['name'] },
  )

  const params = fc.record(
    {
      systemInstruction: fc.record({
        parts: fc.array(
          words.map((text) => ({ text })),
          { minLength: 1, maxLength: 2 },
        ),
      }),
      generationConfig: fc.tuple(config, format).map(([one, other]) => ({ ...one, ...other })),
      tools: fc.array(tool, { minLength: 1, maxLength: 3 }).map((functionDeclarations) => [{ functionDeclarations }]),
      toolConfig: fc.record({
        functionCallingConfig: fc.constantFrom(
          { mode: 'AUTO' },
          { mode: 'NONE' },
          { mode: 'ANY' },
          { mode: 'ANY', allowedFunctionNames: ['f'] },
        ),
      }),
    },
    { requiredKeys: ['tools'] },
  )

  test('keeps its parameters', () => {
    fc.assert(
      fc.property(params, (more) => {
        const request = { contents: [QUESTION], ...more }
        expect(plain(back(request))).toEqual({ body: plain(request), dropped: [] })
      }),
    )
  })
})

describe('an answer of a chat', () => {
  const call = fc.record(
    {
      function: fc.record({
        name: fc.constantFrom('f', 'g'),
        arguments: fc.constantFrom('{}', '{"a":1}', '{"a":{"b":"c"}}'),
      }),
      extra_content: fc.constantFrom({ google: { thought_signature: 'c2ln' } }, { anthropic: { blocks: [] } }),
    },
    { requiredKeys: ['function'] },
  )

  const answers = fc
    .record({
      content: fc.option(words, { nil: null }),
      reasoning: fc.option(words, { nil: undefined }),
      calls: fc.array(call, { maxLength: 3 }),
      finish: fc.constantFrom('stop', 'length', 'content_filter'),
    })
    .map(({ content, reasoning, calls, finish }) => ({
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
            ...(calls.length === 0
              ? {}
              : { tool_calls: calls.map((each, index) => ({ id: `call_${index}`, type: 'function', ...each })) }),
          },
          logprobs: null,
          finish_reason: calls.length > 0 ? 'tool_calls' : finish,
        },
      ],
      usage: {
        prompt_tokens: 9,
        completion_tokens: 4,
        total_tokens: 13,
        prompt_tokens_details: { cached_tokens: 2 },
        completion_tokens_details: { reasoning_tokens: 1 },
      },
    }))

  const paramsOf = (includeThoughts: boolean) => ({ generationConfig: { thinkingConfig: { includeThoughts } } })

  const collected = (events: Iterable<unknown>): unknown => {
    const collector = geminiAnswers.collector()
    for (const event of events) if (isRecord(event)) collector.add(event)
    return plain(collector.whole())
  }

  test('is the same as a whole and as a stream, and so is a stream made of that', () => {
    fc.assert(
      fc.property(answers, fc.boolean(), (answer, shows) => {
        const whole = geminiByChat.reply(answer, context, paramsOf(shows))
        const stream = geminiByChat.stream(context, paramsOf(shows))
        let text = ''
        for (const chunk of chatAnswers.read(answer)?.chunks(true) ?? []) text += stream.push(plain(chunk) as never)
        text += stream.end()
        const events = new SseFramer()
          .push(new TextEncoder().encode(text))
          .map((frame): unknown => JSON.parse(decodeFrame(frame)?.data ?? 'null'))
        expect(collected(events)).toEqual(plain(whole))
        expect(collected(geminiAnswers.read(whole)?.chunks(true) ?? [])).toEqual(plain(whole))
      }),
    )
  })

  test('goes back with the next turn: text, calls, what they carry, and thoughts', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const { candidates } = geminiByChat.reply(answer, context, paramsOf(true))
        const [candidate] = candidates as readonly { content?: object }[]
        const turns = candidate?.content === undefined ? [] : [candidate.content]
        const { request, dropped } = geminiByChat.request(
          { model: 'm', stream: false, contents: [QUESTION, ...turns] },
          context,
        )
        const [, again] = request.messages as readonly unknown[]
        const message = answer.choices[0]?.message
        const isSilent = message?.content === null && !('tool_calls' in message)
        expect([plain(again ?? null), dropped]).toEqual([isSilent ? null : plain(message), []])
      }),
    )
  })
})
