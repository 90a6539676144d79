import { describe, expect, test } from 'bun:test'
import { plainForms } from './chat-forms.ts'
import type { ChatRequest, Message } from './openai.ts'

const question: Message = { role: 'user', content: 'Weather?' }
const weather = { name: 'get_weather', description: 'Weather of a city.', parameters: { type: 'object' } }
const ask = (fields: Record<string, unknown>) =>
  plainForms({ model: 'm', messages: [question], ...fields } as unknown as ChatRequest)

describe('functions', () => {
  test('become tools, one call at a time', () => {
    expect(ask({ functions: [weather], temperature: 1 })).toEqual({
      model: 'm',
      messages: [question],
      temperature: 1,
      tools: [{ type: 'function', function: weather }],
      parallel_tool_calls: false,
    })
  })

  test.each([
    ['auto', 'auto'],
    ['none', 'none'],
    [{ name: 'get_weather' }, { type: 'function', function: { name: 'get_weather' } }],
  ])('with the choice %j', (choice, expected) => {
    expect(ask({ functions: [weather], function_call: choice }).tool_choice).toEqual(expected as never)
  })

  test.each(['required', 7, {}])('with the choice %j are refused', (choice) => {
    expect(() => ask({ functions: [weather], function_call: choice })).toThrow('`function_call` must be')
  })

  test.each([
    ['tools beside them, which are meant', { tools: [], functions: [weather] }],
    ['nothing in them', { functions: [] }],
    ['no list', { functions: 'x' }],
  ])('stay as they are with %s', (_, fields) => {
    expect(ask(fields)).toEqual({ model: 'm', messages: [question], ...fields } as never)
  })

  test('of a history become calls and results that know each other', () => {
    const call = { name: 'get_weather', arguments: '{}', extra_content: { google: { thought_signature: 'c2ln' } } }
    const { messages } = ask({
      messages: [
        question,
        { role: 'assistant', content: null, function_call: call },
        { role: 'function', name: 'get_weather', content: 'Rain' },
        { role: 'assistant', content: 'Rain.', function_call: null },
        question,
        { role: 'assistant', function_call: { name: 'get_time', arguments: '' } },
        { role: 'function', name: 'get_time', content: null },
      ],
    })
    expect(messages).toEqual([
      question,
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            function: { name: 'get_weather', arguments: '{}' },
            extra_content: call.extra_content,
          },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'Rain' },
      { role: 'assistant', content: 'Rain.', function_call: null },
      question,
      {
        role: 'assistant',
        tool_calls: [{ id: 'call_5', type: 'function', function: { name: 'get_time', arguments: '' } }],
      },
      { role: 'tool', tool_call_id: 'call_5', content: '' },
    ])
  })

  test.each([
    ['messages[1]', [question, { role: 'function', name: 'f', content: 'x' }]],
    [
      'messages[1]',
      [
        { role: 'assistant', function_call: { name: 'f', arguments: '' } },
        { role: 'function', name: 'g', content: 'x' },
      ],
    ],
    ['messages[0].function_call', [{ role: 'assistant', function_call: 'f' }]],
  ])('of a history without sense are refused: %s', (param, messages) => {
    expect(() => ask({ messages })).toThrow(`\`${param}\``)
  })
})

describe('allowed tools', () => {
  const named = (name: string) => ({ type: 'function', function: { name } })
  const tools = [named('a'), named('b'), { type: 'web_search_20260318', name: 'web_search' }]
  const choice = (allowed: unknown) => ({ tools, tool_choice: { type: 'allowed_tools', allowed_tools: allowed } })

  test.each([
    ['auto', [named('b')], [1]],
    ['required', [named('b'), named('a')], [0, 1]],
    ['auto', [{ type: 'web_search_20260318', name: 'web_search' }, named('unknown')], [2]],
  ])('are those that are left: %s %j', (mode, listed, places) => {
    const { tools: left, tool_choice } = ask(choice({ mode, tools: listed }))
    expect([left, tool_choice]).toEqual([places.map((place) => tools[place]), mode] as never)
  })

  test.each([
    ['tool_choice.allowed_tools', undefined],
    ['tool_choice.allowed_tools.mode', { tools: [named('a')] }],
    ['tool_choice.allowed_tools.tools', { mode: 'auto', tools: [] }],
    ['tool_choice.allowed_tools.tools[1]', { mode: 'auto', tools: [named('a'), {}] }],
    ['tool_choice.allowed_tools.tools', { mode: 'auto', tools: [named('c')] }],
  ])('without sense are refused: %s', (param, allowed) => {
    expect(() => ask(choice(allowed))).toThrow(`\`${param}\``)
  })
})

test('a request in plain forms is given back as it is', () => {
  const request: ChatRequest = { model: 'm', messages: [question], tools: null, tool_choice: 'auto' }
  expect(plainForms(request)).toBe(request)
})
