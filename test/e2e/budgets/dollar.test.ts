import { afterEach, describe, expect, test } from 'bun:test'
import { testServices } from '../../support/services.ts'
import { send } from '../management/support/http.ts'
import { ADMIN_KEY, ask, type BudgetWorld, createKey, openBudgetWorld } from './support/budget-world.ts'
import { runChaos, runLoad, seeded, untilHolds } from './support/load.ts'
import { chatFor, costOf } from './support/priced-provider.ts'
import { totalOf } from './support/sums.ts'

const GATEWAYS = ['one', 'two']
const CLIENTS = 2
/** 10⁻¹² dollars. */
const DOLLAR = 1_000_000_000_000n
const CENT = DOLLAR / 100n
const TOKENS = 8
const COST = costOf(TOKENS)
/** From then on clients take their time: without Redis a second of traffic may come on top, which is to be less than a cent. */
const NEARLY = (DOLLAR * 96n) / 100n
const PAUSE_MS = 400
const DAY_MS = 86_400_000

let world: BudgetWorld
let receiver: Bun.Server<undefined>
let alerts: { readonly id: string; readonly type: string; readonly data: Readonly<Record<string, unknown>> }[]
afterEach(async () => {
  await world.close()
  await receiver.stop(true)
})

/** Gets what the operator's webhook gets. */
const startReceiver = (): void => {
  alerts = []
  receiver = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { type, data } = (await request.json()) as { readonly type: string; readonly data: Record<string, unknown> }
      alerts.push({ id: request.headers.get('webhook-id') ?? '', type, data })
      return new Response('ok')
    },
  })
}

describe.each([
  ['on Postgres', false],
  ['with Redis', true],
])('a budget of one dollar on a key, shared by two processes that are killed at random: %s', (name, hasRedis) => {
  test('ends within a cent of one dollar, says when it begins anew, alerts once, and begins anew at midnight', async () => {
    world = await openBudgetWorld(hasRedis ? { redisUrl: testServices().redisUrl } : {})
    startReceiver()
    const env = {
      WEIR_ALERT_WEBHOOK_URL: receiver.url.href,
      WEIR_ALERT_WEBHOOK_SECRET: `whsec_${btoa('a secret of the operator, for tests')}`,
    }
    const first = await world.start('one', env)
    await world.start('two', env)
    const { id, key } = await createKey(first, 'one dollar', {
      usage_limits: { type: 'cost', credit_limit: 1, alert_threshold: 1, periodic_reset_days: 1 },
    })

    const count = async () => (await world.sums.counts()).filter(({ budgetId }) => budgetId === 'api_key.cost')
    // What a dead process had not stored is held against the budget twice for a while: caution, until half a minute has passed.
    let isSpent = false
    let refusedSince: number | undefined
    const isOver = (): boolean => isSpent && refusedSince !== undefined && performance.now() - refusedSince > 2_000
    const watch = async (): Promise<void> => {
      while (!isSpent) {
        isSpent = totalOf(await count()) >= DOLLAR
        await Bun.sleep(200)
      }
    }
    const watching = watch()
    const refusing = new Set<string>()
    const deaths = runChaos({ world, gateways: GATEWAYS, random: seeded(11), longestLifeMs: 8_000, isOver, env })
    const tally = await runLoad({
      world,
      gateways: GATEWAYS,
      clients: CLIENTS,
      isOver,
      pauseMs: () => (world.provider.billed > NEARLY ? PAUSE_MS : 0),
      async call(gateway) {
        const reply = await ask(gateway, key, chatFor(TOKENS))
        if (reply.status === 412) refusing.add(gateway.url)
        else refusing.delete(gateway.url)
        const running = [...world.running.values()]
        const isRefused = running.length === GATEWAYS.length && running.every(({ url }) => refusing.has(url))
        if (!isRefused) refusedSince = undefined
        else refusedSince ??= performance.now()
        return reply
      },
    })
    await watching
    expect(await deaths).toBeGreaterThan(1)
    expect([...tally.statuses.keys()].toSorted()).toEqual([200, 412])

    const spent = await untilHolds(
      async () => ({ counts: await count(), records: await world.sums.records() }),
      ({ counts, records }) =>
        counts.length === 1 && counts[0]?.total === records.cost && records.completed >= (tally.statuses.get(200) ?? 0),
    )
    const total = spent.counts[0]?.total ?? 0n
    console.info(`${name}: ${Number(total) / 1e12} dollars after ${await deaths} deaths`)
    expect(total).toBeGreaterThanOrEqual(DOLLAR)
    expect(total).toBeLessThanOrEqual(DOLLAR + CENT)
    // What the provider was paid beyond that are calls that died with their process.
    expect(world.provider.billed - total).toBeLessThanOrEqual(BigInt(tally.cut) * COST)

    const { refusal } = tally
    const midnight = new Date((Math.floor(world.now() / DAY_MS) + 1) * DAY_MS).toISOString()
    expect(refusal?.text).toContain(midnight)
    expect(Number(refusal?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(refusal?.headers.get('retry-after'))).toBeLessThanOrEqual(DAY_MS / 1_000)

    await untilHolds(
      async () => alerts.length,
      (length) => length >= 2,
    )
    // Enough for one that should not come.
    await Bun.sleep(1_000)
    // A delivery whose process died may come again, under the same id.
    const distinct = new Map(alerts.map((alert) => [alert.id, alert]))
    expect([...distinct.values()].map(({ type }) => type).toSorted()).toEqual([
      'budget.exhausted',
      'budget.threshold_reached',
    ])
    for (const { data } of distinct.values()) {
      expect(data).toMatchObject({ budget: { owner: 'api_key', id, credit_limit: 1 }, next_usage_reset_at: midnight })
    }
    const anyone = [...world.running.values()][0] ?? first
    const { body } = await send(
      `${anyone.url}/v2/audit-logs?start_time=2026-01-01T00:00:00Z&end_time=2199-01-01T00:00:00Z&page_size=100`,
      { token: ADMIN_KEY },
    )
    const entries = JSON.stringify(body)
    for (const action of ['budgets.exhausted', 'budgets.threshold_reached']) {
      expect(entries.split(`"${action}"`).length - 1).toBe(1)
    }

    const before = await world.beforeMidnight(1_500)
    await Bun.sleep(200)
    for (const gateway of world.running.values()) expect((await ask(gateway, key, chatFor(TOKENS))).status).toBe(412)
    await Bun.sleep(Math.max(0, before - world.now()) + 50)
    for (const gateway of world.running.values()) expect((await ask(gateway, key, chatFor(TOKENS))).status).toBe(200)
    const counts = await untilHolds(count, (all) => all.length === 2)
    expect(counts.find(({ startMs }) => startMs === before)?.total).toBeLessThanOrEqual(2n * COST)
    expect(counts.find(({ startMs }) => startMs !== before)?.total).toBe(total)
  }, 600_000)
})
