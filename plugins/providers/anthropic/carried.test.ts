import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { adaptRequest } from '#calls/adapt'
import type { Provider } from '#kit'
import type { AdapterContext, ChatRequest, Message } from '#kit/provider'
import { accumulate, fakeHost } from '#kit/testing'
import anthropic from './index.ts'
import { readReply } from './response.ts'
import { createStream } from './stream.ts'
import type { Block } from './values.ts'

const { providers } = await anthropic.setup({ baseURL: 'https://anthropic.example/v1' }, fakeHost())
const provider = providers?.[0] as Provider
const chat = provider.endpoints.chat as NonNullable<Provider['endpoints']['chat']>

const context: AdapterContext = {
  model: 'claude-sonnet-4-5',
  stream: false,
  strict: true,
  includeUsage: false,
  callId: 'call-1',
  created: 0,
  settings: {},
}

const adapt = (fields: Partial<ChatRequest>, model = context.model) => {
  const messages: Message[] = [{ role: 'user', content: 'Hi' }]
  return adaptRequest(chat, { messages, ...fields, model }, { ...context, model })
}

const thinking = { type: 'enabled', budget_tokens: 2048 }
const question: Message = { role: 'user', content: 'Weather?' }
const thought = { type: 'thinking', thinking: 'Paris it is.', signature: 'c2ln' }
const toolCall = (blocks?: readonly object[], id = 'toolu_1') => ({
  id,
  type: 'function' as const,
  function: { name: 'get_weather', arguments: '{}' },
  ...(blocks === undefined ? {} : { extra_content: { anthropic: { blocks } } }),
})
const called = (blocks?: readonly object[]): Message => ({
  role: 'assistant',
  content: 'Looking.',
  tool_calls: [toolCall(blocks)],
})
const result: Message = { role: 'tool', tool_call_id: 'toolu_1', content: 'Rain' }

const typesOf = (body: Readonly<Record<string, unknown>> | undefined): string[][] =>
  ((body?.messages ?? []) as { content: Block[] }[]).map(({ content }) => content.map(({ type }) => type))

describe('native thinking in a loop of tools', () => {
  test('stays when it came back, in its place before the text', () => {
    const { body, dropped } = adapt({ thinking, messages: [question, called([thought, { type: 'text' }]), result] })
    expect([body?.thinking, dropped]).toEqual([thinking, []])
    expect(typesOf(body)[1]).toEqual(['thinking', 'text', 'tool_use'])
  })

  test.each([
    ['nothing came back', [question, called(), result]],
    ['what came back has no seal', [question, called([{ type: 'thinking', thinking: 'x' }]), result]],
    ['the user says something beside the results', [question, called(), result, { role: 'user', content: 'Hurry' }]],
    ['the last step lost it', [question, called([thought]), result, called(), result]],
  ] as [string, Message[]][])(
    'is left out and named when %s: the provider refuses a turn without it',
    (_, messages) => {
      const { body, dropped } = adapt({ thinking, temperature: 0.5, messages })
      expect([body?.thinking, body?.temperature, dropped]).toEqual([undefined, 0.5, ['thinking']])
    },
  )

  test('stays before a loop and after it', () => {
    const over: Message[] = [question, called(), result, { role: 'assistant', content: 'Rain.' }, question]
    for (const messages of [[question], over]) expect(adapt({ thinking, messages }).body?.thinking).toEqual(thinking)
  })

  test('that is adaptive needs nothing to come back', () => {
    const adaptive = { type: 'adaptive' }
    const { body, dropped } = adapt({ thinking: adaptive, messages: [question, called(), result] }, 'claude-opus-4-8')
    expect([body?.thinking, dropped]).toEqual([adaptive, []])
  })

  test('gives way to a forced call, which the provider refuses beside it', () => {
    const tools = [{ type: 'function' as const, function: { name: 'get_weather' } }]
    const { body, dropped } = adapt({ thinking, tools, tool_choice: 'required' })
    expect([body?.thinking, body?.tool_choice, dropped]).toEqual([undefined, { type: 'any' }, ['thinking']])
  })
})

describe('carried thinking', () => {
  test('of earlier turns stays out, as blocks with gaps between them are refused', () => {
    const over: Message[] = [question, called([thought]), result, { role: 'assistant', content: 'Rain.' }]
    expect(typesOf(adapt({ messages: [...over, question] }).body)[1]).toEqual(['text', 'tool_use'])
    const types = typesOf(adapt({ messages: [...over, question, called([thought]), result] }).body)
    expect(types.flat().filter((type) => type === 'thinking')).toHaveLength(1)
  })

  test('gives way to content blocks, which hold it already', () => {
    const both = { ...called([thought]), content_blocks: [thought, { type: 'text', text: 'Looking.' }] }
    expect(typesOf(adapt({ messages: [question, both, result] }).body)[1]).toEqual(['thinking', 'text', 'tool_use'])
  })

  test.each([
    ['messages[1].tool_calls[0].extra_content.anthropic.blocks', 'text'],
    ['messages[1].tool_calls[0].extra_content.anthropic.blocks[0]', ['text']],
    ['messages[1].tool_calls[0].extra_content.anthropic.blocks[0].type', [{}]],
  ])('of a wrong form is refused: %s', (param, blocks) => {
    const messages = [question, { ...called(), tool_calls: [toolCall(blocks as never)] }, result]
    expect(() => adapt({ messages })).toThrow(`\`${param}\``)
  })
})

/** White space alone is no text for the provider. */
const words = fc.string({ minLength: 1, maxLength: 8 }).filter((text) => text.trim() !== '')
const block = fc.oneof(
  fc.record({ type: fc.constant('thinking'), thinking: fc.string(), signature: words }),
  fc.record({ type: fc.constant('redacted_thinking'), data: words }),
)

/** The content of a turn that calls tools: at most one text, which the reference's form has room for. */
const turns = fc
  .record({
    before: fc.array(block, { maxLength: 3 }),
    text: fc.option(words, { nil: undefined }),
    after: fc.array(block, { maxLength: 2 }),
    calls: fc.array(fc.array(block, { maxLength: 2 }), { minLength: 1, maxLength: 3 }),
  })
  .map(({ before, text, after, calls: [, ...more] }): Block[] => {
    const thoughtful = before.length + after.length > 0
    const said: Block[] = text === undefined ? [] : [{ type: 'text', text }]
    const use = (index: number): Block => ({ type: 'tool_use', id: `toolu_${index}`, name: 'f', input: { index } })
    const rest = more.flatMap((blocks, index) => [...(thoughtful ? blocks : []), use(index + 1)])
    return [...before, ...said, ...after, use(0), ...rest]
  })

const streamed = (content: readonly Block[]) => {
  const machine = createStream(context)
  const push = (event: object) => machine.push({ event: 'message', data: JSON.stringify(event) })
  const chunks = content.flatMap((whole, index) => {
    const { thinking: thoughts, signature, text, input, ...head } = whole
    const empty = {
      ...(thoughts === undefined ? {} : { thinking: '', signature: '' }),
      ...(input === undefined ? {} : { input: {} }),
    }
    const deltas = [
      ...(thoughts === undefined
        ? []
        : [...String(thoughts)].map((piece) => ({ type: 'thinking_delta', thinking: piece }))),
      ...(signature === undefined ? [] : [{ type: 'signature_delta', signature }]),
      ...(text === undefined ? [] : [{ type: 'text_delta', text }]),
      ...(input === undefined ? [] : [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }]),
    ]
    return [
      ...push({ type: 'content_block_start', index, content_block: { ...head, ...empty } }),
      ...deltas.flatMap((delta) => push({ type: 'content_block_delta', index, delta })),
      ...push({ type: 'content_block_stop', index }),
    ]
  })
  return accumulate([
    ...chunks,
    ...push({ type: 'message_delta', delta: { stop_reason: 'tool_use' } }),
    ...push({ type: 'message_stop' }),
  ])
}

test('a turn that a client of the reference sends back is the turn that came, streamed or not', () => {
  fc.assert(
    fc.property(turns, (content) => {
      for (const { choices } of [readReply({ content, stop_reason: 'tool_use' }, context).reply, streamed(content)]) {
        const message = choices[0]?.message as Message
        const results = (message.tool_calls ?? []).map(
          ({ id }): Message => ({ role: 'tool', tool_call_id: id, content: 'x' }),
        )
        const { body } = adapt({ thinking, messages: [question, JSON.parse(JSON.stringify(message)), ...results] })
        expect(body).toHaveProperty('messages.1.content', content)
      }
    }),
  )
})
