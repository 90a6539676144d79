import { describe, expect, test } from 'bun:test'
import { adaptRequest } from '#calls/adapt'
import { CONFORM_CREATED, CONFORM_OUTGOING, conform, setUp } from '#kit/testing'
import anthropic from './index.ts'

conform(anthropic, new URL('./fixtures/', import.meta.url))

const providerWith = async (config: Readonly<Record<string, unknown>> = {}) => {
  const [provider] = (await setUp(anthropic, config)).providers
  if (provider === undefined) throw new Error('the plugin brings no provider')
  return provider
}

describe('headers', () => {
  const headersOf = async (before: Record<string, string>, settings: Record<string, string> = {}) => {
    const headers = new Headers(before)
    const provider = await providerWith()
    await provider.authorize(headers, { apiKey: 'k', settings }, CONFORM_OUTGOING)
    return Object.fromEntries(headers)
  }

  test('the key and the default version', async () => {
    expect(await headersOf({})).toEqual({ 'x-api-key': 'k', 'anthropic-version': '2023-06-01' })
  })

  test('a version and beta of the call win, a header before a setting', async () => {
    expect(await headersOf({}, { anthropic_version: '2027-01-01', anthropic_beta: 'a' })).toEqual({
      'x-api-key': 'k',
      'anthropic-version': '2027-01-01',
      'anthropic-beta': 'a',
    })
    const passedOn = { 'anthropic-version': '2028-01-01', 'anthropic-beta': 'b' }
    expect(await headersOf(passedOn, { anthropic_version: '2027-01-01', anthropic_beta: 'a' })).toEqual({
      'x-api-key': 'k',
      ...passedOn,
    })
  })
})

describe("the operator's default limit", () => {
  const limitOf = async (request: Record<string, unknown>) => {
    const chat = (await providerWith({ maxTokens: 5000 })).endpoints.chat
    if (chat === undefined) throw new Error('no chat')
    const model = 'claude-sonnet-4-5'
    const context = { model, stream: false, strict: true, includeUsage: false, callId: 'c', created: CONFORM_CREATED }
    const full = { model, messages: [{ role: 'user' as const, content: 'Hi' }], ...request }
    return adaptRequest(chat, full, { ...context, settings: {} }).body
  }

  test('stands in for one that the call does not name, null included', async () => {
    expect(await limitOf({})).toMatchObject({ max_tokens: 5000 })
    expect(await limitOf({ max_tokens: null })).toMatchObject({ max_tokens: 5000 })
    expect(await limitOf({ max_tokens: 7 })).toMatchObject({ max_tokens: 7 })
    expect(await limitOf({ max_completion_tokens: 8, max_tokens: 7 })).toMatchObject({ max_tokens: 8 })
  })

  test('leaves a quarter of itself for the answer when the budget would not fit', async () => {
    expect(await limitOf({ reasoning_effort: 'high' })).toMatchObject({
      max_tokens: 5000,
      thinking: { type: 'enabled', budget_tokens: 3750 },
    })
  })
})

test('the code of an error stands in its details', async () => {
  const details = { error_code: 'image_dimensions_too_large', max_side_length_pixels: 8000 }
  const body = { type: 'error', error: { type: 'invalid_request_error', message: 'Too large.', details } }
  expect((await providerWith()).failure(400, body)).toMatchObject({
    message: 'Too large.',
    type: 'invalid_request_error',
    code: 'image_dimensions_too_large',
  })
})

test('text completions of 2023 have a place of their own', async () => {
  expect((await providerWith({})).vendorPaths).toEqual({ completions: '/complete' })
})
