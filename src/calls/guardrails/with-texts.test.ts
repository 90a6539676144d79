import { describe, expect, test } from 'bun:test'
import type { TextPlace } from '../../core/guardrails.ts'
import { withTexts } from './with-texts.ts'

const place = (path: TextPlace['path'], text: string, isJson?: true): TextPlace => ({
  role: 'user',
  kind: 'text',
  path,
  text,
  ...(isJson === true ? { isJson } : {}),
})

const BODY = {
  model: 'm',
  messages: [
    { role: 'system', content: 'be kind' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
        { type: 'tool_use', input: { city: 'Rome' } },
      ],
    },
  ],
}
const frozen = (value: unknown): void => {
  if (typeof value !== 'object' || value === null) return
  Object.freeze(value)
  Object.values(value).forEach(frozen)
}
frozen(BODY)

const ONE = place(['messages', 1, 'content', 0, 'text'], 'one')
const TWO = place(['messages', 1, 'content', 1, 'text'], 'two')
const INPUT = place(['messages', 1, 'content', 2, 'input'], '{"city":"Rome"}', true)

describe('texts of a body', () => {
  test('are put where they stand, and the rest is shared', () => {
    const changed = withTexts(BODY, [ONE, TWO, INPUT], ['1', '2', '{"city":"Oslo"}'])
    expect(changed.messages[1]?.content).toEqual([
      { type: 'text', text: '1' },
      { type: 'text', text: '2' },
      { type: 'tool_use', input: { city: 'Oslo' } },
    ] as never)
    expect(changed.messages[0]).toBe(BODY.messages[0] as never)
    expect(BODY.messages[1]?.content[0]).toEqual({ type: 'text', text: 'one' } as never)
  })

  test('that stay as they are leave the body as it is', () => {
    expect(withTexts(BODY, [ONE, TWO, INPUT], ['one', 'two', '{"city":"Rome"}'])).toBe(BODY)
  })

  test('may be empty, and may look like JSON where the body has a text', () => {
    expect(withTexts(BODY, [ONE, TWO], ['', '{"a":1}']).messages[1]?.content.slice(0, 2)).toEqual([
      { type: 'text', text: '' },
      { type: 'text', text: '{"a":1}' },
    ] as never)
  })

  test.each(['{"city":"Ro', '[REDACTED]', '', '"a text"', '[1]', 'null'])('%j is no value for arguments', (text) => {
    const change = (): unknown => withTexts(BODY, [INPUT], [text])
    expect(change).toThrow(/^the text for messages\[1\]\.content\[2\]\.input must be a JSON object/)
    expect(change).not.toThrow('Rome')
  })

  test.each([
    [['messages', 2, 'content']],
    [['messages', 'length', 'content']],
    [['toString']],
    [['model', 'text']],
    [['__proto__', 'text']],
  ])('are not put at %j, which the body does not have', (path) => {
    expect(() => withTexts(BODY, [place(path, 'x')], ['y'])).toThrow('there is no text at')
  })

  test('take what spells them in tokens with them', () => {
    const choice = { text: 'one', logprobs: { tokens: ['o', 'ne'] } }
    const told = { ...place(['choices', 0, 'text'], 'one'), tokens: ['choices', 0, 'logprobs'] }
    const body = { choices: [choice] }
    expect(withTexts(body, [told], ['1'])).toEqual({ choices: [{ text: '1', logprobs: null as never }] })
    expect(withTexts(body, [told], ['one'])).toBe(body)
    const part = { text: 'one', logprobs: [{ token: 'one' }] }
    expect(withTexts(part, [{ ...place(['text'], 'one'), tokens: ['logprobs'] }], ['1'])).toEqual({
      text: '1',
      logprobs: [],
    })
  })

  test('must be as many as were given', () => {
    expect(() => withTexts(BODY, [ONE, TWO], ['1'])).toThrow('2 texts were given, and 1 came back')
  })
})
