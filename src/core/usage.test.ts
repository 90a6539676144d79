import { describe, expect, test } from 'bun:test'
import { addUsage, usageFromOpenAI } from './usage.ts'

describe('usageFromOpenAI', () => {
  test('reads every part', () => {
    const usage = usageFromOpenAI({
      prompt_tokens: 10,
      completion_tokens: 7,
      total_tokens: 17,
      prompt_tokens_details: { cached_tokens: 4, audio_tokens: 0 },
      cache_creation_input_tokens: 2,
      completion_tokens_details: { reasoning_tokens: 5 },
    })
    expect(usage).toEqual({
      inputTokens: 10,
      outputTokens: 7,
      totalTokens: 17,
      cachedInputTokens: 4,
      cacheWriteTokens: 2,
      reasoningTokens: 5,
    })
  })

  test('reads sound, images, what OpenRouter has written to a cache, and searches', () => {
    const usage = usageFromOpenAI({
      prompt_tokens: 90,
      completion_tokens: 70,
      prompt_tokens_details: { audio_tokens: 40, image_tokens: 20, cache_write_tokens: 5 },
      completion_tokens_details: { audio_tokens: 30, image_tokens: 10 },
      num_search_queries: 3,
      num_sources_used: 7,
    })
    expect(usage).toStrictEqual({
      inputTokens: 90,
      outputTokens: 70,
      totalTokens: 160,
      cacheWriteTokens: 5,
      audioInputTokens: 40,
      imageInputTokens: 20,
      audioOutputTokens: 30,
      imageOutputTokens: 10,
      units: { web_search: 3, source: 7 },
    })
  })

  test('searches that were not made are none', () => {
    const usage = usageFromOpenAI({
      prompt_tokens: 1,
      completion_tokens: 1,
      server_tool_use: { web_search_requests: 0 },
    })
    expect(usage).not.toHaveProperty('units')
  })

  test('a part that is not reported stays absent; one that is zero stays zero', () => {
    expect(usageFromOpenAI({ prompt_tokens: 1, completion_tokens: 0, total_tokens: 1 })).toStrictEqual({
      inputTokens: 1,
      outputTokens: 0,
      totalTokens: 1,
    })
    const zero = usageFromOpenAI({
      prompt_tokens: 1,
      completion_tokens: 0,
      prompt_tokens_details: { cached_tokens: 0 },
    })
    expect(zero?.cachedInputTokens).toBe(0)
  })

  test('embeddings have no output tokens', () => {
    const usage = usageFromOpenAI({ prompt_tokens: 3, total_tokens: 3 })
    expect(usage).toEqual({ inputTokens: 3, outputTokens: 0, totalTokens: 3 })
  })

  test('a missing total is the sum', () => {
    expect(usageFromOpenAI({ prompt_tokens: 3, completion_tokens: 4 })?.totalTokens).toBe(7)
  })

  test('the total of the provider wins over the sum', () => {
    expect(usageFromOpenAI({ prompt_tokens: 3, completion_tokens: 4, total_tokens: 9 })?.totalTokens).toBe(9)
  })

  test('a total below the sum is none, and parts of tokens are rounded', () => {
    expect(usageFromOpenAI({ prompt_tokens: 3.2, completion_tokens: 4, total_tokens: 0 })).toStrictEqual({
      inputTokens: 3,
      outputTokens: 4,
      totalTokens: 7,
    })
  })

  const nothing: readonly unknown[] = [
    undefined,
    null,
    {},
    [],
    'tokens',
    3,
    { total_tokens: 5 },
    { prompt_tokens: '3', completion_tokens: '4' },
    { prompt_tokens: -1, completion_tokens: Number.NaN },
    { prompt_tokens: null, completion_tokens: Number.POSITIVE_INFINITY },
    { prompt_tokens: 3, completion_tokens: 1e308 },
    { prompt_tokens: 3, completion_tokens: -4 },
    { prompt_tokens: 3, completion_tokens: 4, total_tokens: 1e308 },
  ]
  for (const usage of nothing) {
    test(`gives nothing for ${JSON.stringify(usage)}`, () => {
      expect(usageFromOpenAI(usage)).toBeUndefined()
    })
  }

  test('details of the wrong type are left out', () => {
    const usage = usageFromOpenAI({
      prompt_tokens: 1,
      completion_tokens: 1,
      prompt_tokens_details: 'none',
      completion_tokens_details: { reasoning_tokens: -3 },
      cache_creation_input_tokens: null,
    })
    expect(usage).toStrictEqual({ inputTokens: 1, outputTokens: 1, totalTokens: 2 })
  })
})

describe('addUsage', () => {
  test('adds parts and units, those of one side too', () => {
    const left = { inputTokens: 1, outputTokens: 2, totalTokens: 3, cachedInputTokens: 1, units: { web_search: 1 } }
    const right = {
      inputTokens: 4,
      outputTokens: 5,
      totalTokens: 9,
      audioOutputTokens: 2,
      units: { web_search: 2, page: 1 },
    }
    expect(addUsage(left, right)).toStrictEqual({
      inputTokens: 5,
      outputTokens: 7,
      totalTokens: 12,
      cachedInputTokens: 1,
      audioOutputTokens: 2,
      units: { web_search: 3, page: 1 },
    })
  })

  test('one side alone is as it was', () => {
    const usage = { inputTokens: 1, outputTokens: 2, totalTokens: 3 }
    expect(addUsage(undefined, usage)).toBe(usage)
    expect(addUsage(usage, undefined)).toBe(usage)
  })
})
