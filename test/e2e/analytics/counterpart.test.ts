import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eventually } from '../../support/start-process.ts'
import { type CounterpartScene, clientOfToday, openCounterpartScene } from '../clients/support/counterpart.ts'
import { pythonSuite } from '../clients/support/python.ts'
import { ADMIN_KEY, API_KEY, SLOW_MS } from '../management/support/scene.ts'
import { today } from './scene.ts'

/** What users of the counterpart's clients ask after their calls, with nothing changed but base URL and key. */
let opened: CounterpartScene
beforeAll(async () => {
  opened = await openCounterpartScene()
  const client = clientOfToday(opened.gateway, { provider: 'mock', traceID: 'a trace' })
  await client.chat.completions.create({ model: 'mock', messages: [{ role: 'user', content: 'Hello' }] })
}, SLOW_MS)
afterAll(() => opened.close())

describe('the current client of the counterpart', () => {
  const client = () => clientOfToday(opened.gateway)

  test('gives feedback, and changes it', async () => {
    const { status, ...made } = await client().feedback.create({ traceID: 'a trace', value: 5, weight: 0.5 })
    expect(status).toBe('success')
    const [feedbackID] = (made as unknown as { readonly feedback_ids: readonly string[] }).feedback_ids
    expect(feedbackID).toMatch(/^[0-9a-f-]{36}$/)
    const changed = await client().feedback.update({
      feedbackID: feedbackID ?? '',
      value: 10,
      metadata: { by: 'a test' },
    })
    expect(changed.status).toBe('success')
    const { avg } = await eventualSummary('feedbacks_weighted', ({ avg }) => avg === 10)
    expect(avg).toBe(10)
  })

  test('is refused in words', async () => {
    const refused = client().feedback.create({ traceID: 'a trace', value: 11 })
    expect(await refused.catch(({ status, message }) => [status, String(message)])).toEqual([
      400,
      expect.stringContaining('value'),
    ])
  })

  type Graph = Exclude<keyof ReturnType<typeof client>['analytics']['graphs'], 'client' | symbol>
  const GRAPHS = [
    'requests',
    'cost',
    'latency',
    'tokens',
    'users',
    'usersRequests',
    'errors',
    'errors_rate',
    'errors_stack',
    'errors_status_code',
    'requests_rescued',
    'cache_hit_rate',
    'cache_latency',
    'feedbacks',
    'feedbacks_score',
    'feedbacks_weighted',
    'feedback_ai_models',
  ] as const satisfies readonly Graph[]

  const graph = async (name: (typeof GRAPHS)[number]) => {
    const {
      object,
      summary,
      data_points: points,
    } = (await client().analytics.graphs[name](today())) as unknown as {
      readonly object: string
      readonly summary: Readonly<Record<string, number>>
      readonly data_points: readonly unknown[]
    }
    return { object, summary, points }
  }
  const eventualSummary = async (
    name: (typeof GRAPHS)[number],
    fits: (summary: Readonly<Record<string, number>>) => boolean,
  ) => {
    await eventually(async () => fits((await graph(name)).summary), 5_000)
    return (await graph(name)).summary
  }

  test.each(GRAPHS)('reads the graph %s', async (name) => {
    const { object, points, summary } = await graph(name)
    expect([object, points, summary]).toEqual(['analytics-graph', expect.any(Array), expect.any(Object)])
  })

  test('reads of the calls that it made', async () => {
    const { total } = await eventualSummary('requests', (summary) => Number(summary.total) > 0)
    expect(total).toBeGreaterThan(0)
    expect((await eventualSummary('tokens', (summary) => Number(summary.total) > 0)).total).toBeGreaterThan(0)
  })

  test('reads groups, with the columns that it knows', async () => {
    const { groups, summary } = client().analytics
    const lists = [
      await groups.users({ ...today(), page_size: 10, current_page: 0 }),
      await groups.aiModels({ ...today(), order_by: 'requests', order_by_type: 'asc' }),
      await groups.workspaces(today()),
      await groups.metadata('team', today()),
    ]
    for (const list of lists) expect(list).toMatchObject({ object: 'list' })
    const columns =
      'requests,cost,total_tokens,avg_tokens,avg_input_tokens,avg_output_tokens,avg_latency,p95_latency,p99_latency,' +
      'success_rate,error_count,cache_hit_rate,last_seen,first_seen'
    const values = [
      'ai_service',
      'model',
      'status_code',
      'api_key',
      'config',
      'workspace',
      'provider',
      'prompt',
    ] as const
    for (const value of values) {
      const list = await groups.groupedData(value, { ...today(), columns, include_total: true })
      expect(list).toMatchObject({ object: 'list', total: expect.any(Number) })
    }
    expect(await summary.cache(today())).toMatchObject({ object: 'analytics-summary', summary: { hits: 0 } })
  })
})

pythonSuite('counterpart_analytics', () => ({
  WEIR_URL: opened.gateway.url,
  WEIR_KEY: API_KEY,
  WEIR_ADMIN_KEY: ADMIN_KEY,
  PROVIDER_URL: `${opened.scene.upstream.url}/v1`,
  PROVIDER_KEY: 'unused',
}))
