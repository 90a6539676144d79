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

test('parts that cost another price than text are read in every form', () => {
  const responses = {
    input_tokens: 90,
    output_tokens: 20,
    input_tokens_details: { cached_tokens: 30, cached_tokens_details: { audio_tokens: 10 }, audio_tokens: 40 },
    output_tokens_details: { reasoning_tokens: 5, audio_tokens: 8 },
  }
  expect(usageOfAny({ response: { usage: responses } })).toStrictEqual({
    inputTokens: 90,
    outputTokens: 20,
    totalTokens: 110,
    cachedInputTokens: 30,
    cachedAudioInputTokens: 10,
    reasoningTokens: 5,
    audioInputTokens: 40,
    audioOutputTokens: 8,
  })
  const messages = {
    input_tokens: 3,
    output_tokens: 4,
    cache_creation_input_tokens: 50,
    cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 30 },
    server_tool_use: { web_search_requests: 2 },
  }
  expect(usageOfAny({ usage: messages })).toMatchObject({
    inputTokens: 53,
    cacheWriteTokens: 50,
    hourCacheWriteTokens: 30,
    units: { web_search: 2 },
  })
  const gemini = {
    promptTokenCount: 100,
    candidatesTokenCount: 50,
    cachedContentTokenCount: 20,
    promptTokensDetails: [
      { modality: 'TEXT', tokenCount: 30 },
      { modality: 'AUDIO', tokenCount: 60 },
      { modality: 'IMAGE', tokenCount: 10 },
    ],
    cacheTokensDetails: [{ modality: 'AUDIO', tokenCount: 20 }],
    candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 50 }],
  }
  expect(usageOfAny({ usageMetadata: gemini })).toMatchObject({
    cachedAudioInputTokens: 20,
    audioInputTokens: 60,
    imageInputTokens: 10,
    imageOutputTokens: 50,
  })
})
