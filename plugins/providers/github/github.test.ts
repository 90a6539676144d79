import { expect, test } from 'bun:test'
import { conform, setUp } from '#kit/testing'
import github from './index.ts'

conform(github, new URL('./fixtures/', import.meta.url))

test('the catalogue stands beside the address of calls', async () => {
  const { providers } = await setUp(github)
  expect(providers[0]?.endpoints.models?.baseURL).toBe('https://models.github.ai')
})
