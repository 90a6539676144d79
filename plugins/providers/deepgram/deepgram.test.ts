import { expect, test } from 'bun:test'
import { conform, setUp } from '#kit/testing'
import deepgram from './index.ts'

conform(deepgram, new URL('./fixtures/', import.meta.url))

test.each([
  ['0123456789abcdef', 'Token 0123456789abcdef'],
  ['eyJhbGciOiJIUzI1NiJ9.e30.c2ln', 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.c2ln'],
])('a key goes as such, and a token that was granted as one: %s', async (apiKey, expected) => {
  const { providers } = await setUp(deepgram)
  const headers = new Headers()
  const request = { method: 'POST', url: 'https://api.deepgram.com/v1/listen', isStreamed: true }
  await providers[0]?.authorize(headers, { apiKey, settings: {} }, request)
  expect(headers.get('authorization')).toBe(expected)
})
