import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { CallFacts, RateLimits } from '#core/limits'
import { RateLimited } from '#kit'
import { runCli } from '../../../src/cli/cli.ts'
import { openapiDocument } from '../../../src/management/openapi/document.ts'
import { API_KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts'
import bridge from './support/summary-bridge.ts'
import endpoint from './support/summary-endpoint.ts'
import provider from './support/summary-provider.ts'

/** What limits were asked, and how many more calls of this kind they let through. */
const facts: CallFacts[] = []
let left = Number.POSITIVE_INFINITY
let forecasts: unknown[] = []
const limits: RateLimits = {
  open: (of) => {
    facts.push(of)
    return {
      admit(options) {
        forecasts.push(options.forecast())
        if (of.endpointType === 'summarise' && left-- <= 0) throw new RateLimited('Too many.', { retryAfterMs: 1 })
      },
      attemptEnded: () => undefined,
      settle: () => undefined,
      charge: () => [],
      held: () => [],
      headers: () => new Map(),
      shadowRefusals: [],
    }
  },
  dryRun: () => Promise.reject(new Error('no dry run')),
}

/** Bodies that the provider of summaries got. */
const asked: string[] = []
let upstream: Bun.Server<undefined>
let gateway: TestGateway

beforeAll(async () => {
  upstream = Bun.serve({
    port: 0,
    async fetch(request) {
      asked.push(`${new URL(request.url).pathname} ${await request.text()}`)
      return Response.json({ summary: 'short', theirs: true })
    },
  })
  gateway = await startTestGateway({
    plugins: [endpoint, bridge, provider],
    config: {
      plugins: [
        'defaults',
        'mock',
        endpoint.name,
        bridge.name,
        { [provider.name]: { baseURL: `http://127.0.0.1:${upstream.port}/v1` } },
      ],
    },
    deps: { limits },
  })
})
afterAll(async () => {
  await gateway.close()
  await upstream.stop(true)
})

const TEXT = { model: 'mock', text: 'A long story' }

const send = (headers: Record<string, string>, body: object = TEXT): Promise<Response> =>
  fetch(`${gateway.url}/v1/summaries/plain`, {
    method: 'POST',
    headers: { 'x-gateway-api-key': API_KEY, ...headers },
    body: JSON.stringify(body),
  })

test('a provider that speaks the form gets the bytes as they came', async () => {
  const response = await send({ 'x-gateway-provider': 'example' })
  expect([response.status, await response.json()]).toEqual([200, { summary: 'short', theirs: true }])
  expect(asked).toEqual([`/v1/summaries ${JSON.stringify(TEXT)}`])
})

test('another is asked over the bridge, and what is lost is named', async () => {
  const response = await send({ 'x-gateway-provider': 'mock' }, { ...TEXT, tone: 'warm' })
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ summary: expect.stringMatching(/./) })
  expect(response.headers.get('x-gateway-dropped-params')).toBe('tone')
  expect(response.headers.get('x-gateway-summaries-via')).toBe('chat')
})

test('its body is checked, and another method is refused', async () => {
  const refused = await send({ 'x-gateway-provider': 'example' }, { model: 'm', text: 5 })
  expect([refused.status, await refused.json()]).toMatchObject([400, { error: { param: 'text' } }])
  const wrong = await fetch(`${gateway.url}/v2/summaries/plain`, { headers: { 'x-gateway-api-key': API_KEY } })
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST'])
})

test('it is limited by its own word, with its own texts', async () => {
  facts.length = 0
  forecasts = []
  left = 0
  const response = await send({ 'x-gateway-provider': 'example' }, { ...TEXT, max_tokens: 7 })
  left = Number.POSITIVE_INFINITY
  expect([response.status, facts.map(({ endpointType }) => endpointType)]).toEqual([429, ['summarise']])
  expect(forecasts).toEqual([{ inputTokens: Math.ceil(TEXT.text.length / 3), maxOutputTokens: 7 }])
})

test('its answers are kept, and recorded under its name', async () => {
  const config = { 'x-gateway-config': JSON.stringify({ provider: 'example', cache: { mode: 'simple' } }) }
  const statuses = []
  for (let calls = 0; calls < 2; calls++) {
    const response = await send(config)
    statuses.push([response.headers.get('x-gateway-cache-status'), await response.json()])
    const id = response.headers.get('x-gateway-request-id')
    expect(await gateway.record((each) => each.id === id)).toMatchObject({
      endpoint: 'summaries',
      route: '/v1/summaries/:style',
      provider: 'example',
    })
  }
  const answer = { summary: 'short', theirs: true }
  expect(statuses).toEqual([
    ['MISS', answer],
    ['HIT', answer],
  ])
})

test('it stands in the description of the interface', () => {
  const endpoints = gateway.gateway.runtime.endpoints.list()
  const { paths } = openapiDocument([], { version: '0.0.0', basePath: '', endpoints })
  expect(paths['/v1/summaries/{style}']?.post).toMatchObject({
    operationId: 'createSummary',
    'x-weir-aliases': ['/v2/summaries/{style}', '/openai/v1/summaries/{style}', '/summaries/{style}'],
    parameters: [{ name: 'style', in: 'path' }],
    requestBody: { content: { 'application/json': { schema: { required: ['model', 'text'] } } } },
  })
})

test('`weir routes` lists it with its chain', async () => {
  const folder = join(import.meta.dir, 'support')
  let out = ''
  const code = await runCli({
    arguments: ['routes', '--config', 'weir.yaml'],
    env: {},
    folder,
    out: async (text) => {
      out += text
    },
    error: () => undefined,
    readInput: () => Promise.resolve(''),
    onSignal: () => undefined,
  })
  expect(code).toBe(0)
  expect(out).toMatch(/^POST +\/v1\/summaries\/:style +logging > auth > config > /m)
})
