/**
 * `bun run bench:limits`: measures the rate limits against their targets, and prints a table in Markdown. Uses the Redis of
 * TEST_REDIS_URL where that is set, whose statistics it resets, and else one of its own.
 */
import { Redis } from 'ioredis'
import { createRedisStore, type RedisStore } from '../../../src/limits/redis/redis-store.ts'
import { startOwnRedis } from '../../property/limits-redis/support/own-redis.ts'
import { budgetRows } from './budgets.ts'
import { chargesOf, groupOf, WORKSPACE_ID } from './charges.ts'
import { measureFastDeny, measureMatcher, measureMemoryStore } from './in-process.ts'
import { measureFull, measureLight } from './memory.ts'
import { timeEachAwaited } from './samples.ts'
import { measureAdmit, measureRefusal } from './script-time.ts'
import { ms, plain, type Row, toTable, us } from './table.ts'
import { measureThroughput } from './throughput.ts'

const GROUPS = 500
const LATENCY_CALLS = 10_000

const below = (metric: string, targetUs: number, measuredUs: number): Row => ({
  metric,
  target: `≤ ${targetUs} µs`,
  measured: us(measuredUs),
  met: measuredUs <= targetUs,
})

const latencyRow = async (store: RedisStore, count: number): Promise<Row> => {
  const { p50, p99 } = await timeEachAwaited(LATENCY_CALLS, (turn) =>
    store.admit(chargesOf(count, { group: groupOf(turn % GROUPS) })),
  )
  return {
    metric: `Added latency on loopback, N = ${count}, one call at a time, p50 / p99`,
    target: '≤ 0.5 / ≤ 2 ms',
    measured: `${ms(p50)} / ${ms(p99)}`,
    met: p50 <= 500 && p99 <= 2_000,
  }
}

const redisRows = async (client: Redis, url: string): Promise<Row[]> => {
  const store = createRedisStore({ client, kind: 'single' })
  const light = await measureLight(client, store)
  const full = await measureFull(client, store)
  const throughput = await measureThroughput(client, url, 4)
  return [
    below('Script time, N = 1, admitted', 15, await measureAdmit(client, store, 1)),
    below('Script time, N = 4, admitted', 40, await measureAdmit(client, store, 4)),
    plain('Script time, N = 1, refused by a full ring', us(await measureRefusal(client, store, 1))),
    plain('Script time, N = 4, refused by a full ring', us(await measureRefusal(client, store, 4))),
    {
      metric: 'Checks a second and shard, N = 4',
      target: '≥ 25,000',
      measured: throughput?.perSecond.toFixed(0) ?? 'redis-benchmark is not installed',
      met: throughput && throughput.perSecond >= 25_000,
    },
    plain('The same for each second of processor time of Redis', throughput?.perCpuSecond.toFixed(0) ?? ''),
    await latencyRow(store, 1),
    await latencyRow(store, 4),
    {
      metric: `Bytes of a light key (${light.name})`,
      target: '≤ 200 B',
      measured: `${light.bytes} B, ${light.encoding}`,
      met: light.bytes <= 200,
    },
    ...full.map((size) => ({
      metric: `Bytes of a full key (${size.name})`,
      target: '≤ 1,500 B',
      measured: `${size.bytes} B, ${size.encoding}`,
      met: size.bytes <= 1_500,
    })),
  ]
}

const inProcessRows = (): Row[] => {
  const memory = measureMemoryStore()
  const deny = measureFastDeny()
  const matcher = measureMatcher()
  return [
    {
      metric: 'Rings in memory, N = 4, p50 / p99',
      target: '≤ 1 / ≤ 5 µs',
      measured: `${us(memory.p50)} / ${us(memory.p99)}`,
      met: memory.p50 <= 1 && memory.p99 <= 5,
    },
    {
      metric: 'Remembered refusal, p50 / p99',
      target: '≤ 2 µs',
      measured: `${us(deny.p50)} / ${us(deny.p99)}`,
      met: deny.p50 <= 2,
    },
    plain('Which of 1,000 policies apply, p50 / p99', `${us(matcher.p50)} / ${us(matcher.p99)}`),
  ]
}

const given = process.env.TEST_REDIS_URL
const own = given === undefined ? await startOwnRedis() : undefined
const url = given ?? own?.url ?? ''
const client = new Redis(url)
try {
  const version = /^redis_version:(\S+)/m.exec(await client.info('server'))?.[1]
  const rows = process.argv.includes('--budgets')
    ? await budgetRows(client)
    : [...(await redisRows(client, url)), ...inProcessRows(), ...(await budgetRows(client))]
  console.log(`Redis ${version}, Bun ${Bun.version}, ${navigator.hardwareConcurrency} cores\n`)
  console.log(toTable(rows))
} finally {
  for (const kind of ['rl', 'bl']) {
    for (const key of await client.keys(`${kind}:{${WORKSPACE_ID}}:*`)) await client.unlink(key)
  }
  client.disconnect()
  await own?.close()
}
