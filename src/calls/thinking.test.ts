import { describe, expect, test } from 'bun:test'
import { thinks } from './thinking.ts'

describe('a model that thinks', () => {
  test.each([
    'o3',
    'gpt-5-mini',
    'gpt-5-mini-2025-08-07',
    'openai/gpt-5-mini',
    'us.openai.gpt-oss-120b-1:0',
    'deepseek-reasoner',
    'DeepSeek-R1',
    'gemini-2.5-pro',
    'qwen/qwen3-32b:free',
    'claude-opus-5-5',
    'claude-fable-5',
  ])('is known by its name: %s', (model) => {
    expect([thinks(model), thinks(model)]).toEqual([true, true])
  })

  test.each([
    'gpt-4o',
    'gpt-4o-2024-08-06',
    'claude-sonnet-4-5-20250929',
    'claude-opus-4-6',
    'mistral-tiny',
    'mock',
    '',
    'o3'.repeat(500),
  ])('is none by the name %s', (model) => {
    expect(thinks(model)).toBe(false)
  })

  test('without a name is none', () => {
    expect(thinks(undefined)).toBe(false)
  })

  test.each([
    [{ reasoning_effort: 'low' }, true],
    [{ reasoning_effort: 'none' }, false],
    [{ reasoning: { effort: 'high' } }, true],
    [{ reasoning: { effort: 'none' } }, false],
    [{ reasoning: { enabled: false, effort: 'high' } }, false],
    [{ reasoning: { max_tokens: 1024 } }, true],
    [{ thinking: { type: 'enabled', budget_tokens: 1024 } }, true],
    [{ thinking: { type: 'adaptive' } }, true],
    [{ thinking: { type: 'disabled' } }, false],
    [{ enable_thinking: true }, true],
    [{ enable_thinking: false }, false],
    [{ chat_template_kwargs: { enable_thinking: false } }, false],
    [{ chat_template_kwargs: {}, disable_reasoning: true }, false],
  ])('or what the request says of it: %j', (params, expected) => {
    expect([thinks('gpt-4o', params), thinks('o3', params)]).toEqual([expected, expected])
  })

  test('by the first that says anything; what is not said, or not understood, leaves it to the name', () => {
    const off = { reasoning_effort: 'none' }
    expect([
      thinks('o3', undefined, off, { thinking: {} }),
      thinks('o3', {}, { reasoning: 5, thinking: 'no' }),
    ]).toEqual([false, true])
  })

  test('is looked for in a bounded memory', () => {
    for (let index = 0; index < 2_500; index++) expect(thinks(`own-model-${index}x`)).toBe(false)
    expect(thinks('gpt-5')).toBe(true)
  })
})
