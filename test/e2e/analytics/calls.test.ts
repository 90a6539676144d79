import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type RunningGateway, startCommand } from '../../support/command.ts'
import { eventually } from '../../support/start-process.ts'
import { send } from '../management/support/http.ts'
import { ADMIN_KEY, API_KEY, openScene, type Scene, SLOW_MS } from '../management/support/scene.ts'
import { ask, chatAs } from './scene.ts'

/** How long a record may take until it is in an answer. */
const VISIBLE_MS = 5_000

const FALLBACK = JSON.stringify({
  strategy: { mode: 'fallback' },
  targets: [{ provider: 'mock', override_params: { model: 'mock:fault=overloaded' } }, { provider: 'mock' }],
})
const RETRY = JSON.stringify({ provider: 'mock', retry: { attempts: 2 } })
const CACHE = JSON.stringify({ provider: 'mock', cache: { mode: 'simple' } })

describe.each(['pglite', 'postgres'] as const)('analytics of a gateway with %s', (store) => {
  let scene: Scene
  let gateway: RunningGateway

  beforeAll(async () => {
    scene = await openScene({ store })
    gateway = await scene.start()
    const metadata = (labels: object) => ({ 'x-gateway-metadata': JSON.stringify(labels) })
    const calls = [
      await chatAs(gateway, { ...metadata({ _user: 'ann', team: 'red' }), 'x-gateway-trace-id': 'liked' }),
      await chatAs(gateway, metadata({ _user: 'ann', team: 'blue' })),
      await chatAs(gateway, metadata({ _user: 'bob' }), { stream: true }),
      await chatAs(gateway, {}, { mock: { fault: 'rate-limited' } }),
      await chatAs(gateway, { 'x-gateway-config': FALLBACK }),
      await chatAs(gateway, { 'x-gateway-config': RETRY }, { mock: { fault: 'overloaded', times: 1, key: 'once' } }),
      await chatAs(gateway, { 'x-gateway-config': CACHE }, { temperature: 0.5 }),
      await chatAs(gateway, { 'x-gateway-config': CACHE }, { temperature: 0.5 }),
    ]
    expect(calls.map(({ status }) => status)).toEqual([200, 200, 200, 429, 200, 200, 200, 200])
    const given = await send(`${gateway.url}/v1/feedback`, {
      method: 'POST',
      token: API_KEY,
      body: [
        { trace_id: 'liked', value: 10, weight: 0.5 },
        { trace_id: 'liked', value: -2 },
      ],
    })
    const [id] = given.body.feedback_ids as readonly string[]
    // At once, while it may still be on its way into the store.
    const changed = await send(`${gateway.url}/v1/feedback/${id}`, {
      method: 'PUT',
      token: API_KEY,
      body: { value: 6 },
    })
    expect([given.status, changed.status, changed.text]).toEqual([200, 200, changed.text])
    const isThere = async () =>
      (await totalOf('graphs/requests')) === calls.length && (await weighted()) === (6 - 2) / 2
    if (!(await eventually(isThere, VISIBLE_MS))) {
      throw new Error(`not all is there: ${JSON.stringify(await ask(gateway, 'groups/status_code'))}`)
    }
  }, SLOW_MS)
  afterAll(() => scene.close())

  const summary = async (path: string, more: Readonly<Record<string, string>> = {}) =>
    (await ask(gateway, path, more)).summary as Readonly<Record<string, number | null>>
  const totalOf = async (path: string) => (await summary(path)).total
  const weighted = async () => (await summary('graphs/feedbacks/weighted')).avg
  const rows = async (path: string, more: Readonly<Record<string, string>> = {}) =>
    (await ask(gateway, path, more)).data as readonly Readonly<Record<string, unknown>>[]

  test('every call counts once, however often it was tried', async () => {
    expect(await summary('graphs/errors')).toEqual({ total: 1 })
    expect(await summary('graphs/errors/status-codes')).toEqual({ total_errors: 1, unique_error_codes: 1 })
    expect(await summary('graphs/requests/rescued')).toEqual({ retry: 1, fallback: 1 })
    expect(await rows('groups/ai_service')).toMatchObject([{ ai_service: 'mock', requests: 8 }])
    expect(await rows('groups/status_code', { order_by: 'status_code' })).toMatchObject([
      { status_code: 429, requests: 1 },
      { status_code: 200, requests: 7 },
    ])
  })

  test('users, metadata and tokens are those of the calls', async () => {
    expect(await summary('graphs/users/requests')).toEqual({ total: 3, unique: 2, avg: 1.5 })
    expect(await rows('groups/users')).toMatchObject([
      { user: 'ann', requests: '2' },
      { user: 'bob', requests: '1' },
    ])
    const [red] = await rows('groups/metadata/team', { order_by: 'metadata_value' })
    expect(red).toMatchObject({ metadata_value: 'red', requests: 1, avg_tokens: 5, requests_with_feedback: 1 })
    expect(red?.avg_weighted_feedback).toBe(2)
    const tokens = await rows('groups/model', { columns: 'requests,total_tokens,avg_output_tokens' })
    expect(tokens.reduce((sum, row) => sum + Number(row.total_tokens), 0)).toBe((await totalOf('graphs/tokens')) ?? -1)
  })

  test('the cache is counted, and is faster', async () => {
    expect(await summary('graphs/cache/hit-rate')).toEqual({ total: 1, rate: 12.5 })
    const cache = await summary('summary/cache')
    expect(cache).toMatchObject({ hits: 1, total_requests: 8 })
  })

  test('latencies and the pace of streams were measured', async () => {
    const { avg, p50, p90, p99 } = await summary('graphs/latency')
    for (const value of [avg, p50, p90, p99]) expect(value).toBeGreaterThanOrEqual(0)
    expect(p99).toBeGreaterThanOrEqual(p50 ?? Number.NaN)
    expect((await summary('graphs/time-to-first-token')).p50).toBeGreaterThanOrEqual(0)
    expect((await summary('graphs/tokens-per-second')).avg).toBeGreaterThan(0)
  })

  test('feedback is joined by its trace', async () => {
    expect(await totalOf('graphs/feedbacks')).toBe(2)
    expect((await ask(gateway, 'graphs/feedbacks/scores')).data_points).toEqual([
      { score: -2, total: 1 },
      { score: 6, total: 1 },
    ])
    const { data_points: models } = await ask(gateway, 'graphs/feedbacks/ai-models')
    expect(models).toMatchObject([{ total: 2, avg_weighted_feedback: 2 }])
    expect(await summary('graphs/requests', { weighted_feedback_min: '2', weighted_feedback_max: '2' })).toEqual({
      total: 1,
    })
  })

  test('a key of the organisation sees all workspaces at once', async () => {
    const { data } = await ask(gateway, 'groups/workspace', {}, ADMIN_KEY)
    expect(data).toMatchObject([{ workspace: 'ws-default', requests: 8 }])
  })

  test(
    'a graph is the same after the gateway was killed and started again',
    async () => {
      const before = await ask(gateway, 'graphs/tokens')
      await chatAs(gateway, {})
      await gateway.stop('SIGKILL')
      gateway = await startCommand({ folder: scene.folder, env: scene.env })
      try {
        expect(await eventually(async () => (await totalOf('graphs/requests')) === 9, VISIBLE_MS)).toBe(true)
        const after = await summary('graphs/tokens')
        expect(after.total).toBe(Number((before.summary as { total: number }).total) + 5)
      } finally {
        await gateway.stop('SIGKILL')
      }
    },
    SLOW_MS,
  )
})
