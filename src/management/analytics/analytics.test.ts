import { beforeAll, describe, expect, test } from 'bun:test'
import { expectError, paramOf } from '../../../test/conformance/management/expect-error.ts'
import { caller, createWorld, type World } from '../../../test/conformance/management/world.ts'
import { createFold } from '../../../test/support/records/fold.ts'
import { aRecord, costOf } from '../../../test/support/records/record.ts'
import { batchOf } from '../../../test/support/records/samples.ts'
import type { CallRecord, FeedbackRecord } from '../../core/records.ts'
import { TooManyGroups } from '../../records/query/merge.ts'
import { StoreUnavailable } from '../../store/errors.ts'
import { describeOnBothStores } from '../../store/testing.ts'
import { analyticsRoutes } from './routes.ts'

const CENT = 10_000_000_000
/** The hour that the records are in, and the one after it. */
const START = '2026-11-20T10:00:00.000Z'
const SECOND = '2026-11-20T11:00:00.000Z'
const WINDOW = `time_of_generation_min=${START}&time_of_generation_max=2026-11-20T12:00:00Z`
const NOW = Date.parse('2026-11-22T12:00:00Z')
const at = (minutes: number): number => (Date.parse(START) + minutes * 60_000) * 1000

describeOnBothStores('analytics', (store) => {
  let world: World

  beforeAll(async () => {
    const fold = createFold()
    world = await createWorld(
      store(),
      analyticsRoutes({ now: () => NOW, records: fold, retentionDays: ({ workspaceId }) => (workspaceId ? 30 : 60) }),
    )
    const { organisationId, first, second } = world.ours
    const own = { organisationId, workspaceId: first.id }
    const hit = { cacheStatus: 'HIT', cost: costOf(0), savedCost: 3 * CENT, attempts: 0, totalUs: 4_000 } as const
    const failed = { success: false, outcome: 'failed', model: 'claude', provider: 'anthropic' } as const
    const records: readonly Partial<CallRecord>[] = [
      {
        time: at(1),
        cost: costOf(1.25 * CENT),
        totalTokens: 10,
        outputTokens: 5,
        metadata: { _user: 'ann', team: 'red' },
      },
      {
        time: at(2),
        cost: costOf(0.5 * CENT),
        totalTokens: 30,
        metadata: { _user: 'ann', team: 'blue' },
        traceId: 'liked',
      },
      { time: at(3), unpriced: true, totalTokens: 5, metadata: { _user: 'bob' }, model: 'house', totalUs: 2_000_000 },
      { time: at(4), ...hit, metadata: { team: 'red' }, traceId: 'liked' },
      { time: at(5), ...failed, status: 429 },
      { time: at(61), ...failed, status: 500, storedProvider: 'team-anthropic' },
      { time: at(62), ...hit, cacheStatus: 'SEMANTIC HIT', savedCost: CENT },
      { time: at(63), retries: 2, attempts: 3 },
      { time: at(64), retries: 1, attempts: 3, fallback: true, configSlug: 'pc-one' },
      { time: at(65), stream: true, totalUs: 3_000_000, firstByteUs: 1_000_000, outputTokens: 50 },
      { time: at(63), kind: 'attempt', attempt: 1, status: 500, success: false },
      { time: at(120), status: 500, success: false },
      { time: at(10), workspaceId: second.id, cost: costOf(7 * CENT) },
      { time: at(10), organisationId: world.theirs.organisationId, workspaceId: world.theirs.first.id },
    ]
    const opinion = (id: string, minutes: number, value: number, weight: number, traceId: string): FeedbackRecord => ({
      id,
      time: at(minutes),
      ...own,
      traceId,
      value,
      weight,
      metadata: {},
    })
    await fold.write(
      batchOf({
        records: records.map((changes) => aRecord({ ...own, ...changes })),
        feedback: [
          opinion('1', 6, 2, 1, 'liked'),
          opinion('1', 7, 10, 0.5, 'liked'),
          opinion('2', 70, -4, 1, 'liked'),
          opinion('3', 71, 1, 1, 'of nobody'),
        ],
      }),
    )
  })

  const get = (path: string, token = world.ours.first.serviceKey) =>
    world.call({ method: 'GET', path: `/analytics/${path}`, token })
  const answer = async (path: string, token?: string) => {
    const { status, text, body } = await get(`${path}${path.includes('?') ? '&' : '?'}${WINDOW}`, token)
    expect({ path, status, text }).toMatchObject({ status: 200 })
    return body
  }
  const graph = async (name: string) => {
    const { object, summary, data_points: points } = await answer(`graphs/${name}?interval=1h`)
    expect(object).toBe('analytics-graph')
    return [summary, ...(points as readonly unknown[])]
  }
  const series = (summary: object, first: object, second: object) => [
    summary,
    { timestamp: START, ...first },
    { timestamp: SECOND, ...second },
  ]
  const ranking = async (name: string) => {
    const { summary, data_points: points } = await answer(`graphs/${name}`)
    return [summary, ...(points as readonly unknown[])]
  }
  const group = async (name: string, token?: string) => {
    const { object, total, data } = await answer(`groups/${name}`, token)
    expect(object).toBe('list')
    const rows = (data as readonly Readonly<Record<string, unknown>>[]).map(({ object: kind, ...row }) => {
      expect(kind).toBe('analytics-group')
      return row
    })
    return { total, rows }
  }

  test('requests, errors, tokens and users are counted by the hour, and in all', async () => {
    expect(await graph('requests')).toEqual(series({ total: 10 }, { total: 5 }, { total: 5 }))
    expect(await graph('errors')).toEqual(series({ total: 2 }, { total: 1 }, { total: 1 }))
    expect(await graph('errors/rate')).toEqual(series({ rate: 20 }, { rate: 20 }, { rate: 20 }))
    expect(await graph('tokens')).toEqual(series({ total: 45, avg: 4.5 }, { total: 45, avg: 9 }, { total: 0, avg: 0 }))
    expect(await graph('users')).toEqual(series({ total: 2 }, { total: 2 }, { total: 0 }))
    expect(await graph('users/requests')).toEqual(series({ total: 3, unique: 2, avg: 1.5 }, { avg: 1.5 }, { avg: 0 }))
  })

  test('costs are cents; those that are not known are counted, and in no mean', async () => {
    const unpriced = { total: 1.75, avg: 0.1944444444, unpriced_requests: 1 }
    expect(await graph('cost')).toEqual(series(unpriced, { total: 1.75, avg: 0.4375 }, { total: 0, avg: 0 }))
  })

  test('latencies are milliseconds, and null where there is nothing', async () => {
    const [summary, first] = (await graph('latency')) as readonly Record<string, unknown>[]
    expect(summary).toEqual({ avg: 1101, p50: 1000, p90: 2000, p99: 3000 })
    expect(first).toEqual({ timestamp: START, avg: 1001, p50: 1000, p90: 2000, p99: 2000 })
    const spread = { avg: 1000, p50: 1000, p90: 1000, p99: 1000 }
    const nothing = { avg: null, p50: null, p90: null, p99: null }
    expect(await graph('time-to-first-token')).toEqual(series(spread, nothing, spread))
    expect(await graph('tokens-per-second')).toEqual(series({ avg: 25 }, { avg: 0 }, { avg: 25 }))
    const hits = { timestamp: START, avg: 4 }
    expect(await graph('cache/latency')).toEqual([{}, hits, { ...hits, timestamp: SECOND }])
  })

  test('errors by status, over time and without', async () => {
    const stats = (code: number) => ({ stats: [{ response_status_code: code, count: 1 }] })
    expect(await graph('errors/stacks')).toEqual(series({ total: 2 }, stats(429), stats(500)))
    expect(await ranking('errors/status-codes')).toEqual([
      { total_errors: 2, unique_error_codes: 2 },
      { status_code: 429, count: 1 },
      { status_code: 500, count: 1 },
    ])
  })

  test('a call that needed a retry and a fallback was rescued once', async () => {
    expect(await graph('requests/rescued')).toEqual(
      series(
        { retry: 1, fallback: 1 },
        { retry: [], fallback: 0 },
        { retry: [{ retry_success_count: 2, count: 1 }], fallback: 1 },
      ),
    )
  })

  test('what the cache saved adds up over the window', async () => {
    const point = (simple: number, semantic: number, saved: number) => ({
      simple_hits: simple,
      semantic_hits: semantic,
      rate: 20,
      cumulative_simple_cache_savings: 3,
      cumulative_semantic_cache_savings: saved,
    })
    expect(await graph('cache/hit-rate')).toEqual(series({ total: 2, rate: 20 }, point(1, 0, 0), point(0, 1, 1)))
    expect(await answer('summary/cache')).toEqual({
      summary: { hits: 2, avg_latency: 4, total_requests: 10, cache_speedup: 99.71 },
      object: 'analytics-summary',
    })
  })

  test('feedback counts once, with its last word, for each model of its trace', async () => {
    expect(await graph('feedbacks')).toEqual(series({ total: 3 }, { total: 1 }, { total: 2 }))
    expect(await graph('feedbacks/weighted')).toEqual(series({ avg: 0.67 }, { avg: 5 }, { avg: -1.5 }))
    expect(await ranking('feedbacks/scores')).toEqual([
      { total: 3 },
      { score: -4, total: 1 },
      { score: 1, total: 1 },
      { score: 10, total: 1 },
    ])
    expect(await ranking('feedbacks/ai-models')).toEqual([
      {},
      { ai_model: 'gpt-5.2', total: 2, avg_weighted_feedback: 0.5 },
    ])
  })

  test('groups of users and models are texts, as they are declared', async () => {
    expect(await group('users')).toEqual({
      total: 2,
      rows: [
        { user: 'ann', requests: '2', cost: '1.75' },
        { user: 'bob', requests: '1', cost: '0' },
      ],
    })
    expect(await group('ai-models')).toEqual({
      total: 3,
      rows: [
        { ai_model: 'gpt-5.2', requests: '7' },
        { ai_model: 'claude', requests: '2' },
        { ai_model: 'house', requests: '1' },
      ],
    })
  })

  test('groups of a metadata key tell of feedback too', async () => {
    const seen = (minutes: number) => new Date(at(minutes) / 1000).toISOString()
    expect(await group('metadata/team?order_by=metadata_value&order_by_type=asc')).toEqual({
      total: 2,
      rows: [
        {
          metadata_value: 'blue',
          requests: 1,
          cost: 0.5,
          avg_tokens: 30,
          avg_weighted_feedback: 0.5,
          requests_with_feedback: 1,
          last_seen: seen(2),
        },
        {
          metadata_value: 'red',
          requests: 2,
          cost: 1.25,
          avg_tokens: 10,
          avg_weighted_feedback: 0.5,
          requests_with_feedback: 1,
          last_seen: seen(4),
        },
      ],
    })
    expect(await group('metadata/nonsense')).toEqual({ total: 0, rows: [] })
  })

  test('groups have the columns, order and page that are asked for', async () => {
    expect(await group('provider')).toEqual({
      total: 2,
      rows: [
        { provider: 'openai', requests: 8 },
        { provider: 'anthropic', requests: 2 },
      ],
    })
    expect((await group('status_code?columns=requests,error_count&order_by=status_code')).rows).toEqual([
      { status_code: 500, requests: 1, error_count: 1 },
      { status_code: 429, requests: 1, error_count: 1 },
      { status_code: 200, requests: 8, error_count: 0 },
    ])
    const model = await group('model?columns=p99_latency,success_rate,cache_hit_rate&order_by=cost&page_size=1')
    expect(model).toEqual({
      total: 3,
      rows: [{ model: 'gpt-5.2', p99_latency: 3000, success_rate: 100, cache_hit_rate: 28.57 }],
    })
    expect(await group('config?include_total=false')).toEqual({
      total: undefined,
      rows: [{ config: 'pc-one', requests: 1, cost: 0 }],
    })
    expect(await group('virtual_key?page_size=0')).toEqual({ total: 1, rows: [] })
    expect((await group('model-performance?page_size=1')).rows).toEqual([
      {
        provider: 'openai',
        ai_model: 'gpt-5.2',
        requests: 7,
        avg_latency: 1001,
        p50_latency: 1000,
        p90_latency: 3000,
        p99_latency: 3000,
        avg_time_to_first_token: 1000,
        p50_time_to_first_token: 1000,
        p90_time_to_first_token: 1000,
        p99_time_to_first_token: 1000,
        tokens_per_second: 25,
      },
    ])
  })

  test('a key of the organisation sees the workspace that it names, the default one, or all', async () => {
    const total = async (query: string, token = world.ours.admin) =>
      (await answer(`graphs/requests?${query}`, token)).summary
    expect(await total('')).toEqual({ total: 10 })
    expect(await total(`workspace_slug=${world.ours.second.slug}`)).toEqual({ total: 1 })
    expect(await total('workspace_slug=*')).toEqual({ total: 11 })
    expect(await total(`workspace_slug=${world.ours.second.slug}`, world.ours.first.serviceKey)).toEqual({ total: 10 })
    expect(await group('workspace', world.ours.admin)).toEqual({
      total: 2,
      rows: [
        { workspace: world.ours.first.slug, requests: 10, cost: 1.75 },
        { workspace: world.ours.second.slug, requests: 1, cost: 7 },
      ],
    })
  })

  test('filters leave out what does not fit', async () => {
    const total = async (query: string) => (await answer(`graphs/requests?${query}`)).summary
    expect(await total('cost_min=0.5&cost_max=1.25')).toEqual({ total: 2 })
    expect(await total('cost_min=0.51')).toEqual({ total: 1 })
    expect(await total('status_code=429,500')).toEqual({ total: 2 })
    expect(await total('virtual_keys=team-anthropic')).toEqual({ total: 1 })
    expect(await total('ai_org_model=openai__house,anthropic__claude')).toEqual({ total: 3 })
    expect(await total(`metadata=${encodeURIComponent('{"team":["red","blue"],"_user":"ann"}')}`)).toEqual({ total: 2 })
    expect(await total('weighted_feedback_min=0.5&weighted_feedback_max=0.5')).toEqual({ total: 2 })
    expect(await total('total_units_min=10&total_units_max=30')).toEqual({ total: 2 })
    const liked = await answer('graphs/feedbacks?provider=openai&interval=1h')
    expect(liked.summary).toEqual({ total: 2 })
  })

  describe('a window', () => {
    const far = (from: string, to: string) => `time_of_generation_min=${from}&time_of_generation_max=${to}`
    test.each([
      ['time_of_generation_min', `time_of_generation_max=${START}`],
      ['time_of_generation_min', far('2026-11-20T10:00:00', SECOND)],
      ['time_of_generation_min', far('2026-10-22T23:59:59Z', SECOND)],
      ['time_of_generation_max', far(SECOND, SECOND)],
      ['interval', `${far('2026-11-01T00:00:00Z', SECOND)}&interval=1m`],
      ['cost_max', `${WINDOW}&cost_min=2&cost_max=1.5`],
      ['metadata', `${WINDOW}&metadata=[]`],
    ])('or a filter that cannot be is refused in the name of %s: %s', async (param, query) => {
      const refused = await get(`graphs/requests?${query}`)
      expectError(refused, 'management_invalid')
      expect(paramOf(refused)).toBe(param)
    })

    test('may begin as long ago as the place keeps records', async () => {
      const query = far('2026-10-23T00:00:00Z', SECOND)
      expect((await get(`graphs/requests?${query}`)).status).toBe(200)
      const all = `${far('2026-09-24T00:00:00Z', SECOND)}&workspace_slug=*`
      expect((await get(`graphs/requests?${all}`, world.ours.admin)).status).toBe(200)
    })

    test('without records has all of its points', async () => {
      const empty = far('2026-11-19T00:30:00Z', '2026-11-19T02:00:00%2B01:00')
      const { body } = await get(`graphs/latency?${empty}&interval=15m`)
      const spread = { avg: null, p50: null, p90: null, p99: null }
      const timestamps = ['2026-11-19T00:30:00.000Z', '2026-11-19T00:45:00.000Z']
      expect(body).toEqual({
        summary: spread,
        data_points: timestamps.map((timestamp) => ({ timestamp, ...spread })),
        object: 'analytics-graph',
      })
    })
  })

  test('what cannot be answered is refused in words that help, and not those of the store', async () => {
    const refuse = async (thrown: Error) => {
      const records = { ...createFold(), ask: () => Promise.reject(thrown) }
      const routes = analyticsRoutes({ now: () => NOW, records, retentionDays: () => 30 })
      const call = caller(store(), routes, [], {})
      const token = world.ours.first.serviceKey
      return call({ method: 'GET', path: `/analytics/groups/users?${WINDOW}`, token })
    }
    const away = await refuse(new StoreUnavailable('The records at secret-host take too long.'))
    expectError(away, 'management_unavailable')
    expect(away.headers.get('retry-after')).toBe('1')
    expect(away.text).toContain('ask again, about less time or with more filters')
    expect(away.text).not.toContain('secret-host')
    const many = await refuse(new TooManyGroups())
    expectError(many, 'management_invalid')
    expect(many.text).toContain('more than 1000000 groups')
  })

  test('an unknown workspace is a reference that leads nowhere', async () => {
    const refused = await get(`graphs/requests?${WINDOW}&workspace_slug=ws-none`, world.ours.admin)
    expectError(refused, 'management_reference')
    expect(paramOf(refused)).toBe('workspace_slug')
  })
})
