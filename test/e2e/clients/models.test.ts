import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { jsonPlan } from '../../../plugins/providers/mock/plan.ts'
import { type MockServer, startMockServer } from '../../../plugins/providers/mock/server.ts'
import { API_KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts'

const KEY = 'sk-of-the-operator-0123456789abcdef'
const CLAUDE = { type: 'model', id: 'claude-x', display_name: 'Claude X', created_at: '2026-02-01T00:00:00Z' }
const GEMINI = { name: 'models/gemini-x', displayName: 'Gemini X', inputTokenLimit: 1_000_000 }

/** Anthropic's list and Google's, at paths of their own. */
const answer = ({ path, method }: { path: string; method: string }) => {
  const [place] = path.split('?')
  if (place === '/claude/models') {
    return jsonPlan(200, { data: [CLAUDE], has_more: false, first_id: CLAUDE.id, last_id: CLAUDE.id })
  }
  if (place === '/claude/models/claude-x') return jsonPlan(200, CLAUDE)
  if (place === '/gemini/models') return jsonPlan(200, { models: [GEMINI] })
  if (place === '/gemini/models/gemini-x') return jsonPlan(200, GEMINI)
  return place?.startsWith('/v1/') ? undefined : jsonPlan(404, { error: { message: `No ${method} ${path}` } })
}

let upstream: MockServer
let gateway: TestGateway
beforeAll(async () => {
  upstream = await startMockServer({ answer })
  gateway = await startTestGateway({
    config: {
      plugins: [
        'defaults',
        'mock',
        { openai: { baseURL: `${upstream.url}/v1`, apiKey: KEY, models: ['gpt-a', 'org/gpt-b'] } },
        { anthropic: { baseURL: `${upstream.url}/claude`, apiKey: KEY, models: ['claude-x'] } },
        { google: { baseURL: `${upstream.url}/gemini`, apiKey: KEY } },
      ],
    },
  })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

const headersFor = (provider: string | undefined): Record<string, string> =>
  provider === undefined ? {} : { 'x-gateway-provider': provider }

const openai = (provider?: string): OpenAI =>
  new OpenAI({ apiKey: API_KEY, baseURL: `${gateway.url}/v1`, maxRetries: 0, defaultHeaders: headersFor(provider) })
const anthropic = (provider?: string): Anthropic =>
  new Anthropic({ apiKey: API_KEY, baseURL: gateway.url, maxRetries: 0, defaultHeaders: headersFor(provider) })
const google = (provider?: string): GoogleGenAI =>
  new GoogleGenAI({ apiKey: API_KEY, httpOptions: { baseUrl: gateway.url, headers: headersFor(provider) } })

const caught = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )

interface Listed {
  readonly data: readonly { readonly id: string }[]
  readonly total?: number
  readonly error?: { readonly param?: string }
}

const fetched = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${gateway.url}${path}`, { headers: { 'x-gateway-api-key': API_KEY, ...headers } })
  return { status: response.status, body: (await response.json()) as Listed }
}

describe('the client of OpenAI', () => {
  test('lists what the named provider has, each in the form of the interface', async () => {
    const idsOf = async (provider: string) => (await openai(provider).models.list()).data.map(({ id }) => id)
    expect(await idsOf('openai')).toContain('mock-tools')
    expect(await idsOf('anthropic')).toEqual(['claude-x'])
    expect(await idsOf('google')).toEqual(['gemini-x'])
  })

  test('reads one model, of any provider', async () => {
    expect(await openai('openai').models.retrieve('mock')).toMatchObject({ id: 'mock', object: 'model' })
    expect(await openai().models.retrieve('@anthropic/claude-x')).toMatchObject({
      id: 'claude-x',
      object: 'model',
      created: 1_769_904_000,
      owned_by: 'anthropic',
    })
    expect(await openai('google').models.retrieve('gemini-x')).toMatchObject({ id: 'gemini-x', owned_by: 'google' })
    expect(await caught(openai('mock').models.retrieve('no-such'))).toMatchObject({ status: 404 })
    expect(await openai().models.retrieve('org/gpt-b')).toMatchObject({ id: '@openai/org/gpt-b', slug: 'org/gpt-b' })
  })

  test('deletes a model of its own where the provider can', async () => {
    expect(await openai('openai').models.delete('ft:gpt:me::1')).toEqual({
      id: 'ft:gpt:me::1',
      object: 'model',
      deleted: true,
    })
    expect(await caught(openai('anthropic').models.delete('claude-x'))).toMatchObject({
      status: 400,
      code: 'unsupported_endpoint',
    })
    expect(await caught(openai().models.delete('gpt-a'))).toMatchObject({ status: 400, code: 'provider_required' })
  })
})

describe('the own list', () => {
  test('has ids to call with, and the names that providers know', async () => {
    const { body } = await fetched('/v1/models?provider=openai')
    expect<unknown>(body).toEqual({
      object: 'list',
      data: [
        { id: '@openai/gpt-a', slug: 'gpt-a', canonical_slug: 'gpt-a' },
        { id: '@openai/org/gpt-b', slug: 'org/gpt-b', canonical_slug: 'org/gpt-b' },
      ].map((model) => ({ ...model, object: 'model', created: 0, owned_by: 'openai' })),
      total: 2,
    })
    expect((await fetched('/v1/models?ai_service=anthropic&provider=@anthropic')).body.total).toBe(1)
  })

  test('comes in parts and in order', async () => {
    const idsOf = async (query: string) => {
      const { body } = await fetched(`/v1/models?${query}`)
      return body.data.map(({ id }) => id)
    }
    const all = await idsOf('')
    expect(await idsOf('limit=2&offset=1')).toEqual(all.slice(1, 3))
    expect(await idsOf('order=desc')).toEqual(all.toReversed())
    expect((await idsOf('sort=provider&order=desc&limit=2')).sort()).toEqual(['@openai/gpt-a', '@openai/org/gpt-b'])
    expect(await idsOf('sort=ai_service&limit=1')).toEqual(['@anthropic/claude-x'])
    const { body } = await fetched('/v1/models?limit=2&sort=name&order=desc', { 'x-gateway-provider': 'openai' })
    const theirs = (await openai('openai').models.list()).data.map(({ id }) => id)
    expect(body.data.map(({ id }) => id)).toEqual(theirs.toSorted().toReversed().slice(0, 2))
    expect(body.total).toBe(theirs.length)
  })

  test.each(['limit=0', 'limit=x', 'offset=-1', 'sort=price', 'order=up'])('refuses %s by its name', async (query) => {
    for (const provider of [undefined, 'openai']) {
      const { status, body } = await fetched(`/v1/models?${query}`, headersFor(provider))
      expect([status, body.error?.param]).toEqual([400, query.split('=')[0]])
    }
  })
})

describe('the client of Anthropic', () => {
  test('lists and reads models as its provider shows them', async () => {
    const page = await anthropic('anthropic').models.list({ limit: 5 })
    expect(page.data).toEqual([CLAUDE] as never)
    expect(upstream.requests.at(-1)?.path).toBe('/claude/models?limit=5')
    expect(await anthropic('anthropic').models.retrieve('claude-x')).toEqual(CLAUDE as never)
  })

  test('has those of another provider and of Weir in the same form, page by page', async () => {
    const ids: string[] = []
    for await (const model of anthropic('openai').models.list({ limit: 2 })) ids.push(model.id)
    expect(ids).toEqual((await openai('openai').models.list()).data.map(({ id }) => id))
    const first = await anthropic().models.list({ limit: 1 })
    expect(first.data[0]).toMatchObject({ type: 'model', id: '@anthropic/claude-x', display_name: 'claude-x' })
    expect([first.has_more, first.first_id]).toEqual([true, '@anthropic/claude-x'])
    const second = await anthropic().models.list({ limit: 1, after_id: '@anthropic/claude-x' })
    const back = await anthropic().models.list({ limit: 1, before_id: second.data[0]?.id ?? '' })
    expect(back.data.map(({ id }) => id)).toEqual(['@anthropic/claude-x'])
    expect(await anthropic('openai').models.retrieve('mock')).toMatchObject({
      type: 'model',
      id: 'mock',
      created_at: '2026-01-01T00:00:00Z',
    })
    expect(await anthropic().models.retrieve('claude-x')).toMatchObject({ id: '@anthropic/claude-x' })
    expect(await caught(anthropic().models.list({ after_id: 'nobody' }))).toMatchObject({ status: 400 })
  })
})

describe('the client of Google', () => {
  test('lists and reads models of Google, of others, and of Weir', async () => {
    const namesOf = async (provider?: string) => {
      const names: (string | undefined)[] = []
      for await (const { name } of await google(provider).models.list({ config: { pageSize: 2 } })) names.push(name)
      return names
    }
    await fetched('/v1beta/models/veo/operations/op-1', { 'x-gateway-provider': 'google' })
    expect(upstream.requests.at(-1)?.path).toBe('/gemini/models/veo/operations/op-1')
    expect(await namesOf('google')).toEqual(['models/gemini-x'])
    expect(upstream.requests.at(-1)?.path).toBe('/gemini/models?pageSize=2')
    expect(await google('google').models.get({ model: 'gemini-x' })).toMatchObject({ inputTokenLimit: 1_000_000 })
    const { data } = await openai('openai').models.list()
    expect(await namesOf('openai')).toEqual(data.map(({ id }) => `models/${id}`))
    expect(await google('openai').models.get({ model: 'mock' })).toMatchObject({ name: 'models/mock' })
    const plain = await fetched('/v1beta/models?pageSize=1')
    expect<unknown>(plain.body).toMatchObject({ models: [{ name: 'models/@anthropic/claude-x' }], nextPageToken: '1' })
    expect((await fetched('/v1beta/models?pageToken=x')).status).toBe(400)
    expect(await namesOf()).toContain('models/@openai/org/gpt-b')
    const own = await google().models.get({ model: 'models/org/gpt-b' })
    expect(own).toMatchObject({ name: 'models/@openai/org/gpt-b', displayName: 'org/gpt-b' })
  })
})
