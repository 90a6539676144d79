import { expect, test } from 'bun:test'
import { CONFORM_OUTGOING, conform, fakeHost } from '#kit/testing'
import openai from './index.ts'

conform(openai, new URL('./fixtures/', import.meta.url))

const setUp = async () => {
  const parts = await openai.setup({ baseURL: 'https://api.openai.com/v1' }, fakeHost())
  const provider = parts.providers?.[0]
  if (provider === undefined) throw new Error('no provider')
  return provider
}

test('passes the headers of OpenAI on', async () => {
  const { headers, apiKey, models, baseURL } = await setUp()
  expect({ headers, apiKey, models, baseURL }).toEqual({
    headers: ['openai-organization', 'openai-project', 'openai-beta'],
    apiKey: undefined,
    models: undefined,
    baseURL: 'https://api.openai.com/v1',
  })
})

test('the key is a bearer token', async () => {
  const headers = new Headers()
  await (await setUp()).authorize(headers, { apiKey: 'sk-1', settings: {} }, CONFORM_OUTGOING)
  expect([...headers]).toEqual([['authorization', 'Bearer sk-1']])
})
