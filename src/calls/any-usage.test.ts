import { describe, expect, test } from 'bun:test'
import { usageOfAny } from './any-usage.ts'

describe('a report with a count that no call can have is not believed', () => {
  const FORMS: readonly (readonly [form: string, body: (count: unknown) => unknown])[] = [
    ['chat, input', (count) => ({ usage: { prompt_tokens: count, completion_tokens: 4 } })],
    ['chat, output', (count) => ({ usage: { prompt_tokens: 3, completion_tokens: count } })],
    ['chat, total', (count) => ({ usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: count } })],
    ['Messages, input', (count) => ({ message: { usage: { input_tokens: count, output_tokens: 1 } } })],
    ['Messages, output', (count) => ({ usage: { output_tokens: count } })],
    ['Responses', (count) => ({ response: { usage: { input_tokens: 5, output_tokens: count } } })],
    ['Gemini', (count) => ({ usageMetadata: { promptTokenCount: 5, candidatesTokenCount: count } })],
    ['Gemini, total', (count) => ({ usageMetadata: { promptTokenCount: 5, totalTokenCount: count } })],
  ]
  test.each(FORMS)('%s', (_form, body) => {
    for (const count of [1e308, -1, Number.NaN, Number.POSITIVE_INFINITY, '7'])
      expect(usageOfAny(body(count))).toBeUndefined()
    expect(usageOfAny(body(7))).toBeDefined()
  })
})

test('a total is never less than its parts', () => {
  const counts = { promptTokenCount: 4, candidatesTokenCount: 6, totalTokenCount: 1 }
  expect(usageOfAny({ usageMetadata: counts })?.totalTokens).toBe(10)
})
