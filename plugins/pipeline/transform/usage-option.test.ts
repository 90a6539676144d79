import { describe, expect, test } from 'bun:test'
import { applyTargetParams } from '#calls/target-params'
import { openaiCompatible } from '#kit'
import type { Target } from '#kit/slots'
import { withUsageOption } from './usage-option.ts'

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
