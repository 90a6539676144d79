import { expect, test } from 'bun:test'
import { conform, setUp } from '#kit/testing'
import workersAi from './index.ts'

const ACCOUNT = '023e105f4ecef8ad9ca31a8372d0c353'

conform(workersAi, new URL('./fixtures/', import.meta.url), { config: { accountId: ACCOUNT } })

const provider = async (config: Readonly<Record<string, unknown>>) => {
  const [found] = (await setUp(workersAi, config)).providers
  if (found === undefined) throw new Error('no provider')
  const baseURL = (settings: Readonly<Record<string, string>>) =>
    typeof found.baseURL === 'string' ? found.baseURL : found.baseURL(settings)
  return { ...found, baseURL }
}

test('the account is a part of the address', async () => {
  const { baseURL, endpoints } = await provider({})
  const settings = { workers_ai_account_id: ACCOUNT }
  expect(baseURL(settings)).toBe(`https://api.cloudflare.com/client/v4/accounts/${ACCOUNT}/ai/v1`)
  const { baseURL: ofModels } = endpoints.models ?? {}
  expect(typeof ofModels === 'function' && ofModels(settings)).toBe(
    `https://api.cloudflare.com/client/v4/accounts/${ACCOUNT}/ai`,
  )
  expect(() => baseURL({})).toThrow('needs an account')
  expect(() => baseURL({ workers_ai_account_id: '../x' })).toThrow('letters and digits')
})

test("the operator's key is for the operator's account", async () => {
  const { ownKeyIsFor } = await provider({ accountId: ACCOUNT })
  expect(ownKeyIsFor?.({ workers_ai_account_id: ACCOUNT })).toBe(true)
  expect(ownKeyIsFor?.({ workers_ai_account_id: 'other' })).toBe(false)
})

test('a base URL of the operator is that of every call', async () => {
  const baseURL = 'https://gateway.example/workers-ai/v1'
  const found = await provider({ baseURL })
  expect(found.baseURL({})).toBe(baseURL)
  expect(found.endpoints.models?.baseURL).toBe('https://gateway.example/workers-ai')
  expect(found.ownKeyIsFor?.({ workers_ai_account_id: 'other' })).toBe(true)
})
