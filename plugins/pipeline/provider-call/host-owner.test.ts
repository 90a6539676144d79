import { afterAll, beforeAll, expect, test } from 'bun:test'
import { definePlugin, EgressRefused, t } from '#kit'
import type { StoredProvider } from '#kit/plugin'
import { API_KEY, startTestGateway, type TestGateway } from '../../../test/support/gateway.ts'
import providerCall from './index.ts'

/** Whose host it was, by the host. */
let sent: [host: string, owner: string | undefined][] = []

const capture = definePlugin({
  name: 'captured-call',
  config: t.Object({}),
  needs: ['deadlines', 'tracing'],
  setup: (_config, host) =>
    providerCall.setup(
      {},
      {
        ...host,
        upstream: {
          async send({ url, hostOwner }) {
            sent.push([new URL(url).host, hostOwner])
            throw new EgressRefused('Nothing leaves.')
          },
        },
      },
    ),
})

const stored: StoredProvider = {
  slug: 'team',
  providerId: 'openai',
  apiKey: 'stored-key-0123456789',
  allows: () => true,
  forModel: () => ({ settings: {}, headers: {}, customHost: 'https://stored.test/v1' }),
}

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({
    plugins: [capture],
    config: {
      plugins: [
        { defaults: { without: ['provider-call'] } },
        'captured-call',
        { openai: { apiKey: 'operator-key-0123456789' } },
        { 'azure-openai': { apiKey: 'operator-key-0123456789', resourceName: 'house' } },
      ],
    },
    deps: { stored: { find: (_, slug) => (slug === 'team' ? stored : undefined), models: () => [] } },
  })
})
afterAll(() => gateway.close())

const call = async (headers: Readonly<Record<string, string>>): Promise<readonly unknown[] | undefined> => {
  sent = []
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'x-gateway-api-key': API_KEY, authorization: 'Bearer caller-key-0123456789', ...headers },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello' }] }),
  })
  expect(await response.json()).toMatchObject({ error: { code: 'egress_refused' } })
  return sent[0]
}

test('a host that a workspace chose is its own; the operator’s is everybody’s', async () => {
  const openai = { 'x-gateway-provider': 'openai' }
  expect(await call(openai)).toEqual(['api.openai.com', undefined])
  const [, owner] = (await call({ ...openai, 'x-gateway-custom-host': 'https://a.test/v1' })) ?? []
  expect(owner).toBeString()
  expect(await call({ 'x-gateway-provider': '@team' })).toEqual(['stored.test', owner])
  const azure = { 'x-gateway-provider': 'azure-openai' }
  expect(await call(azure)).toEqual(['house.openai.azure.com', undefined])
  expect(await call({ ...azure, 'x-gateway-azure-resource-name': 'theirs' })).toEqual([
    'theirs.openai.azure.com',
    owner,
  ])
})
