import { describe, expect, test } from 'bun:test'
import type { SemanticIndex } from '#core/ports'
import { fromPieces, type Host, openaiCompatible, type UpstreamRequest } from '#kit'
import { type CacheAsk, type CacheWorld, cacheWorld, completion, jsonAnswer } from '../../../test/support/caching.ts'

const ASK_BY_MEANING = { cache: { mode: 'semantic', maxAgeSeconds: 3_600 } } as const

const EMBEDDER = openaiCompatible({
  id: 'embedder',
  baseURL: 'https://embedder.example/v1',
  apiKey: 'sk-operator',
  endpoints: ['embeddings'],
})

/** Two words that mean the same have the same first letter; how alike, the second number says. */
const vectorFor = (text: string): number[] => (text.startsWith('h') ? [1, text.length / 1_000] : [0, 1])

interface Added {
  readonly scope: string
  readonly vector: readonly number[]
  readonly key: string
  readonly ttlSeconds: number
}

const memoryIndex = (added: Added[]): SemanticIndex => ({
  nearest: async (scope, vector) => {
    const near = added.filter((each) => each.scope === scope)
    const alike = (other: readonly number[]): number => 1 - Math.abs((vector[0] ?? 0) - (other[0] ?? 0))
    const [best] = near.toSorted((one, other) => alike(other.vector) - alike(one.vector))
    return best && { key: best.key, similarity: alike(best.vector) }
  },
  add: async (scope, vector, key, ttlSeconds) => void added.push({ scope, vector, key, ttlSeconds }),
})

interface SemanticWorld extends CacheWorld {
  readonly added: Added[]
  readonly sent: UpstreamRequest[]
  say(content: string, options?: CacheAsk): Promise<string | undefined>
}

const semanticWorld = async (
  settings: Record<string, unknown> = {},
  overrides: Partial<Host> = {},
): Promise<SemanticWorld> => {
  const added: Added[] = []
  const sent: UpstreamRequest[] = []
  const world = await cacheWorld(
    { embeddings: { provider: 'embedder', model: 'e-1' }, ...settings },
    {
      semanticIndex: memoryIndex(added),
      providers: { get: (id) => (id === 'embedder' ? EMBEDDER : undefined), list: () => [EMBEDDER] },
      upstream: {
        send: async (request) => {
          sent.push(request)
          const { input } = JSON.parse(String(request.body))
          const bytes = new TextEncoder().encode(JSON.stringify({ data: [{ embedding: vectorFor(input) }] }))
          return { status: 200, headers: new Headers(), body: fromPieces([bytes]) }
        },
      },
      ...overrides,
    },
  )
  const say = (content: string, options: CacheAsk = {}) =>
    world.status({
      body: { model: 'm-1', messages: [{ role: 'user', content }] },
      ...options,
      to: { ...ASK_BY_MEANING, ...options.to },
    })
  return { ...world, added, sent, say }
}

describe('a question in other words', () => {
  test('gets the answer, and is then found by its own words', async () => {
    const world = await semanticWorld()
    expect(await world.say('hello')).toBe('SEMANTIC MISS')
    expect(await world.say('hi there')).toBe('SEMANTIC HIT')
    expect(await world.say('goodbye')).toBe('SEMANTIC MISS')
    expect(world.sent).toHaveLength(3)
    expect(await world.say('hi there')).toBe('HIT')
    expect([world.sent.length, world.asked()]).toEqual([3, 2])
    expect(world.added.map(({ ttlSeconds }) => ttlSeconds)).toEqual([3_600, 3_600])
  })

  test('asks the provider of embeddings with the key of the operator', async () => {
    const world = await semanticWorld({ embeddings: { provider: 'embedder', model: 'e-1', dimensions: 64 } })
    await world.say('hello')
    const [request] = world.sent
    expect([request?.method, request?.url]).toEqual(['POST', 'https://embedder.example/v1/embeddings'])
    expect(request?.headers.get('authorization')).toBe('Bearer sk-operator')
    expect(JSON.parse(String(request?.body))).toEqual({ model: 'e-1', input: 'hello', dimensions: 64 })
  })

  test('does not outlive the answer', async () => {
    const world = await semanticWorld()
    await world.say('hello')
    world.host.advance(3_000_000)
    expect(await world.say('hi')).toBe('SEMANTIC HIT')
    world.host.advance(601_000)
    expect(await world.say('hi')).toBe('SEMANTIC MISS')
  })

  test('must be as alike as the operator says', async () => {
    const alike = (similarity: number) =>
      semanticWorld(
        {},
        { semanticIndex: { nearest: async () => ({ key: 'k', similarity }), add: async () => undefined } },
      )
    const status = async (similarity: number) => {
      const world = await alike(similarity)
      let read = ''
      world.host.cache.set('k', new Uint8Array(), 60)
      const { get } = world.host.cache
      Object.assign(world.host.cache, {
        get: (key: string) => {
          read += key === 'k' ? 'k' : ''
          return get(key)
        },
      })
      await world.say('hello')
      return read
    }
    expect([await status(0.949), await status(0.95)]).toEqual(['', 'k'])
  })

  test('is refreshed by force, for both ways to find it', async () => {
    const world = await semanticWorld()
    await world.say('hello')
    expect(await world.say('hello', { headers: { 'x-gateway-cache-force-refresh': 'true' } })).toBe('REFRESH')
    expect(world.added).toHaveLength(2)
  })
})

describe('never alike are', () => {
  const first = { model: 'm-1', messages: [{ role: 'user', content: 'hello' }] }
  const status = async (one: CacheAsk, other: CacheAsk): Promise<string | undefined> => {
    const world = await semanticWorld()
    const ask = (options: CacheAsk) =>
      world.status({ body: first, ...options, to: { ...ASK_BY_MEANING, ...options.to } })
    expect(await ask(one)).toBe('SEMANTIC MISS')
    return ask(other)
  }
  const said = (content: unknown, ...before: readonly unknown[]) => ({
    body: { model: 'm-1', messages: [...before, { role: 'user', content }] },
  })
  const turn = [
    { role: 'user', content: 'a' },
    { role: 'assistant', content: 'b' },
  ]

  test('questions of different tenants, targets, labels and parameters', async () => {
    const other = said('hi')
    expect(await status({}, other)).toBe('SEMANTIC HIT')
    const different: CacheAsk[] = [
      { ...other, tenant: { workspaceId: 'workspace-2' } },
      { ...other, tenant: { organisationId: 'organisation-2' } },
      { ...other, metadata: { team: 'a' } },
      { ...other, headers: { 'x-gateway-cache-namespace': 'n' } },
      { ...other, to: { apiKey: 'sk-2' } },
      { ...other, to: { strict: false } },
      { ...other, to: { ownFinishReason: true } },
      { body: { ...other.body, temperature: 1 } },
      { body: { ...other.body, model: 'm-2' } },
    ]
    for (const each of different) expect([each, await status({}, each)]).toEqual([each, 'SEMANTIC MISS'])
  })

  test('questions after different messages, but for a system message at the beginning', async () => {
    expect(await status(said('hello', { role: 'system', content: 'a' }), said('hi'))).toBe('SEMANTIC HIT')
    expect(await status(said('hello', ...turn), said('hi', ...turn))).toBe('SEMANTIC HIT')
    expect(await status(said('hello', ...turn), said('hi'))).toBe('SEMANTIC MISS')
    expect(await status(said('hello', ...turn), said('hi', turn[0], { role: 'assistant', content: 'c' }))).toBe(
      'SEMANTIC MISS',
    )
  })

  test('questions with different pictures', async () => {
    const withPicture = (text: string, url: string) =>
      said([
        { type: 'text', text },
        { type: 'image_url', image_url: { url } },
      ])
    expect(await status(withPicture('hello', 'u-1'), withPicture('hi', 'u-1'))).toBe('SEMANTIC HIT')
    expect(await status(withPicture('hello', 'u-1'), withPicture('hi', 'u-2'))).toBe('SEMANTIC MISS')
  })
})

describe('works as the simple cache', () => {
  const user = { role: 'user', content: 'hello' }

  test.each([
    ['a request of five messages', { messages: Array.from({ length: 5 }, () => user) }],
    ['one without a user', { messages: [{ role: 'system', content: 'hello' }] }],
    ['one without words of the user', { messages: [{ role: 'user', content: [{ type: 'image_url' }] }] }],
    ['one that is too long', { messages: [{ role: 'user', content: 'hello'.repeat(6_000) }] }],
    ['one without messages', {}],
  ])('for %s', async (_name, body) => {
    const world = await semanticWorld()
    expect(await world.status({ body: { model: 'm-1', ...body }, to: ASK_BY_MEANING })).toBe('MISS')
    expect(await world.status({ body: { model: 'm-1', ...body }, to: ASK_BY_MEANING })).toBe('HIT')
    expect(world.sent).toHaveLength(0)
  })

  test('for embeddings, and for a config that asks for `simple`', async () => {
    const world = await semanticWorld()
    const provider = () => jsonAnswer({ data: [] })
    expect(await world.status({ endpoint: 'embeddings', provider, to: ASK_BY_MEANING })).toBe('MISS')
    expect(await world.say('hello', { to: { cache: { mode: 'simple', maxAgeSeconds: 60 } } })).toBe('MISS')
    expect(world.sent).toHaveLength(0)
  })

  test('where embeddings are not set up', async () => {
    const world = await cacheWorld({}, { semanticIndex: memoryIndex([]) })
    expect(await world.status({ to: ASK_BY_MEANING })).toBe('MISS')
    expect(await world.status({ to: ASK_BY_MEANING })).toBe('HIT')
  })

  test.each<[string, Record<string, unknown>, Partial<Host>]>([
    ['the provider of embeddings fails', {}, { upstream: { send: () => Promise.reject(new Error('secret')) } }],
    ['it does not run', { embeddings: { provider: 'nobody', model: 'e-1' } }, {}],
    ['it is not stored', { embeddings: { provider: '@nobody', model: 'e-1' } }, {}],
  ])('while %s, and says so once a minute without a word of the call', async (_name, settings, overrides) => {
    const world = await semanticWorld(settings, overrides)
    expect(await world.say('hello')).toBe('MISS')
    expect(await world.say('hi')).toBe('MISS')
    expect(await world.say('hello')).toBe('HIT')
    expect(world.host.logLines).toHaveLength(1)
    expect(JSON.stringify(world.host.logLines)).not.toMatch(/secret|hello/)
    world.host.advance(60_000)
    await world.say('hey')
    expect(world.host.logLines).toHaveLength(2)
  })

  test.each([
    ['no numbers', '[null]'],
    ['numbers that four bytes do not hold', '[1e300,1]'],
    ['nothing', '[]'],
    ['an object', '{"0":1,"length":1}'],
    ['more of them than any model makes', `[${'1,'.repeat(16_000)}1]`],
  ])('where the vector is %s', async (_what, vector) => {
    const body = fromPieces([new TextEncoder().encode(`{"data":[{"embedding":${vector}}]}`)])
    const world = await semanticWorld(
      {},
      { upstream: { send: async () => ({ status: 200, headers: new Headers(), body }) } },
    )
    expect(await world.say('hello')).toBe('MISS')
    expect([world.added, world.host.logLines.length]).toEqual([[], 1])
  })

  test('while the index fails', async () => {
    const fails = () => Promise.reject(new Error('away'))
    const world = await semanticWorld({}, { semanticIndex: { nearest: fails, add: fails } })
    expect(await world.say('hello')).toBe('SEMANTIC MISS')
    expect(await world.say('hello')).toBe('HIT')
    expect(world.host.logLines).toHaveLength(1)
  })
})

test('embeddings come from the stored provider of the workspace, by its key and its host', async () => {
  const stored = {
    slug: 'mine',
    providerId: 'embedder',
    apiKey: 'sk-stored',
    allows: () => true,
    forModel: () => ({ settings: {}, headers: { 'x-team': 'a' }, customHost: 'https://stored.example/v1/' }),
  }
  const found: string[] = []
  const world = await semanticWorld(
    { embeddings: { provider: '@mine', model: 'e-1' } },
    {
      stored: {
        find: (workspaceId, slug) => {
          found.push(`${workspaceId}/${slug}`)
          return stored
        },
        models: () => [],
      },
    },
  )
  expect(await world.say('hello', { provider: () => jsonAnswer(completion()) })).toBe('SEMANTIC MISS')
  const [request] = world.sent
  expect(found).toEqual(['workspace-1/mine'])
  expect([request?.url, request?.headers.get('authorization'), request?.headers.get('x-team')]).toEqual([
    'https://stored.example/v1/embeddings',
    'Bearer sk-stored',
    'a',
  ])
})
