import { afterEach, describe, expect, test } from 'bun:test'
import { testServices } from '../../test/support/services.ts'
import { connectRedis } from '../store/redis.ts'
import { createRedisCache } from './redis-cache.ts'
import { createAnswerSeal, SEAL_BYTES } from './seal-answers.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const SECRET = new Uint8Array(32).fill(7)

const open = async (url: string, prefix: string, secret = SECRET) => {
  const redis = await connectRedis(url, { timeoutMs: 5_000, commandTimeoutMs: 2_000, onError: () => undefined })
  closing.push(() => redis.close())
  const cache = createRedisCache({
    client: redis.client,
    secret,
    now: () => performance.now(),
    prefix,
    deadlineMs: 2_000,
  })
  return { redis, cache }
}

const until = async <T>(look: () => Promise<T> | T, holds: (value: T) => boolean): Promise<T> => {
  const deadlineMs = performance.now() + 5_000
  for (;;) {
    const value = await look()
    if (holds(value)) return value
    if (performance.now() > deadlineMs) throw new Error('it did not come about')
    await Bun.sleep(5)
  }
}

const { redisUrl, redisClusterUrl } = testServices()

describe.each([
  ['one server', redisUrl],
  ['a cluster', redisClusterUrl],
])('answers on %s', (_name, url) => {
  test('are bytes that every process finds, until they are deleted, and end with their time', async () => {
    const prefix = `test-answer:${crypto.randomUUID()}:`
    const one = await open(url, prefix)
    const two = await open(url, prefix)
    const value = new Uint8Array(new Uint8Array([9, 0, 255, 10, 13, 195, 40, 9]).buffer, 1, 6)
    expect(await one.cache.get('a')).toBeUndefined()
    one.cache.set('a', value, 3_600.9)
    const found = await until(
      () => two.cache.get('a'),
      (bytes) => bytes !== undefined,
    )
    expect([...(found ?? [])]).toEqual([0, 255, 10, 13, 195, 40])
    expect(await one.redis.client.ttl(`${prefix}a`)).toBeWithin(3_500, 3_601)
    two.cache.delete('a')
    await until(
      () => one.cache.get('a'),
      (bytes) => bytes === undefined,
    )
    one.cache.set('b', value, 0.5)
    expect(await one.cache.get('b')).toBeUndefined()
  })
})

describe('what a neighbour on the server reads and writes', () => {
  const ANSWER = Buffer.from('an answer that nobody else may read')

  const kept = async () => {
    const prefix = `test-answer:${crypto.randomUUID()}:`
    const { redis, cache } = await open(redisUrl, prefix)
    cache.set('a', ANSWER, 60)
    cache.set('b', Buffer.from('of b'), 60)
    const found = () => Promise.all([cache.get('a'), cache.get('b')])
    await until(found, (both) => both.every((bytes) => bytes !== undefined))
    const raw = (await redis.client.getBuffer(`${prefix}a`)) ?? Buffer.alloc(0)
    return { prefix, redis, cache, raw }
  }

  test('no word of an answer stands there', async () => {
    const { raw, cache } = await kept()
    expect(raw.length).toBe(ANSWER.length + SEAL_BYTES)
    expect(raw.includes('nobody')).toBe(false)
    expect(Buffer.from((await cache.get('a')) ?? []).equals(ANSWER)).toBe(true)
  })

  test.each<[string, (raw: Buffer) => Buffer]>([
    [
      'an entry without a seal',
      () => Buffer.from('{"storedAtMs":1,"model":"m","droppedParams":["a\\nb"],"tokens":1}\n{}'),
    ],
    ['nothing', () => Buffer.alloc(0)],
    ['one bit of it changed', (raw) => Buffer.from(raw.with(20, (raw[20] ?? 0) ^ 1))],
    ['an end behind it', (raw) => Buffer.concat([raw, Buffer.from('x')])],
    ['its end gone', (raw) => raw.subarray(0, -1)],
    ['more than is ever kept', () => Buffer.alloc(17 * 1024 * 1024)],
  ])('%s is a miss', async (_what, forge) => {
    const { prefix, redis, cache, raw } = await kept()
    await redis.client.set(`${prefix}a`, forge(raw))
    expect(await cache.get('a')).toBeUndefined()
  })

  test('an answer under the key of another question is a miss, and so is one of another installation', async () => {
    const { prefix, redis, cache, raw } = await kept()
    await redis.client.set(`${prefix}b`, raw)
    expect(await cache.get('b')).toBeUndefined()
    const other = await open(redisUrl, prefix, new Uint8Array(32).fill(8))
    expect(await other.cache.get('a')).toBeUndefined()
  })

  test('a value of another type is a miss, and the server is asked on', async () => {
    const { prefix, redis, cache } = await kept()
    await redis.client.del(`${prefix}a`)
    await redis.client.lpush(`${prefix}a`, 'x')
    expect(await cache.get('a')).toBeUndefined()
    expect(Buffer.from((await cache.get('b')) ?? []).toString()).toBe('of b')
  })
})

describe('a server that is away', () => {
  const away = (deadlineMs = 5) => {
    let nowMs = 0
    let asked = 0
    let isAway = true
    const errors: unknown[] = []
    const sent: string[] = []
    const answer = <T>(value: T): Promise<T> => {
      asked++
      return isAway ? new Promise(() => undefined) : Promise.resolve(value)
    }
    const cache = createRedisCache({
      client: {
        getrangeBuffer: () => answer(createAnswerSeal(SECRET).seal('a', Buffer.from('kept'))),
        set: (key: unknown) => {
          sent.push(String(key))
          return answer('OK' as const)
        },
        del: () => answer(1),
      } as unknown as Parameters<typeof createRedisCache>[0]['client'],
      secret: SECRET,
      now: () => nowMs,
      onError: (error) => errors.push(error),
      deadlineMs,
    })
    return {
      cache,
      errors,
      sent,
      asked: () => asked,
      advance: (ms: number) => {
        nowMs += ms
      },
      comeBack: () => {
        isAway = false
      },
    }
  }

  test('is a miss, is left alone for longer and longer, and is told of once', async () => {
    const { cache, errors, asked, advance, comeBack } = away()
    expect(await Promise.all([cache.get('a'), cache.get('b')])).toEqual([undefined, undefined])
    expect([asked(), errors.length]).toEqual([2, 1])
    for (const [pauseMs, more] of [
      [249, 0],
      [1, 1],
      [499, 0],
      [1, 1],
      [999, 0],
      [1, 1],
      [10_000, 1],
      [10_000, 1],
    ] as const) {
      const before = asked()
      advance(pauseMs)
      expect(await cache.get('a')).toBeUndefined()
      expect(asked() - before).toBe(more)
    }
    expect(errors).toHaveLength(1)
    comeBack()
    advance(10_000)
    expect(Buffer.from((await cache.get('a')) ?? []).toString()).toBe('kept')
    expect(Buffer.from((await cache.get('a')) ?? []).toString()).toBe('kept')
  })

  test('does not make answers that wait for it pile up', () => {
    const { cache, sent } = away(1_000)
    const large = new Uint8Array(6 * 1024 * 1024)
    for (const key of ['a', 'b', 'c', 'd']) cache.set(key, large, 60)
    expect(sent).toEqual(['weir:answer:a', 'weir:answer:b'])
  })
})
