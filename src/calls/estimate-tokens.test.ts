import { describe, expect, test } from 'bun:test'
import { endpoint } from '../../test/support/endpoints.ts'
import { estimateInputTokens, estimateOutputTokens, maxOutputTokens } from './estimate-tokens.ts'

const inputTokens = (body: Readonly<Record<string, unknown>>): number =>
  estimateInputTokens(body, endpoint('proxy').reads)

const user = (content: unknown) => ({ messages: [{ role: 'user', content }] })

describe('input', () => {
  test('three bytes make a token, in any script', () => {
    const short = inputTokens(user(''))
    expect(inputTokens(user('a'.repeat(300))) - short).toBe(100)
    expect(inputTokens(user('語'.repeat(100))) - short).toBe(100)
  })

  test('tools, schemas and the system prompt count', () => {
    const plain = inputTokens(user('hello'))
    const tools = [{ type: 'function', function: { name: 'f', description: 'd'.repeat(3_000), parameters: {} } }]
    expect(inputTokens({ ...user('hello'), tools })).toBeGreaterThan(plain + 1_000)
    const schema = { type: 'json_schema', json_schema: { schema: { description: 'd'.repeat(3_000) } } }
    expect(inputTokens({ ...user('hello'), response_format: schema })).toBeGreaterThan(plain + 1_000)
    const messages = [{ role: 'system', content: 's'.repeat(3_000) }, ...user('hello').messages]
    expect(inputTokens({ messages })).toBeGreaterThan(plain + 1_000)
  })

  test('the bytes of a document to be read do not', () => {
    const document = { type: 'document_url', document_url: `data:application/pdf;base64,${'A'.repeat(1_000_000)}` }
    const tokens = estimateInputTokens({ document }, endpoint('ocr').reads)
    expect([tokens > 1_000, tokens < 2_000]).toEqual([true, true])
  })

  test('the bytes of a picture do not', () => {
    const url = `data:image/png;base64,${'A'.repeat(1_000_000)}`
    const tokens = inputTokens(user([{ type: 'image_url', image_url: { url } }]))
    expect(tokens).toBeGreaterThan(1_000)
    expect(tokens).toBeLessThan(2_000)
  })

  test('texts that are cut into tokens already count one by one', () => {
    expect(inputTokens({ input: [1, 2, 3, 4, 5] })).toBe(5)
    expect(inputTokens({ input: ['abc', 'def'] })).toBe(2)
  })

  test('what the model does not read costs nothing', () => {
    expect(inputTokens({ model: 'm'.repeat(300), metadata: { a: 'b'.repeat(300) }, user: 'u' })).toBe(0)
  })
})

test('output is the text of the choices', () => {
  const answer = { id: 'x'.repeat(900), choices: [{ message: { content: 'a'.repeat(300) } }] }
  expect(estimateOutputTokens(answer)).toBeGreaterThanOrEqual(100)
  expect(estimateOutputTokens(answer)).toBeLessThan(120)
  expect(estimateOutputTokens({ object: 'list' })).toBe(0)
  const logprobs = { tokens: ['a'.repeat(300)], token_logprobs: [-1], top_logprobs: [{ a: -1 }] }
  expect(estimateOutputTokens({ choices: [{ text: 'a'.repeat(300), logprobs }, { text: 'abc' }] })).toBe(101)
})

describe('the bound on output', () => {
  test('is that of the request, for each of its choices', () => {
    expect(maxOutputTokens({})).toBeUndefined()
    expect(maxOutputTokens({ max_tokens: 10 })).toBe(10)
    expect(maxOutputTokens({ max_tokens: 10, max_completion_tokens: 20, n: 3 })).toBe(60)
    expect(maxOutputTokens({ max_tokens: 10, n: 2, best_of: 3 })).toBe(30)
    expect(maxOutputTokens({ max_tokens: 10, n: 2, best_of: 1 })).toBe(20)
    expect(maxOutputTokens({ max_tokens: -1 })).toBeUndefined()
    expect(maxOutputTokens({ max_tokens: 'many', n: 0 })).toBeUndefined()
    const most = Number.MAX_SAFE_INTEGER
    expect(maxOutputTokens({ max_tokens: most, n: most })).toBe(1_000_000_000)
  })

  test.each([
    ['one text', 1],
    [['one text'], 1],
    [['a', 'b', 'c'], 3],
    [[1, 2, 3], 1],
    [[[1, 2], [3]], 2],
    [[], 1],
    [undefined, 1],
  ])('is for each of the prompts %j', (prompt, times) => {
    expect(maxOutputTokens({ prompt, max_tokens: 10, n: 2 })).toBe(20 * times)
  })
})
