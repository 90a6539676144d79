import { describe, expect, test } from 'bun:test'
import { endpoint } from '../../test/support/endpoints.ts'
import { estimateInputTokens } from './estimate-tokens.ts'
import { mostUsed } from './most-used.ts'

const chat = endpoint('chat')
const SIZES = { context: 100_000, maxOutput: 8_000 }
const user = (content: unknown) => ({ model: 'gpt', messages: [{ role: 'user', content }] })

describe('input', () => {
  test('is at least a token for each byte of text, in any script', () => {
    for (const text of ['a'.repeat(3_000), '語'.repeat(1_000), '🙂'.repeat(750)]) {
      const { inputTokens, isText } = mostUsed(chat, user(text), SIZES)
      expect([inputTokens >= 3_000, inputTokens < 3_700, isText]).toEqual([true, true, true])
    }
  })

  test('is never below the estimate, whatever stands in the request', () => {
    const tools = [{ type: 'function', function: { name: 'f', parameters: { enum: [123456.789, true, null] } } }]
    for (const body of [user('hello'), { ...user(['a', 'b']), tools }, { ...user([{ type: 'text', text: 'x' }]) }]) {
      expect(mostUsed(chat, body, SIZES).inputTokens).toBeGreaterThan(estimateInputTokens(body, chat.reads))
    }
  })

  test('is no more than the model takes', () => {
    expect(mostUsed(chat, user('a'.repeat(1_000_000)), SIZES).inputTokens).toBe(100_000)
    const prompts = { prompt: ['a'.repeat(150_000), 'b'.repeat(150_000)] }
    expect(mostUsed(endpoint('completions'), prompts, SIZES).inputTokens).toBe(200_000)
    // Each text of a list is one input of the model.
    const many = { input: Array.from({ length: 50 }, () => 'a'.repeat(10_000)) }
    expect(mostUsed(endpoint('embeddings'), many, SIZES).inputTokens).toBeGreaterThan(500_000)
  })

  test('may be the whole context where there is more than text, or more than the body', () => {
    const picture = user([{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }])
    expect(mostUsed(chat, picture, SIZES)).toMatchObject({ inputTokens: 100_000, isText: false })
    const sizes = { maxOutput: 10 }
    expect(mostUsed(chat, picture, sizes).inputTokens).toBeGreaterThan(1_105)
    const responses = endpoint('responses')
    for (const kept of [{ previous_response_id: 'resp_1' }, { conversation: { id: 'c' } }, { prompt: { id: 'p' } }]) {
      expect(mostUsed(responses, { input: 'go on', ...kept }, SIZES).inputTokens).toBe(100_000)
    }
    expect(mostUsed(endpoint('proxy'), { thread_id: 'thread_1' }, SIZES).inputTokens).toBe(100_000)
    expect(mostUsed(responses, { input: 'go on', previous_response_id: null }, SIZES).inputTokens).toBeLessThan(1_000)
  })

  test('of a text that is cut into tokens already is their number', () => {
    const tokens = (count: number) =>
      mostUsed(endpoint('embeddings'), { input: Array.from({ length: count }, () => 100_257) }).inputTokens
    expect(tokens(1_000) - tokens(0)).toBe(1_000)
  })
})

describe('output', () => {
  test.each([
    [{}, SIZES, 8_000],
    [{ max_tokens: 100 }, SIZES, 100],
    [{ max_tokens: 1_000_000_000 }, SIZES, 8_000],
    [{ max_completion_tokens: 100, n: 3 }, SIZES, 300],
    [{ n: 2 }, SIZES, 16_000],
    [{ max_tokens: 5_000 }, {}, 5_000],
    [{}, { context: 32_000 }, 32_000],
    [{}, {}, 4_096],
  ])('of %j at a model of %j is %d at most', (fields, sizes, most) => {
    expect(mostUsed(chat, { ...user('hello'), ...fields }, sizes).outputTokens).toBe(most)
  })

  test('of models that draw or speak is what that may take', () => {
    const drawn = mostUsed(endpoint('images'), { prompt: 'a cat', n: 2, size: '1024x1024', quality: 'high' })
    expect(drawn).toMatchObject({ units: { image: 2 }, picture: { quality: 'high', size: '1024x1024' } })
    expect(drawn.outputTokens).toBeGreaterThan(2 * 6_240)
    const said = mostUsed(endpoint('speech'), { input: 'x'.repeat(500), voice: 'alloy' })
    expect([said.units, said.outputTokens]).toEqual([{ character: 500 }, 2_000])
    expect(mostUsed(endpoint('embeddings'), { input: 'x' }).outputTokens).toBe(0)
  })
})
