import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { definePlugin, t } from '#kit'
import type { StoredProvider } from '#kit/plugin'
import providerCall from '../../../plugins/pipeline/provider-call/index.ts'
import { jsonPlan } from '../../../plugins/providers/mock/plan.ts'
import { type MockServer, type RecordedRequest, startMockServer } from '../../../plugins/providers/mock/server.ts'
import { API_KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts'
import { type RouteSample, samplesOf } from '../../support/route-samples.ts'

/**
 * Resources of Azure stand on the loopback address here: the name service says so, and the operator trusts it. Only scheme
 * and port of a call are changed, as nobody but root may listen on port 443.
 */
const toLoopback = (port: () => number) =>
  definePlugin({
    name: 'loopback-call',
    config: t.Object({}),
    needs: ['deadlines', 'tracing', 'upstream'],
    setup: (_config, host) =>
      providerCall.setup(
        {},
        {
          ...host,
          upstream: {
            send(request) {
              const { protocol, hostname, port: own, pathname, search } = new URL(request.url)
              expect([request.url, protocol, own]).toEqual([request.url, 'https:', ''])
              return host.upstream.send({ ...request, url: `http://${hostname}:${port()}${pathname}${search}` })
            },
          },
        },
      ),
  })

const OPERATOR_KEY = 'operator-azure-key-0123456789'
const STORED_KEY = 'stored-azure-key-0123456789'
const SAVED_KEY = 'saved-azure-key-0123456789'
const OWN_KEY = 'own-azure-key-0123456789'

const storedTarget: StoredProvider = {
  slug: 'team',
  providerId: 'azure-openai',
  apiKey: STORED_KEY,
  allows: () => true,
  forModel: () => ({ settings: { resource_name: 'team-resource', api_version: '2024-10-21' }, headers: {} }),
}
const saved = {
  id: 'id-1',
  slug: 'pc-azure-1',
  versionId: 'v-1',
  config: { provider: 'azure-openai', api_key: SAVED_KEY, resource_name: 'saved-resource' },
}

let azure: MockServer
let gateway: TestGateway
let arrived: RecordedRequest[] = []
const lookups: string[] = []

beforeAll(async () => {
  azure = await startMockServer({
    answer: (request) => {
      arrived.push(request)
      return jsonPlan(200, { object: 'list', data: [] })
    },
  })
  gateway = await startTestGateway({
    plugins: [toLoopback(() => azure.port)],
    config: {
      egress: { trustedHosts: ['127.0.0.1/32'] },
      plugins: [
        { defaults: { without: ['provider-call'] } },
        'loopback-call',
        { 'azure-openai': { apiKey: OPERATOR_KEY, resourceName: 'house' } },
      ],
    },
    deps: {
      stored: { find: (_, slug) => (slug === 'team' ? storedTarget : undefined), models: () => [] },
      configs: { find: (_, name) => (name === saved.slug ? saved : undefined), defaultOf: () => undefined },
      lookup: async (hostname) => {
        lookups.push(hostname)
        return ['127.0.0.1']
      },
    },
  })
})
afterAll(async () => {
  await gateway.close()
  await azure.close()
})
beforeEach(() => {
  arrived = []
  lookups.length = 0
})

type Headers = Readonly<Record<string, string>>

const PLACE = 'openai/deployments/gpt/chat/completions?api-version=2024-10-21'
const BODY = '{ "messages": [ ] }'
const MODE = { 'x-gateway-mode': 'proxy azure-openai' }

const send = async (method: string, path: string, headers: Headers, body?: RouteSample['body']) => {
  const response = await fetch(`${gateway.url}${path}`, {
    method,
    headers: { 'x-gateway-api-key': API_KEY, ...headers },
    ...(body === undefined ? {} : { body }),
  })
  return { status: response.status, text: await response.text() }
}
const proxy = (host: string, headers: Headers) =>
  send('POST', `/v1/proxy/${host}/${PLACE}`, { 'content-type': 'application/json', ...headers }, BODY)

/** Everything that an arrived request says about keys. */
const keysOf = ({ headers }: RecordedRequest) =>
  [...headers].flatMap(([name, value]) => (/key|authorization/.test(name) ? [`${name}: ${value}`] : []))
const hostOf = ({ headers }: RecordedRequest): string => headers.get('host')?.replace(/:\d+$/, '') ?? ''

describe('the old proxy route with a host of the cloud', () => {
  test.each(['contoso.openai.azure.com', 'contoso.cognitiveservices.azure.com', 'contoso.services.ai.azure.com'])(
    'goes to %s, with its query, its bytes and its own key',
    async (host) => {
      const { status } = await proxy(host, { ...MODE, 'api-key': OWN_KEY })
      expect(status).toBe(200)
      const [request, ...others] = arrived
      if (request === undefined) throw new Error('nothing arrived')
      expect(others).toEqual([])
      expect([hostOf(request), request.path, new TextDecoder().decode(request.body)]).toEqual([host, `/${PLACE}`, BODY])
      expect(keysOf(request)).toEqual([`api-key: ${OWN_KEY}`])
      expect(lookups.every((name) => name === host)).toBe(true)
    },
  )

  test('does not get the key of the operator, unless it is the resource of the operator', async () => {
    for (const host of ['contoso.openai.azure.com', 'house.cognitiveservices.azure.com']) {
      const { status, text } = await proxy(host, MODE)
      expect([status, JSON.parse(text).error.code]).toEqual([401, 'provider_key_required'])
    }
    expect(arrived).toEqual([])
    expect((await proxy('house.openai.azure.com', MODE)).status).toBe(200)
    expect(arrived.map((request) => [hostOf(request), request.path, keysOf(request)])).toEqual([
      ['house.openai.azure.com', `/${PLACE}`, [`api-key: ${OPERATOR_KEY}`]],
    ])
  })

  test('does not get a stored key, unless it is the resource that is stored with it', async () => {
    const named = { 'x-gateway-provider': '@team' }
    for (const host of ['contoso.openai.azure.com', 'house.openai.azure.com', 'team-resource.services.ai.azure.com']) {
      expect(await proxy(host, named)).toMatchObject({ status: 400 })
    }
    expect(arrived).toEqual([])
    expect((await proxy('team-resource.openai.azure.com', named)).status).toBe(200)
    expect((await send('POST', `/v1/proxy/${PLACE}`, named, BODY)).status).toBe(200)
    expect(arrived.map((request) => [hostOf(request), request.path, keysOf(request)])).toEqual(
      Array(2).fill(['team-resource.openai.azure.com', `/${PLACE}`, [`api-key: ${STORED_KEY}`]]),
    )
  })

  test('does not get the key of a saved config', async () => {
    const named = { 'x-gateway-config': saved.slug }
    expect(await proxy('contoso.openai.azure.com', named)).toMatchObject({ status: 400 })
    expect(arrived).toEqual([])
    expect((await send('POST', `/v1/proxy/${PLACE}`, named, BODY)).status).toBe(200)
    expect(arrived.map((request) => [hostOf(request), keysOf(request)])).toEqual([
      ['saved-resource.openai.azure.com', [`api-key: ${SAVED_KEY}`]],
    ])
  })

  test('is the host of the named provider, and of no other', async () => {
    for (const mode of ['proxy openai', 'proxy anthropic', 'proxy mistral-ai']) {
      const { status, text } = await proxy('contoso.openai.azure.com', { 'x-gateway-mode': mode, 'x-api-key': OWN_KEY })
      expect([mode, status]).toEqual([mode, 400])
      expect(text).toContain('not one of the provider')
    }
    expect(arrived).toEqual([])
  })
})

test('no route takes the key of the operator, a stored or a saved one to a resource that the call names', async () => {
  const resource = { 'x-gateway-azure-resource-name': 'contoso' }
  const ways: readonly (readonly [string, Headers])[] = [
    ['operator', { 'x-gateway-provider': 'azure-openai', ...resource }],
    ['operator', { 'x-gateway-config': '{"provider":"azure-openai","resource_name":"contoso"}' }],
    ['stored', { 'x-gateway-provider': '@team', ...resource }],
    ['stored', { 'x-gateway-config': '{"provider":"@team","resource_name":"contoso"}' }],
    ['saved', { 'x-gateway-config': saved.slug, ...resource }],
  ]
  for (const route of gateway.gateway.routes) {
    const sample = samplesOf(route).find(({ bringsConfig }) => bringsConfig !== true)
    if (sample === undefined) throw new Error(`${route.path} has no sample without a config`)
    for (const [, headers] of ways) await send(sample.method, sample.path, headers, sample.body)
  }
  const places = new Set(arrived.map((request) => `${hostOf(request)} ${keysOf(request).join()}`))
  expect([...places].toSorted()).toEqual([
    `saved-resource.openai.azure.com api-key: ${SAVED_KEY}`,
    `team-resource.openai.azure.com api-key: ${STORED_KEY}`,
  ])
})
