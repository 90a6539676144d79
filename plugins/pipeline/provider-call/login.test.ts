import { afterAll, beforeAll, expect, test } from 'bun:test'
import { definePlugin, openaiCompatible, t } from '#kit'
import type { StoredProvider } from '#kit/plugin'
import type { Credentials } from '#kit/provider'
import { API_KEY, startTestGateway, type TestGateway } from '../../../test/support/gateway.ts'
import { jsonPlan } from '../../providers/mock/plan.ts'
import { type MockServer, startMockServer } from '../../providers/mock/server.ts'

/** What the provider was told of its calls. */
const authorized: Credentials[] = []
const refused: Credentials[] = []

const acme = (baseURL: string) =>
  definePlugin({
    name: 'acme',
    config: t.Object({}),
    setup: () => ({
      providers: [
        {
          ...openaiCompatible({ id: 'acme', baseURL, needsKey: false }),
          authorize: (_headers, credentials) => {
            authorized.push(credentials)
          },
          refused: (credentials) => {
            refused.push(credentials)
          },
        },
      ],
    }),
  })

const stored: StoredProvider = {
  slug: 'stored',
  providerId: 'acme',
  apiKey: '',
  allows: () => true,
  forModel: () => ({ settings: { acme_login: 'machine' }, headers: {} }),
}

let upstream: MockServer
let gateway: TestGateway
let status = 200
beforeAll(async () => {
  upstream = await startMockServer({ answer: () => jsonPlan(status, {}) })
  gateway = await startTestGateway({
    config: { plugins: ['defaults', 'acme'] },
    plugins: [acme(`${upstream.url}/v1`)],
    deps: { stored: { find: (_workspace, slug) => (slug === 'stored' ? stored : undefined), models: () => [] } },
  })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

const send = async (headers: Record<string, string>): Promise<void> => {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'x-gateway-api-key': API_KEY, ...headers },
    body: '{"model":"m","messages":[{"role":"user","content":"Hello"}]}',
  })
  await response.arrayBuffer()
}

test('a provider knows whose word the settings are', async () => {
  await send({ 'x-gateway-provider': 'acme' })
  await send({ 'x-gateway-provider': 'acme', 'x-gateway-custom-host': `${upstream.url}/v1` })
  await send({ 'x-gateway-provider': '@stored' })
  expect(authorized.slice(-3)).toEqual([
    { apiKey: '', settings: {}, isStored: undefined, hasCustomHost: undefined },
    { apiKey: '', settings: {}, isStored: undefined, hasCustomHost: true },
    { apiKey: '', settings: { acme_login: 'machine' }, isStored: true, hasCustomHost: undefined },
  ])
})

test('it hears of credentials that were refused, and of no others', async () => {
  for (status of [200, 400, 403, 429, 500]) await send({ 'x-gateway-provider': '@stored' })
  expect(refused).toEqual([])
  status = 401
  await send({ 'x-gateway-provider': '@stored' })
  expect(refused.map(({ settings }) => settings)).toEqual([{ acme_login: 'machine' }])
})
