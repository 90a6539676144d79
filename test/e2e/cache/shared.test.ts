import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { CallAccount, RateLimits } from '#core/limits'
import { definePlugin, openaiCompatible, t } from '#kit'
import { createRedisCache } from '../../../src/cache/redis-cache.ts'
import type { KeyDirectory } from '../../../src/kit/plugin.ts'
import { connectRedis, type RedisConnection } from '../../../src/store/redis.ts'
import { WORKSPACE_SERVICE_SCOPES } from '../../../src/store/scopes.ts'
import { startTestGateway, type TestGateway } from '../../support/gateway.ts'
import { testServices } from '../../support/services.ts'

const KEY_1 = 'test-key-of-workspace-1-0123456789abcdef'
const KEY_2 = 'test-key-of-workspace-2-0123456789abcdef'

const secret = new Uint8Array(32).fill(7)

const keys: KeyDirectory = {
  find: (key) => {
    const workspaceId = new Map([
      [KEY_1, 'workspace-1'],
      [KEY_2, 'workspace-2'],
    ]).get(key)
    if (workspaceId === undefined) return undefined
    const scopes = new Set(WORKSPACE_SERVICE_SCOPES)
    const organisationId = 'organisation-1'
    return {
      principal: { keyId: workspaceId, keyName: 'key', kind: 'workspace-service', organisationId, workspaceId, scopes },
    }
  },
}

/** Calls that limits counted. */
let charged = 0
const account: CallAccount = {
  admit: () => {
    charged++
  },
  attemptEnded: () => undefined,
  settle: () => undefined,
  charge: () => [],
  held: () => [],
  headers: () => new Map(),
  shadowRefusals: [],
}
const limits: RateLimits = { open: () => account, dryRun: () => Promise.reject(new Error('no dry run')) }

/** Bodies that the provider got. */
const asked: Record<string, unknown>[] = []
let provider: Bun.Server<undefined>
let redis: RedisConnection
let first: TestGateway
let second: TestGateway

const answerTo = (body: Record<string, unknown>): Response => {
  const common = { id: `chatcmpl-${asked.length}`, created: 1, model: 'm-1-2026' }
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
  if (body.stream !== true) {
    const message = { role: 'assistant', content: 'Hello there' }
    return Response.json({
      ...common,
      object: 'chat.completion',
      choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
      usage,
    })
  }
  const chunk = (delta: unknown, finishReason: string | null = null) => ({
    ...common,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  })
  const chunks = [
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'Hello ' }),
    chunk({ content: 'there' }),
    chunk({}, 'stop'),
    { ...common, object: 'chat.completion.chunk', choices: [], usage },
  ]
  const events = chunks.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')
  return new Response(`${events}data: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } })
}

beforeAll(async () => {
  provider = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const body = (await request.json()) as Record<string, unknown>
      asked.push(body)
      return answerTo(body)
    },
  })
  const acme = definePlugin({
    name: 'acme',
    config: t.Object({}),
    setup: () => ({
      providers: [
        openaiCompatible({
          id: 'acme',
          baseURL: `http://127.0.0.1:${provider.port}/v1`,
          needsKey: false,
          streamUsage: true,
        }),
      ],
    }),
  })
  redis = await connectRedis(testServices().redisUrl, { timeoutMs: 5_000, onError: () => undefined })
  const prefix = `test-answer:${crypto.randomUUID()}:`
  const start = () => {
    const cache = createRedisCache({
      client: redis.client,
      secret,
      now: () => performance.now(),
      prefix,
      deadlineMs: 2_000,
    })
    return startTestGateway({ plugins: [acme], keys, deps: { cache, limits } })
  }
  first = await start()
  second = await start()
})

afterAll(async () => {
  await first.close()
  await second.close()
  await redis.close()
  await provider.stop(true)
})

beforeEach(() => {
  asked.length = 0
  charged = 0
})

interface Send {
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly more?: Readonly<Record<string, unknown>>
}

const CONFIG = JSON.stringify({ provider: 'acme', cache: { mode: 'simple', max_age: 60 } })

const send = async (gateway: TestGateway, question: string, { key = KEY_1, headers = {}, more = {} }: Send = {}) => {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'x-gateway-api-key': key, 'x-gateway-config': CONFIG, ...headers },
    body: JSON.stringify({ model: 'm-1', messages: [{ role: 'user', content: question }], ...more }),
  })
  const text = await response.text()
  return { status: response.headers.get('x-gateway-cache-status'), text, response }
}

/** Asks until the answer has come to the store: it is written behind the answer. */
const sendUntilHit = async (...given: Parameters<typeof send>): ReturnType<typeof send> => {
  for (let tries = 0; tries < 200; tries++) {
    const reply = await send(...given)
    if (reply.status === 'HIT') return reply
    await Bun.sleep(5)
  }
  throw new Error('there was no hit')
}

describe('two gateways on one Redis', () => {
  test('a stream through the one is an answer of the other, in every form', async () => {
    let question = ''
    let plain: Awaited<ReturnType<typeof send>> | undefined
    // A store that answered late once, on a busy machine, is left alone for a second: calls go to the provider then.
    for (let tries = 0; plain === undefined && tries < 5; tries++) {
      question = crypto.randomUUID()
      const before = asked.length
      const streamed = await send(first, question, { more: { stream: true } })
      expect([streamed.status, streamed.response.status, asked.length]).toEqual(['MISS', 200, before + 1])
      const hit = await sendUntilHit(second, question)
      if (asked.length <= before + 2) plain = hit
    }
    if (plain === undefined) throw new Error('the answer of the stream never was the one of the other')
    expect(JSON.parse(plain.text)).toMatchObject({
      object: 'chat.completion',
      model: 'm-1-2026',
      choices: [{ message: { role: 'assistant', content: 'Hello there' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
    })
    const replayed = await send(first, question, { more: { stream: true, stream_options: { include_usage: true } } })
    expect([replayed.status, replayed.response.headers.get('content-type')]).toEqual([
      'HIT',
      'text/event-stream; charset=utf-8',
    ])
    const id = JSON.parse(plain.text).id
    const events = replayed.text.split('\n\n').filter((event) => event !== '')
    expect(events.at(-1)).toBe('data: [DONE]')
    const chunks = events.slice(0, -1).map((event) => JSON.parse(event.slice(6)))
    expect(new Set(chunks.map((chunk) => chunk.id))).toEqual(new Set([id]))
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe('Hello there')
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 5 } })
    const without = await send(first, question, { more: { stream: true } })
    expect([without.status, without.text.includes('"usage"')]).toEqual(['HIT', false])
  })

  test('a hit costs no call, no budget and no tokens, and the log says what it saved', async () => {
    const question = crypto.randomUUID()
    await send(first, question)
    await sendUntilHit(second, question)
    const [calls, counted] = [asked.length, charged]
    expect(counted).toBe(calls)
    const hit = await send(second, question)
    expect([hit.status, asked.length, charged]).toEqual(['HIT', calls, counted])
    expect(hit.response.headers.get('x-gateway-provider')).toBe('acme')
    const id = hit.response.headers.get('x-gateway-request-id')
    const record = await second.record((each) => each.id === id)
    expect(record).toMatchObject({
      provider: 'acme',
      model: 'm-1',
      cache_status: 'HIT',
      cached: true,
      tokens_saved: 5,
      status: 200,
      outcome: 'completed',
    })
    expect(record.usage).toBeUndefined()
  })

  test('never answers another workspace', async () => {
    const question = crypto.randomUUID()
    await send(first, question)
    await sendUntilHit(second, question)
    const other = await send(second, question, { key: KEY_2 })
    expect(other.status).toBe('MISS')
    const namespaced = await send(second, question, { headers: { 'x-gateway-cache-namespace': 'mine' } })
    expect(namespaced.status).toBe('MISS')
    const labelled = await send(second, question, { headers: { 'x-gateway-metadata': '{"team":"a"}' } })
    expect(labelled.status).toBe('MISS')
  })

  test('a forced refresh replaces the answer for both', async () => {
    const question = crypto.randomUUID()
    await send(first, question)
    const old = await sendUntilHit(second, question)
    const fresh = await send(second, question, { headers: { 'x-gateway-cache-force-refresh': 'true' } })
    expect(fresh.status).toBe('REFRESH')
    const { id } = JSON.parse(fresh.text)
    expect(id).not.toBe(JSON.parse(old.text).id)
    for (let tries = 0; tries < 200; tries++) {
      if (JSON.parse((await send(first, question)).text).id === id) return
      await Bun.sleep(5)
    }
    throw new Error('the new answer did not come')
  })

  test('a call that asks for no cache says so', async () => {
    const reply = await send(first, crypto.randomUUID(), { headers: { 'x-gateway-config': '{"provider":"acme"}' } })
    expect(reply.status).toBe('DISABLED')
  })

  test('identical calls at once are one', async () => {
    const question = crypto.randomUUID()
    const replies = await Promise.all(Array.from({ length: 20 }, () => send(first, question)))
    expect(asked).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 'HIT')).toHaveLength(19)
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  })
})

test('without its store a gateway answers as if nothing was kept, and says so once', async () => {
  const away = await connectRedis(testServices().redisUrl, { timeoutMs: 5_000, onError: () => undefined })
  await away.close()
  let told = 0
  const cache = createRedisCache({ client: away.client, secret, now: () => performance.now(), onError: () => told++ })
  const acme = first.gateway.runtime.providers.find(({ id }) => id === 'acme')
  if (acme === undefined) throw new Error('the provider does not run')
  const plugin = definePlugin({ name: 'acme', config: t.Object({}), setup: () => ({ providers: [acme] }) })
  const alone = await startTestGateway({ plugins: [plugin], keys, deps: { cache } })
  try {
    const question = crypto.randomUUID()
    for (let time = 0; time < 3; time++) {
      const reply = await send(alone, question)
      expect([reply.response.status, reply.status]).toEqual([200, 'MISS'])
    }
    expect([asked.length, told]).toEqual([3, 1])
  } finally {
    await alone.close()
  }
})
