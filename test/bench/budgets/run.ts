/**
 * `bun run bench:budgets`: measures what two budgets beside two rate limits cost a call, and prints a table in Markdown. Uses the Redis
 * of TEST_REDIS_URL where that is set, and else one of its own.
 */
import { Redis } from 'ioredis'
import type { Enforcement } from '../../../src/core/budgets.ts'
import { createRedisStore } from '../../../src/limits/redis/redis-store.ts'
import { startOwnRedis } from '../../property/limits-redis/support/own-redis.ts'
import { type Row, toTable, us } from '../limits/table.ts'
import { createEngine, type Engine } from './engine.ts'

const TARGET_US = 5
/** Lanes take turns, so that whatever else the machine does meets all of them. */
const ROUNDS = 40
const CALLS = 5_000
const REDIS_ROUNDS = 15
const REDIS_CALLS = 2_000
const AT_ONCE = 16

const LANES: readonly (readonly [string, Enforcement | undefined])[] = [
  ['Two rate limits', undefined],
  ['and two soft budgets', 'soft'],
  ['and two budgets that reserve', 'reserve'],
]

const cpuUs = (): number => {
  const { user, system } = process.cpuUsage()
  return user + system
}

const leastOf = (numbers: readonly number[]): number => Math.min(...numbers)

const rowsOf = (title: string, costs: readonly number[]): Row[] =>
  LANES.map(([name], index) => {
    const cost = costs[index] ?? Number.NaN
    const more = cost - (costs[0] ?? Number.NaN)
    return {
      metric: `${title}: ${name}`,
      target: index === 0 ? '' : `≤ ${TARGET_US} µs more`,
      measured: index === 0 ? us(cost) : `${us(cost)} (${more >= 0 ? '+' : ''}${more.toFixed(2)})`,
      met: index === 0 ? undefined : more <= TARGET_US,
    }
  })

/** Processor time of a call in the round that was disturbed least. */
const measureMemory = (): Row[] => {
  const engines = LANES.map(([, budgets]) => createEngine(budgets))
  const measured = engines.map((): number[] => [])
  for (let round = 0; round < ROUNDS; round++) {
    for (const [lane, engine] of engines.entries()) {
      const startUs = cpuUs()
      for (let turn = 0; turn < CALLS; turn++) engine.call(turn)
      measured[lane]?.push((cpuUs() - startUs) / CALLS)
    }
  }
  return rowsOf('In memory', measured.map(leastOf))
}

const manyCalls = async (engine: Engine): Promise<void> => {
  let turn = 0
  const client = async (): Promise<void> => {
    while (turn < REDIS_CALLS) await engine.call(turn++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, client))
}

/** Processor time of this process, and commands. */
const measureRedis = async (url: string): Promise<Row[]> => {
  let commands = 0
  const { sendCommand } = Redis.prototype
  const client = new Redis(url)
  await client.ping()
  client.sendCommand = (...sent: Parameters<typeof sendCommand>) => {
    commands++
    return sendCommand.apply(client, sent)
  }
  const engines = LANES.map(([, budgets]) => createEngine(budgets, createRedisStore({ client, kind: 'single' })))
  const measured = engines.map((): number[] => [])
  const sent = engines.map(() => 0)
  for (let round = 0; round < REDIS_ROUNDS; round++) {
    for (const [lane, engine] of engines.entries()) {
      const startUs = cpuUs()
      const before = commands
      await manyCalls(engine)
      measured[lane]?.push((cpuUs() - startUs) / REDIS_CALLS)
      sent[lane] = (sent[lane] ?? 0) + commands - before
    }
  }
  client.disconnect()
  return [
    ...rowsOf('With Redis, processor time of the gateway', measured.map(leastOf)),
    ...LANES.map(
      ([name], lane): Row => ({
        metric: `Commands to Redis for a call: ${name}`,
        target: lane === 0 ? '' : 'no more',
        measured: ((sent[lane] ?? 0) / REDIS_ROUNDS / REDIS_CALLS).toFixed(3),
        met: lane === 0 ? undefined : (sent[lane] ?? 0) <= (sent[0] ?? 0) * 1.1,
      }),
    ),
  ]
}

const given = process.env.TEST_REDIS_URL
const own = given === undefined ? await startOwnRedis() : undefined
try {
  const rows = [...measureMemory(), ...(await measureRedis(given ?? own?.url ?? ''))]
  console.log(`Bun ${Bun.version}, ${navigator.hardwareConcurrency} cores\n`)
  console.log(toTable(rows))
} finally {
  await own?.close()
}
// The counts look after themselves for as long as the process lives.
process.exit()
