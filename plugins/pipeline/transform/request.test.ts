import { describe, expect, test } from 'bun:test'
import { applyTargetParams } from '#calls/target-params'
import { InvalidRequest, openaiCompatible } from '#kit'
import type { Target } from '#kit/slots'
import { withUsageOption } from './serialise.ts'
import { validateChat, validateEmbeddings } from './validate.ts'

const target = (params: Partial<Target>): Target => ({
  path: 'config',
  provider: openaiCompatible({ id: 'acme', baseURL: 'https://api.acme.example/v1' }),
  settings: {},
  forwardHeaders: [],
  strict: true,
  ...params,
})

describe('parameters of the target', () => {
  const request = Object.freeze({ model: 'm', temperature: 0.5, top_p: null })

  test('none of them gives the very object back', () => {
    expect(applyTargetParams(request, target({}))).toBe(request)
  })

  test('defaults fill gaps, overrides replace, drops remove, in that order', () => {
    expect(
      applyTargetParams(
        request,
        target({
          defaultParams: { temperature: 1, top_p: 1, seed: 7, user: 'd' },
          overrideParams: { model: 'other', stop: ['x'] },
          dropParams: ['seed', 'stop'],
        }),
      ),
    ).toEqual({ model: 'other', temperature: 0.5, top_p: null, user: 'd' })
    expect(request).toEqual({ model: 'm', temperature: 0.5, top_p: null })
  })

  const nested = () => ({
    a: { b: 1, c: { d: 2 } },
    messages: [
      { role: 'user', name: 'n1', content: [{ type: 'text', cache: 1 }, { type: 'image' }] },
      { role: 'assistant', name: 'n2' },
    ],
    list: [1, 2, 3],
  })
  const drops: readonly (readonly [string, (value: ReturnType<typeof nested>) => unknown])[] = [
    ['a', ({ messages, list }) => ({ messages, list })],
    ['a.b', (value) => ({ ...value, a: { c: { d: 2 } } })],
    ['a["c"].d', (value) => ({ ...value, a: { b: 1, c: {} } })],
    ["a['c']", (value) => ({ ...value, a: { b: 1 } })],
    ['a.*', (value) => ({ ...value, a: {} })],
    ['list[1]', (value) => ({ ...value, list: [1, 3] })],
    ['list[*]', (value) => ({ ...value, list: [] })],
    [
      'messages[0].name',
      ({ messages: [first, second], ...rest }) => ({
        ...rest,
        messages: [{ role: 'user', content: first?.content }, second],
      }),
    ],
    ['messages[*].name', (value) => ({ ...value, messages: value.messages.map(({ name: _, ...rest }) => rest) })],
    [
      'messages[*].content[*].cache',
      ({ messages: [first, second], ...rest }) => ({
        ...rest,
        messages: [{ ...first, content: [{ type: 'text' }, { type: 'image' }] }, second],
      }),
    ],
    ['', (value) => value],
    ['a.none.deeper', (value) => value],
    ['list[9]', (value) => value],
    ['list.b', (value) => value],
    ['constructor', (value) => value],
  ]
  for (const [path, expected] of drops) {
    test(`dropping '${path}'`, () => {
      const value = nested()
      expect(applyTargetParams(value, target({ dropParams: [path] }))).toEqual(
        expected(nested()) as Record<string, unknown>,
      )
      expect(value).toEqual(nested())
    })
  }
})

describe('validation of a chat request', () => {
  const messages = [{ role: 'user', content: 'Hello' }]
  const fault = (
    body: Record<string, unknown>,
    validate: (body: Record<string, unknown>) => unknown = validateChat,
  ) => {
    try {
      validate(body)
    } catch (thrown) {
      if (thrown instanceof InvalidRequest) return { param: thrown.options.param, message: thrown.message }
      throw thrown
    }
    throw new Error('it was accepted')
  }

  test('leaves what it accepts as it is, unknown fields and null included', () => {
    const body = { model: 'm', messages, temperature: null, my_own: { a: 1 }, stop: 'x', tool_choice: 'auto', seed: -1 }
    expect(validateChat(body) as unknown).toBe(body)
    const parts = [{ type: 'text', text: 'a' }, { type: 'their_own' }]
    for (const content of ['a', null, [], parts]) validateChat({ model: 'm', messages: [{ role: 'tool', content }] })
    validateChat({ model: 'm', messages: [{ role: 'assistant' }] })
  })

  const faults: readonly (readonly [Record<string, unknown>, string, string])[] = [
    [{ messages }, 'model', 'is required'],
    [{ model: '', messages }, 'model', 'must be a string that is not empty'],
    [{ model: 5, messages }, 'model', 'must be a string that is not empty'],
    [{ model: 'm' }, 'messages', 'is required'],
    [{ model: 'm', messages: 'Hello' }, 'messages', 'must be an array with at least one message'],
    [{ model: 'm', messages: [] }, 'messages', 'must be an array with at least one message'],
    [{ model: 'm', messages: ['a'] }, 'messages[0]', 'must be an object'],
    [{ model: 'm', messages: [...messages, {}] }, 'messages[1].role', 'is required'],
    [{ model: 'm', messages: [{ role: 5 }] }, 'messages[0].role', 'must be a string'],
    [
      { model: 'm', messages: [{ role: 'bot' }] },
      'messages[0].role',
      'must be one of: system, developer, user, assistant, tool, function',
    ],
    [
      { model: 'm', messages: [{ role: 'user', content: 5 }] },
      'messages[0].content',
      'must be a string or an array of parts',
    ],
    [{ model: 'm', messages: [{ role: 'user', content: [5] }] }, 'messages[0].content[0]', 'must be an object'],
    [{ model: 'm', messages: [{ role: 'user', content: [{}] }] }, 'messages[0].content[0].type', 'is required'],
    [
      { model: 'm', messages: [{ role: 'user', content: [{ type: 1 }] }] },
      'messages[0].content[0].type',
      'must be a string',
    ],
    [{ model: 'm', messages, stream: 'true' }, 'stream', 'must be a boolean'],
    [{ model: 'm', messages, stream_options: true }, 'stream_options', 'must be an object'],
    [{ model: 'm', messages, temperature: '1' }, 'temperature', 'must be a number'],
    [{ model: 'm', messages, n: 1.5 }, 'n', 'must be a whole number'],
    [{ model: 'm', messages, max_tokens: -1 }, 'max_tokens', 'must be a whole number'],
    [{ model: 'm', messages, max_completion_tokens: '5' }, 'max_completion_tokens', 'must be a whole number'],
    [{ model: 'm', messages, seed: 0.5 }, 'seed', 'must be a whole number'],
    [{ model: 'm', messages, stop: [1] }, 'stop', 'must be a string or an array of strings'],
    [{ model: 'm', messages, user: 5 }, 'user', 'must be a string'],
    [{ model: 'm', messages, tools: {} }, 'tools', 'must be an array'],
    [{ model: 'm', messages, tool_choice: [] }, 'tool_choice', 'must be a string or an object'],
    [{ model: 'm', messages, response_format: 'json' }, 'response_format', 'must be an object'],
    [{ model: 'm', messages, logprobs: 5 }, 'logprobs', 'must be a boolean'],
    [{ model: 'm', messages, logit_bias: [] }, 'logit_bias', 'must be an object'],
  ]
  for (const [body, param, problem] of faults) {
    test(`${param} ${problem}: ${JSON.stringify(body).slice(0, 60)}`, () => {
      expect(fault(body)).toEqual({ param, message: `\`${param}\` ${problem}.` })
    })
  }

  test('of an embeddings request names model and input', () => {
    for (const input of ['a', ['a', 'b'], [1, 2], [[1], [2]]]) validateEmbeddings({ model: 'm', input })
    expect(fault({ input: 'a' }, validateEmbeddings).param).toBe('model')
    expect(fault({ model: 'm' }, validateEmbeddings)).toEqual({ param: 'input', message: '`input` is required.' })
    for (const input of [[], 5, {}, null]) expect(fault({ model: 'm', input }, validateEmbeddings).param).toBe('input')
  })

  test('embeddings do not stream', () => {
    for (const stream of [false, null]) validateEmbeddings({ model: 'm', input: 'a', stream })
    expect(fault({ model: 'm', input: 'a', stream: true }, validateEmbeddings)).toEqual({
      param: 'stream',
      message: '`stream` must be false or left out: embeddings come in one answer.',
    })
  })
})

describe('asking for usage in the bytes as they came', () => {
  const splice = (text: string): string => new TextDecoder().decode(withUsageOption(new TextEncoder().encode(text)))
  const OPTION = '"stream_options":{"include_usage":true}'

  test('changes nothing but the end: spelling, spaces, order and numbers beyond 2^53 stay', () => {
    const body = '{ "seed": 9007199254740993, "x":1.0e400, "model":"\\u006d", "stream":true, "t":0.10000000000000000001'
    expect(splice(`${body} }`)).toBe(`${body} ,${OPTION}}`)
    expect(splice(`${body}}\n\t `)).toBe(`${body},${OPTION}}`)
  })

  test('is not misled by braces inside strings or objects', () => {
    const bodies = ['{"a":{"b":{}}}', '{"a":"}"}', '{"a":"\\"}","b":[{}]}']
    for (const body of bodies) {
      const parsed = JSON.parse(splice(body)) as Record<string, unknown>
      const { stream_options: options, ...rest } = parsed
      expect(options).toEqual({ include_usage: true })
      expect(rest).toEqual(JSON.parse(body))
    }
  })

  test('leaves its input alone', () => {
    const bytes = new TextEncoder().encode('{"a":1}')
    withUsageOption(bytes)
    expect(new TextDecoder().decode(bytes)).toBe('{"a":1}')
  })
})
