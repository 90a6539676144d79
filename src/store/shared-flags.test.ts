import { afterEach, describe, expect, test } from 'bun:test'
import { testServices } from '../../test/support/services.ts'
import { connectRedis } from './redis.ts'
import { createSharedFlags, type RedisFlags } from './shared-flags.ts'

const NEVER_MS = 3_600_000

const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

interface Gateway {
  readonly flags: RedisFlags
  readonly errors: unknown[]
  /** Exchanges that failed. */
  failures: number
  /** Whether this process cannot reach the server. */
  isAway: boolean
  advance(ms: number): void
}

const gateway = async (url: string, key: string, pollIntervalMs: number): Promise<Gateway> => {
  const redis = await connectRedis(url, { timeoutMs: 5_000, commandTimeoutMs: 2_000, onError: () => undefined })
  const errors: unknown[] = []
  let passedMs = 0
  const link = { isAway: false, failures: 0 }
  const now = (): number => performance.now() + passedMs
  // The one command that every exchange begins with.
  const client = new Proxy(redis.client, {
    get(target, name) {
      if (name !== 'time' || !link.isAway) return Reflect.get(target, name, target)
      link.failures++
      return () => Promise.reject(new Error('away'))
    },
  })
  const flags = createSharedFlags({ client, now, key, pollIntervalMs, onError: (error) => errors.push(error) })
  const advance = (ms: number): void => {
    passedMs += ms
  }
  opened.push(async () => {
    await flags.close()
    await redis.client.del(key)
    await redis.close()
  })
  return Object.assign(link, { flags, errors, advance })
}

const soon = async (holds: () => boolean): Promise<void> => {
  const deadlineMs = performance.now() + 5_000
  while (!holds()) {
    if (performance.now() > deadlineMs) throw new Error('it did not come about')
    await Bun.sleep(5)
  }
}

const { redisUrl, redisClusterUrl } = testServices()

describe.each([
  ['one server', redisUrl],
  ['a cluster', redisClusterUrl],
])('flags on %s', (_name, url) => {
  const uniqueKey = (): string => `test-flags:${crypto.randomUUID()}`

  test('are up at once where they were raised, and soon everywhere, until they are lowered', async () => {
    const key = uniqueKey()
    const first = await gateway(url, key, 10)
    const second = await gateway(url, key, 10)
    expect(first.flags.has('breaker')).toBe(false)
    first.flags.raise('breaker', 60_000)
    expect(first.flags.has('breaker')).toBe(true)
    await soon(() => second.flags.has('breaker'))
    expect(second.flags.has('another')).toBe(false)
    second.flags.lower('breaker')
    expect(second.flags.has('breaker')).toBe(false)
    await soon(() => !first.flags.has('breaker'))
    expect([...first.errors, ...second.errors]).toEqual([])
  })

  test('end by themselves, and one that is raised again lasts longer', async () => {
    const alone = await gateway(url, uniqueKey(), NEVER_MS)
    alone.isAway = true
    const { flags, advance } = alone
    flags.raise('short', 1_000)
    flags.raise('long', 1_000)
    advance(900)
    flags.raise('long', 1_000)
    advance(101)
    expect([flags.has('short'), flags.has('long')]).toEqual([false, true])
    advance(900)
    expect(flags.has('long')).toBe(false)
  })

  test('a process that starts later sees what is up, for as long as is left by the clock of the server', async () => {
    const key = uniqueKey()
    const first = await gateway(url, key, NEVER_MS)
    first.flags.raise('old', 500)
    first.flags.raise('new', 60_000)
    await first.flags.close()
    const later = await gateway(url, key, 10)
    // Its own clock started elsewhere: what counts is what is left.
    later.advance(1_000_000)
    await soon(() => later.flags.has('new'))
    await soon(() => !later.flags.has('old'))
    expect(later.flags.has('new')).toBe(true)
  })
})

test('a server that goes away is reported once, and gets what it missed when it is back', async () => {
  const key = `test-flags:${crypto.randomUUID()}`
  const first = await gateway(redisUrl, key, 10)
  const other = await gateway(redisUrl, key, 10)
  first.isAway = true
  // An exchange that has begun before would still take the flag along.
  await soon(() => first.errors.length > 0)
  first.flags.raise('missed', 60_000)
  // Some more polls fail meanwhile.
  await soon(() => first.failures > 3)
  expect(first.errors).toHaveLength(1)
  expect(first.flags.has('missed')).toBe(true)
  expect(other.flags.has('missed')).toBe(false)
  first.isAway = false
  await soon(() => other.flags.has('missed'))
  first.isAway = true
  await soon(() => first.errors.length > 1)
})
