import { afterAll, describe, expect, test } from 'bun:test'
import { Cluster, Redis } from 'ioredis'
import { testServices } from '../../../test/support/services.ts'
import { reasonOf } from '../away/outage.ts'
import { type SharedClaim, SharedCount } from '../claims/shared-count.ts'
import { counterOf, type TestCounter } from '../test-support/claims.ts'
import { countKeyOf } from './redis-keys.ts'
import { createRedisStore } from './redis-store.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const { redisUrl, redisClusterUrl } = testServices()
const single = new Redis(redisUrl)
const cluster = new Cluster(redisClusterUrl.split(','))
afterAll(() => {
  single.disconnect()
  cluster.disconnect()
})

const newCounter = (
  workspaceId: string = crypto.randomUUID(),
  change: Partial<TestCounter> = {},
  budgetId = 'api_key.cost',
): TestCounter =>
  counterOf('budget', { key: { workspaceId, budgetId, group: 'group', startMs: 1_767_225_600_000 }, ...change })

const claim = (count: SharedCount, change: Partial<SharedClaim> = {}): SharedClaim => ({
  count,
  limit: 10,
  weight: 4,
  shadow: false,
  since: 0,
  ...change,
})

describe.each([
  ['one server', { client: single, kind: 'single' }],
  ['a Cluster', { client: cluster, kind: 'cluster' }],
] as const)('on %s', (_name, connection) => {
  const { client } = connection
  const [here, there] = ['here', 'there'].map((process) => createRedisStore({ ...connection, process }))
  if (here === undefined || there === undefined) throw new Error('no store')

  test('the holds of all processes, what they spent and what the ledger has are one count', async () => {
    const counter = newCounter(undefined, { stored: 1 })
    const [mine, others] = [new SharedCount(counter), new SharedCount(counter)]
    expect(await here.admit([], [claim(mine)])).toMatchObject({ admitted: true, budgets: [{ fits: true, used: 1 }] })
    expect(await there.admit([], [claim(others)])).toMatchObject({ admitted: true, budgets: [{ used: 5 }] })
    for (const [weight, admitted] of [
      [2, false],
      [1, true],
    ] as const) {
      expect(await here.peek([], [claim(mine, { weight })])).toMatchObject({ admitted, budgets: [{ used: 9 }] })
      expect(await there.admit([], [claim(others, { weight })])).toMatchObject({ admitted, budgets: [{ used: 9 }] })
    }
    expect(await here.admit([], [claim(mine, { weight: 0 })])).toMatchObject({
      admitted: false,
      budgets: [{ fits: false, used: 10 }],
    })
    expect(await client.hgetall(countKeyOf(mine))).toMatchObject({
      T: '1',
      here: expect.stringMatching(/^4:\d{13}$/),
      there: expect.stringMatching(/^5:\d{13}$/),
    })
  })

  test('of calls that go together one sees what those before it hold, and each is all or nothing', async () => {
    const workspaceId = crypto.randomUUID()
    const [wide, narrow] = ['workspace.cost', 'policy'].map((id) => new SharedCount(newCounter(workspaceId, {}, id)))
    if (wide === undefined || narrow === undefined) throw new Error('no count')
    const both = [claim(wide, { limit: 100 }), claim(narrow, { limit: 7 })]
    const replies = await here.admitAll([
      { charges: [], claims: both },
      { charges: [], claims: both },
      { charges: [], claims: [claim(narrow, { limit: 7, weight: 3 })] },
      { charges: [], claims: [claim(wide, { limit: 3, shadow: true }), claim(narrow, { limit: 8, weight: 0 })] },
      { charges: [], claims: [claim(wide, { limit: 5, weight: 1 })] },
    ])
    expect(replies.map((reply) => 'admitted' in reply && [reply.admitted, ...reply.budgets])).toEqual([
      [true, { fits: true, used: 0, hold: undefined }, { fits: true, used: 0, hold: undefined }],
      [false, { fits: true, used: 4, hold: undefined }, { fits: false, used: 4, hold: undefined }],
      [true, { fits: true, used: 4, hold: undefined }],
      [true, { fits: false, used: 4, hold: undefined }, { fits: true, used: 7, hold: undefined }],
      [true, { fits: true, used: 4, hold: undefined }],
    ])
  })

  test('a call tells what was spent since the last one; what is told is counted once', async () => {
    const counter = newCounter()
    const count = new SharedCount(counter)
    counter.pending = 7
    expect(await here.admit([], [claim(count, { weight: 0 })])).toMatchObject({ budgets: [{ used: 7 }] })
    counter.pending = 9
    expect(await here.peek([], [claim(count, { weight: 0 })])).toMatchObject({ budgets: [{ used: 9 }] })
    await here.tell([{ count, isWhole: false }])
    await here.tell([{ count, isWhole: false }])
    expect(await here.admit([], [claim(count, { weight: 0 })])).toMatchObject({ budgets: [{ used: 9 }] })
  })

  test('when the ledger has counted, its total grows and what is told shrinks in one step', async () => {
    const counter = newCounter(undefined, { pending: 6 })
    const count = new SharedCount(counter)
    await here.tell([{ count, isWhole: true }])
    Object.assign(counter, { stored: 6, pending: 0 })
    await here.tell([{ count, isWhole: false }])
    expect(await client.hgetall(countKeyOf(count))).toEqual({ T: '6' })
    // One that has not heard of it yet.
    const late = new SharedCount({ ...counter, stored: 2, pending: 0, held: 0 })
    expect(await there.admit([], [claim(late)])).toMatchObject({ admitted: true, budgets: [{ used: 6 }] })
  })

  test('what the store has forgotten is there again with the next call', async () => {
    const counter = newCounter(undefined, { pending: 2, held: 3 })
    const count = new SharedCount(counter)
    await here.tell([{ count, isWhole: true }])
    await client.del(countKeyOf(count))
    expect(await here.admit([], [claim(count)])).toMatchObject({ admitted: true, budgets: [{ used: 5 }] })
    expect(await there.peek([], [claim(new SharedCount({ ...counter, pending: 0, held: 0 }))])).toMatchObject({
      budgets: [{ used: 9 }],
    })
  })

  test('a process that was not heard of for 30 seconds is passed over, and removed by the next one that writes', async () => {
    const counter = newCounter()
    const count = new SharedCount(counter)
    const nowMs = Date.now()
    await client.hset(countKeyOf(count), { dead: `8:${nowMs - 30_001}`, slow: `1:${nowMs - 25_000}` })
    expect(await here.admit([], [claim(count)])).toMatchObject({ admitted: true, budgets: [{ used: 1 }] })
    expect(Object.keys(await client.hgetall(countKeyOf(count))).sort()).toEqual(['here', 'slow'])
  })

  test('counts are kept until a day after their period, or 40 days after they were written last', async () => {
    const nowMs = Date.now()
    for (const [endMs, keptMs] of [
      [nowMs + 1_000, DAY_MS + 1_000],
      [nowMs - 2 * DAY_MS, HOUR_MS],
      [undefined, 40 * DAY_MS],
    ] as const) {
      const counter = newCounter()
      const count = new SharedCount(endMs === undefined ? counter : { ...counter, endMs })
      await here.admit([], [claim(count)])
      expect(await client.pttl(countKeyOf(count))).toBeWithin(HOUR_MS - 60_000, HOUR_MS + 1)
      count.counter.held = 4
      await here.tell([{ count, isWhole: true }])
      const leftMs = await client.pttl(countKeyOf(count))
      expect({ keptMs, leftMs, isRight: leftMs > keptMs - 60_000 && leftMs <= keptMs }).toEqual({
        keptMs,
        leftMs,
        isRight: true,
      })
    }
  })

  test('amounts are exact up to the largest limit', async () => {
    const limit = 9_000_000_000_000_000
    const counter = newCounter(undefined, { stored: limit - 3 })
    const count = new SharedCount(counter)
    expect(await here.admit([], [claim(count, { limit, weight: 4 })])).toMatchObject({ admitted: false })
    counter.pending = 1
    expect(await here.admit([], [claim(count, { limit, weight: 2 })])).toMatchObject({
      admitted: true,
      budgets: [{ used: limit - 2 }],
    })
    expect(await here.admit([], [claim(count, { limit, weight: 0 })])).toMatchObject({ budgets: [{ used: limit }] })
    counter.held = limit - 1_234_567
    await here.tell([{ count, isWhole: true }])
    expect((await client.hget(countKeyOf(count), 'here'))?.split(':')[0]).toBe(String(limit - 1_234_566))
  })

  test('a weight without end fits nowhere, and is no error', async () => {
    const count = new SharedCount(newCounter())
    expect(await here.admit([], [claim(count, { weight: Number.POSITIVE_INFINITY })])).toMatchObject({
      admitted: false,
      budgets: [{ fits: false, used: 0 }],
    })
    const key = { workspaceId: crypto.randomUUID(), limitId: 'limit', unit: 'rpm', group: 'group', label: '' } as const
    const charge = { key, limit: 10, weight: Number.POSITIVE_INFINITY, grain: 1, shadow: false }
    expect(await here.admit([charge])).toMatchObject({ admitted: false, verdicts: [{ fits: 'never', used: 0 }] })
  })

  test('a count that is none fails its call alone; claims of another workspace are refused', async () => {
    const workspaceId = crypto.randomUUID()
    const [sound, broken] = ['sound', 'broken'].map((id) => new SharedCount(newCounter(workspaceId, {}, id)))
    if (sound === undefined || broken === undefined) throw new Error('no count')
    await client.set(countKeyOf(broken), 'no count')
    const [first, second, third] = await here.admitAll(
      [[claim(sound)], [claim(sound), claim(broken)], [claim(sound)]].map((claims) => ({ charges: [], claims })),
    )
    expect([first, third]).toMatchObject([{ budgets: [{ used: 0 }] }, { budgets: [{ used: 4 }] }])
    expect(reasonOf(second)).toBe('WRONGTYPE')
    await expect(here.admit([], [claim(sound), claim(new SharedCount(newCounter()))])).rejects.toThrow('its workspace')
    for (const part of ['workspaceId', 'budgetId', 'group'] as const) {
      const counter = newCounter()
      const bad = new SharedCount({ ...counter, key: { ...counter.key, [part]: '{other}:x' } })
      await expect(here.admit([], [claim(bad)])).rejects.toThrow(part === 'group' ? 'group' : part.slice(0, 6))
    }
  })

  test('counts of several workspaces are told together', async () => {
    const counts = [1, 2].map((held) => new SharedCount(newCounter(undefined, { held })))
    await here.tell(counts.map((count) => ({ count, isWhole: true })))
    const used = await Promise.all(counts.map((count) => here.peek([], [claim(count)])))
    expect(used).toMatchObject([{ budgets: [{ used: 1 }] }, { budgets: [{ used: 2 }] }])
  })
})

test('two limits and two budgets of a call are one command', async () => {
  const monitor = await new Redis(redisUrl, { enableReadyCheck: false }).monitor()
  const seen: string[] = []
  const workspaceId = crypto.randomUUID()
  monitor.on('monitor', (_time: string, command: string[]) => {
    if (command.some((part) => part.includes(workspaceId))) seen.push(command[0] ?? '')
  })
  const claims = ['one', 'two'].map((id) => claim(new SharedCount(newCounter(workspaceId, { stored: 1 }, id))))
  const soft = claims.map((each) => ({ ...each, weight: 0 }))
  const store = createRedisStore({ client: single, kind: 'single' })
  await store.admit([], claims)
  await store.admit([], soft)
  await single.get(`end:${workspaceId}`)
  while (!seen.includes('get')) await Bun.sleep(1)
  monitor.disconnect()
  // Where nothing is held, nothing is written.
  expect(seen.slice(-4)).toEqual(['evalsha', 'HGETALL', 'HGETALL', 'get'])
})
