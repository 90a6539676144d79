import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createReplicas, type Replicas } from '../../../../src/limits/redis/replicas.ts'
import { createManualTime } from '../../../../src/limits/test-support/manual-time.ts'
import { connectRedis, type RedisConnection } from '../../../../src/store/redis.ts'
import { eventually } from '../../../support/start-process.ts'
import { type OwnRedis, startOwnRedis } from './support/own-redis.ts'

setDefaultTimeout(60_000)

let redis: OwnRedis
let connection: RedisConnection
beforeAll(async () => {
  redis = await startOwnRedis()
  connection = await connectRedis(`redis://127.0.0.1:${redis.port}`, { timeoutMs: 5_000, commandTimeoutMs: 2_000 })
})
afterAll(async () => {
  await connection.close()
  await redis.close()
})

/** A process whose time a test lets pass, over a real connection. */
const start = (id: string) => {
  const time = createManualTime()
  const { client } = connection
  const replicas = createReplicas({ client, id, now: time.clock.now, timers: time.timers })
  return { time, replicas }
}

const becomes = async (replicas: Replicas, count: number): Promise<void> => {
  expect([await eventually(async () => replicas.count === count, 5_000), replicas.count]).toEqual([true, count])
}

const members = async (): Promise<unknown> => redis.command('ZRANGE', 'weir:replicas', '0', '-1')

test('processes are counted while they are heard of, and go when they say so or fall silent', async () => {
  const first = start('first')
  expect(first.replicas.count).toBe(1)
  await becomes(first.replicas, 1)
  const second = start('second')
  await becomes(second.replicas, 2)
  // Known to the first with its next sign of life, and not before.
  await first.time.advance(4_999)
  expect(first.replicas.count).toBe(1)
  await first.time.advance(1)
  await becomes(first.replicas, 2)

  await second.replicas.close()
  expect(await members()).toEqual(['first'])
  await first.time.advance(5_000)
  await becomes(first.replicas, 1)

  start('silent')
  expect(await eventually(async () => String(await members()).includes('silent'), 5_000)).toBe(true)
  // Each sign of life waits for the answer to the one before.
  for (let beat = 0; beat < 3; beat += 1) {
    await first.time.advance(5_000)
    const nowMs = first.time.clock.now()
    const heard = async () => Number(await redis.command('ZSCORE', 'weir:replicas', 'first')) === nowMs
    expect(await eventually(heard, 5_000)).toBe(true)
  }
  await becomes(first.replicas, 1)
  expect(await members()).toEqual(['first'])
  await first.replicas.close()
  expect(await members()).toEqual([])
})

test.each([7_200_000, -7_200_000])('a process whose clock is off by %p ms knows it', async (offMs) => {
  const { client } = connection
  const replicas = createReplicas({ client, id: 'skewed', now: () => Date.now() + offMs })
  expect(await eventually(async () => Math.abs(replicas.clockAheadMs + offMs) < 1_000, 5_000)).toBe(true)
  await replicas.close()
})

test('what was known last stays while Redis takes no writes, and while it is away', async () => {
  start('one')
  const { time, replicas } = start('two')
  await becomes(replicas, 2)
  await redis.command('CONFIG', 'SET', 'maxmemory', '1')
  const isEmpty = async (): Promise<boolean> => {
    await time.advance(5_000)
    return String(await members()) === ''
  }
  // Nobody can write itself down any more, and those that are there grow old.
  expect(await eventually(isEmpty, 5_000)).toBe(true)
  await connection.client.get('nothing')
  expect(replicas.count).toBe(2)

  redis.signal('SIGKILL')
  await time.advance(20_000)
  await replicas.close()
  expect(replicas.count).toBe(2)
  await redis.restart()
  expect(await eventually(async () => connection.client.status === 'ready', 10_000)).toBe(true)
})
