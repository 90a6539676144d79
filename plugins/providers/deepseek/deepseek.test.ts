import { expect, test } from 'bun:test'
import { conform, setUp } from '#kit/testing'
import deepseek from './index.ts'

conform(deepseek, new URL('./fixtures/', import.meta.url))

test.each([
  ['https://api.deepseek.com/v1', false],
  ['https://api.deepseek.com/beta', true],
])('an answer is gone on from at the beta only: %s', async (baseURL, can) => {
  const [provider] = (await setUp(deepseek, { baseURL })).providers ?? []
  expect(provider?.endpoints.chat?.assistantPrefix !== undefined).toBe(can)
})
