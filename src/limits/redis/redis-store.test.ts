import { afterAll, describe, expect, test } from 'bun:test'
import { Cluster, Redis } from 'ioredis'
import { testServices } from '../../../test/support/services.ts'
import { reasonOf } from '../away/outage.ts'
import { goneAt, MOST_COUNTED } from '../ring/ring.ts'
import type { Charge, RingKey } from '../ring/ring-store.ts'
import { GRIDS } from '../ring/units.ts'
import type { Check } from './admit-run.ts'
import { groupsKeyOf, redisKeyOf } from './redis-keys.ts'
import { createRedisStore } from './redis-store.ts'

const { redisUrl, redisClusterUrl } = testServices()
const single = new Redis(redisUrl)
const cluster = new Cluster(redisClusterUrl.split(','))
afterAll(() => {
  single.disconnect()
  cluster.disconnect()
})

const newWorkspace = (): string => `test-${crypto.randomUUID()}`
const keyIn = (workspaceId: string, change: Partial<RingKey> = {}): RingKey => ({
  workspaceId,
  limitId: 'limit',
  unit: 'rpw',
  group: 'group',
  label: '["é {}"]',
  ...change,
})
const chargeOf = (key: RingKey, change: Partial<Charge> = {}): Charge => ({
  key,
  limit: 10,
  weight: 1,
  grain: 1,
  shadow: false,
  ...change,
})

const checkOf = (charges: readonly Charge[]): Check => ({ charges, claims: [] })

describe.each([
  ['one server', { client: single, kind: 'single' }],
  ['a Cluster', { client: cluster, kind: 'cluster' }],
] as const)('on %s', (_name, connection) => {
  const store = createRedisStore(connection)

  test('weights beyond all measure fill a ring and no more, and can be given back', async () => {
    const charge = chargeOf(keyIn(newWorkspace()), { weight: 4 })
    const { key, grain } = charge
    await store.admit([charge])
    for (const delta of [1e308, 1e308, MOST_COUNTED]) await store.settle([{ key, index: 0, delta, grain }])
    const full = (await store.peek([charge])).verdicts[0]
    expect(full).toMatchObject({ fits: 'later', used: MOST_COUNTED })
    await store.settle([{ key, index: full?.index ?? 0, delta: 4 - MOST_COUNTED, grain }])
    expect((await store.peek([charge])).verdicts[0]).toMatchObject({ fits: 'yes', used: 8 })
  })

  test('all charges are made, or none', async () => {
    const workspaceId = newWorkspace()
    const wide = chargeOf(keyIn(workspaceId), { weight: 4 })
    const narrow = chargeOf(keyIn(workspaceId, { limitId: 'narrow' }), { limit: 5, weight: 3 })
    const first = await store.admit([wide, narrow])
    expect(first.verdicts.map(({ fits, used }) => [fits, used])).toEqual([
      ['yes', 4],
      ['yes', 3],
    ])
    const second = await store.admit([wide, narrow])
    expect(second.admitted).toBe(false)
    expect(second.verdicts.map(({ fits, used }) => [fits, used])).toEqual([
      ['yes', 4],
      ['later', 3],
    ])
    expect((await store.peek([wide])).verdicts[0]?.used).toBe(8)
    expect((await store.peek([wide])).verdicts[0]?.used).toBe(8)
  })

  test('a settlement may name several workspaces, and one ring twice', async () => {
    const [left, right] = [chargeOf(keyIn(newWorkspace())), chargeOf(keyIn(newWorkspace()))]
    const [admission] = await Promise.all([store.admit([left]), store.admit([right])])
    const index = admission.verdicts[0]?.index ?? 0
    await store.settle([
      { key: left.key, index, delta: 3, grain: 1 },
      { key: right.key, index, delta: 2, grain: 1 },
      { key: left.key, index, delta: -1, grain: 1 },
      { key: left.key, index, delta: 0, grain: 1 },
    ])
    const nothing = { weight: 0 }
    expect((await store.peek([chargeOf(left.key, nothing)])).verdicts[0]?.used).toBe(3)
    expect((await store.peek([chargeOf(right.key, nothing)])).verdicts[0]?.used).toBe(3)
  })

  test('rings of many workspaces are merged', async () => {
    const keys = Array.from({ length: 20 }, () => keyIn(newWorkspace()))
    const bucket = Math.floor(Date.now() / GRIDS.rpw.bucketMs)
    const gone: [number, number] = [bucket - GRIDS.rpw.buckets - 10, 100]
    await store.merge(keys.map((key) => ({ key, grain: 1, buckets: [[bucket - 5, 2], gone, [bucket - 1, 1]] })))
    const used = await Promise.all(keys.map(async (key) => (await store.peek([chargeOf(key)])).verdicts[0]?.used))
    expect(used).toEqual(keys.map(() => 4))
  })

  test('groups are listed page by page, and those that are empty are not', async () => {
    const workspaceId = newWorkspace()
    const names = Array.from({ length: 300 }, (_, place) => `g${String(place).padStart(3, '0')}`)
    const keys = names.map((group) => keyIn(workspaceId, { group, label: `["${group}"]` }))
    const admissions = await Promise.all(keys.map((key) => store.admit([chargeOf(key)])))
    const [emptied] = keys
    if (emptied === undefined) throw new Error('There are no keys')
    await store.settle([{ key: emptied, index: admissions[0]?.verdicts[0]?.index ?? 0, delta: -1, grain: 1 }])
    await store.admit([chargeOf(keyIn(workspaceId, { group: 'g299', label: 'written in another way' }))])
    const page = await store.groups(keyIn(workspaceId), { offset: 199, limit: 2 })
    expect(page.total).toBe(299)
    expect(page.groups.map(({ group, label, used }) => [group, label, used])).toEqual([
      ['g200', '["g200"]', 1],
      ['g201', '["g201"]', 1],
    ])
    const last = await store.groups(keyIn(workspaceId), { offset: 298, limit: 10 })
    expect(last.groups.map(({ group, used }) => [group, used])).toEqual([['g299', 2]])
    expect(await store.groups(keyIn(workspaceId, { unit: 'rpd' }), { offset: 0, limit: 10 })).toEqual({
      groups: [],
      total: 0,
    })
  })

  test('a reset forgets the ring, and says whether there was anything', async () => {
    const key = keyIn(newWorkspace())
    await store.admit([chargeOf(key)])
    expect(await store.reset(key)).toBe(true)
    expect(await store.reset(key)).toBe(false)
    expect(await connection.client.exists(redisKeyOf(key), groupsKeyOf(key))).toBe(0)
  })

  test('a call names no ring twice, and one workspace alone', async () => {
    const [one, other] = [chargeOf(keyIn(newWorkspace())), chargeOf(keyIn(newWorkspace()))]
    await expect(store.admit([one, { ...one, weight: 2 }])).rejects.toThrow('only once')
    await expect(store.peek([one, one])).rejects.toThrow('only once')
    await expect(store.admit([one, other])).rejects.toThrow('one workspace')
    expect(await store.reset(one.key)).toBe(false)
  })

  test('of calls that go together each is all or nothing, one after the other', async () => {
    const workspaceId = newWorkspace()
    const wide = chargeOf(keyIn(workspaceId), { weight: 4 })
    const narrow = chargeOf(keyIn(workspaceId, { limitId: 'narrow' }), { limit: 5, weight: 3 })
    const admissions = await store.admitAll(
      [[wide, narrow], [], [wide, narrow], [{ ...wide, grain: 10 }], [narrow, narrow]].map(checkOf),
    )
    expect(
      admissions.map((admission) =>
        admission instanceof Error
          ? admission.message
          : [admission.admitted, ...admission.verdicts.map(({ used }) => used)],
      ),
    ).toEqual([[true, 4, 3], [true], [false, 4, 3], [true, 8], 'A call may charge a ring only once'])
  })

  test('a call whose ring is none fails alone, and nothing of it is charged', async () => {
    const workspaceId = newWorkspace()
    const sound = chargeOf(keyIn(workspaceId))
    const broken = chargeOf(keyIn(workspaceId, { limitId: 'broken' }))
    await connection.client.set(redisKeyOf(broken.key), 'no ring')
    const [first, second, third] = await store.admitAll([[sound], [sound, broken], [sound]].map(checkOf))
    expect([first, third].map((each) => each !== undefined && 'admitted' in each && each.verdicts[0]?.used)).toEqual([
      1, 2,
    ])
    expect(second).toBeInstanceOf(Error)
    expect(reasonOf(second)).toBe('WRONGTYPE')
    await expect(store.admit([broken])).rejects.toThrow('WRONGTYPE')
  })

  test('settlements of one bucket are one', async () => {
    const charge = chargeOf(keyIn(newWorkspace()), { weight: 6 })
    const index = (await store.admit([charge])).verdicts[0]?.index ?? 0
    const settlement = { key: charge.key, index, grain: 1 }
    await store.settle([-1, -2, 0, 5, 1, -1].map((delta) => ({ ...settlement, delta })))
    expect((await store.peek([{ ...charge, weight: 0 }])).verdicts[0]?.used).toBe(8)
  })

  test('a lease is charged, extended, and given back once, in the life of the ring that it is of', async () => {
    const key = keyIn(newWorkspace())
    const used = async () => (await store.peek([chargeOf(key, { weight: 0 })])).verdicts[0]?.used
    const ask = {
      ...{ key, limit: 100, grain: 1, wanted: 5, share: 8, inHand: 0, last: { index: 0, weight: 0 } },
      ...{ leaseMs: 1_000, generation: '' },
    }
    const [first] = await store.lease([ask], [])
    if (first === undefined) throw new Error('There is no grant')
    expect(first).toMatchObject({ granted: 5, used: 5 })
    // The run of the server, and when the ring began.
    expect(first.generation).toMatch(/^[0-9a-f]{40}:\d{16}$/)
    const { index, generation } = first
    const last = { index, weight: 2 }
    const [second] = await store.lease([{ ...ask, inHand: 2, last, generation }], [])
    expect(second).toMatchObject({ granted: 3, used: 8, generation })
    const back = { key, index, weight: 4, generation }
    await store.lease([], [{ ...back, generation: generation.replace(/:.*/, ':1') }])
    expect(await used()).toBe(8)
    expect(await store.lease([], [back])).toEqual([])
    expect(await used()).toBe(4)
    expect(await store.lease([{ ...ask, limit: 10 }], [])).toMatchObject([
      { granted: 0, index: 0, used: 4, generation },
    ])
    await store.reset(key)
    const [other] = await store.lease([{ ...ask, inHand: 5, last, generation }], [back])
    expect(other).toMatchObject({ granted: 5, used: 5 })
    expect(other?.generation).not.toBe(generation)
  })

  test('no charge at all is no question for Redis', async () => {
    expect(await store.admit([])).toEqual({ admitted: true, verdicts: [], budgets: [] })
  })
})

const store = createRedisStore({ client: single, kind: 'single' })

test.each([
  ['', () => new Redis(redisUrl), 'single'],
  [' with a node of a Cluster', () => new Cluster(redisClusterUrl.split(',')), 'cluster'],
] as const)('who listens hears that the connection%s was lost', async (_name, connect, kind) => {
  const client = connect()
  await client.get('nothing')
  const lost = Promise.withResolvers<void>()
  createRedisStore({ client, kind }).onLost(lost.resolve)
  const [server] = 'nodes' in client ? client.nodes('master') : [client]
  server?.disconnect(true)
  expect(await lost.promise).toBeUndefined()
  client.disconnect()
})

test('numbers stay exact as far as the driver reads whole numbers', async () => {
  // It rounds on the way to the last digit, within 48 of 2 ** 53.
  const most = 2 ** 53 - 99
  const charge = chargeOf(keyIn(newWorkspace()), { limit: most, weight: most - 4 })
  const { verdicts } = await store.admit([charge])
  expect(verdicts[0]?.used).toBe(most - 4)
  await store.settle([{ key: charge.key, index: verdicts[0]?.index ?? 0, delta: -2, grain: 1 }])
  expect((await store.admit([{ ...charge, weight: 5 }])).verdicts[0]?.used).toBe(most - 1)
  expect(await single.hget(redisKeyOf(charge.key), 's')).toBe('9007199254740892')
})

test('a call at the same time takes two commands for each ring, besides the clock', async () => {
  // The driver would take the monitor's line of its own ready check for a reply.
  const server = new Redis(redisUrl, { enableReadyCheck: false })
  const charges = ['one', 'two', 'three'].map((limitId) =>
    chargeOf(keyIn('test-commands', { limitId, group: crypto.randomUUID() })),
  )
  await store.admit(charges)
  const seen: string[] = []
  const monitor = await server.monitor()
  monitor.on('monitor', (_time: string, command: string[], source: string) => {
    if (source === 'lua' && (command[1] ?? '').startsWith('rl:{test-commands}')) seen.push(command[0] ?? '')
  })
  await store.admit(charges)
  await store.reset(charges[0]?.key ?? keyIn('none'))
  // What the reset does comes last: once it was seen, all before it was.
  while (!seen.includes('DEL')) await Bun.sleep(1)
  monitor.disconnect()
  server.disconnect()
  expect(seen.slice(0, 6)).toEqual(['HMGET', 'HMGET', 'HMGET', 'HSET', 'HSET', 'HSET'])
})

test('the time is that of the server', async () => {
  const charge = chargeOf(keyIn(newWorkspace()))
  const timeMs = async (): Promise<number> => {
    const [seconds = 0, microseconds = 0] = (await single.time()).map(Number)
    return seconds * 1_000 + microseconds / 1_000
  }
  const beforeMs = await timeMs()
  const { verdicts } = await store.admit([charge])
  const afterMs = await timeMs()
  const { index = 0, resetMs = 0 } = verdicts[0] ?? {}
  const judgedMs = goneAt(index, GRIDS.rpw) - resetMs
  expect(judgedMs).toBeGreaterThanOrEqual(Math.floor(beforeMs))
  expect(judgedMs).toBeLessThanOrEqual(afterMs)
  expect(index).toBe(Math.floor(judgedMs / GRIDS.rpw.bucketMs))
})
