import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Cluster, Redis } from 'ioredis'
import { type OwnRedis, startOwnRedis } from '../../../test/property/limits-redis/support/own-redis.ts'
import { testServices } from '../../../test/support/services.ts'
import { checkRedis, problemsOf } from './redis-checks.ts'

interface Line {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

const createLog = () => {
  const lines: Line[] = []
  const at =
    (level: Line['level']) =>
    (message: string, fields: Line['fields'] = {}): void => {
      lines.push({ level, message, fields })
    }
  return { lines, log: { info: at('info'), warn: at('warn'), error: at('error') } }
}

describe('problemsOf', () => {
  test('nothing is wrong with what is not told', () => {
    expect(problemsOf({})).toEqual([])
  })

  test.each(['6.2.0', '7.0.15', '8.2.1', '10.0.0'])('version %s will do', (version) => {
    expect(problemsOf({ version })).toEqual([])
  })

  test.each(['6.0.16', '5.0.14', '2.8.0'])('version %s is too old', (version) => {
    expect(problemsOf({ version })).toEqual([`Redis ${version} is older than 6.2: use a newer one.`])
  })

  test.each(['allkeys-lru', 'allkeys-lfu', 'allkeys-random', 'volatile-lru', 'volatile-lfu', 'volatile-random'])(
    '%s may forget',
    (evictionPolicy) => {
      expect(problemsOf({ evictionPolicy })).toEqual([expect.stringContaining(`maxmemory-policy ${evictionPolicy}`)])
    },
  )

  test.each(['noeviction', 'volatile-ttl'])('%s will do', (evictionPolicy) => {
    expect(problemsOf({ evictionPolicy })).toEqual([])
  })

  test('hashes have to stay in their compact form up to 128 fields', () => {
    expect(problemsOf({ compactFields: 127 })).toEqual([expect.stringContaining('hash-max-listpack-entries 127')])
    expect(problemsOf({ compactFields: 128 })).toEqual([])
  })

  test('clocks may differ by half a second', () => {
    expect(problemsOf({ clockAheadMs: 500 })).toEqual([])
    expect(problemsOf({ clockAheadMs: -500 })).toEqual([])
    expect(problemsOf({ clockAheadMs: 501 })).toEqual([expect.stringContaining('differ by 501 ms')])
    expect(problemsOf({ clockAheadMs: -501 })).toEqual([expect.stringContaining('differ by 501 ms')])
  })
})

describe('checkRedis', () => {
  let server: OwnRedis
  let client: Redis
  beforeAll(async () => {
    server = await startOwnRedis()
    client = new Redis(server.url)
  })
  afterAll(async () => {
    client.disconnect()
    await server.close()
  })

  test('says nothing about a server that suits', async () => {
    const { lines, log } = createLog()
    await checkRedis(client, 'single', log, Date.now)
    expect(lines).toEqual([])
    expect(await client.dbsize()).toBe(0)
  })

  test('says nothing about a Cluster that suits', async () => {
    const cluster = new Cluster(testServices().redisClusterUrl.split(','))
    const { lines, log } = createLog()
    await checkRedis(cluster, 'cluster', log, Date.now)
    expect(lines).toEqual([])
    cluster.disconnect()
  })

  test('warns of each thing that is wrong, with the server', async () => {
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru')
    await client.config('SET', 'hash-max-listpack-entries', '64')
    const { lines, log } = createLog()
    await checkRedis(client, 'single', log, () => Date.now() - 60_000)
    await client.config('SET', 'maxmemory-policy', 'noeviction')
    await client.config('SET', 'hash-max-listpack-entries', '128')
    expect(lines.map(({ level, fields }) => [level, fields])).toEqual(
      Array.from({ length: 3 }, () => ['warn', { redis: server.url.replace('redis://', '') }]),
    )
    expect(lines.map(({ message }) => message)).toEqual([
      expect.stringContaining('maxmemory-policy allkeys-lru'),
      expect.stringContaining('hash-max-listpack-entries 64'),
      expect.stringMatching(/differ by (?:59|60)\d{3} ms/),
    ])
  })

  test('says once, and quietly, what a server does not tell', async () => {
    await client.acl('SETUSER', 'managed', 'on', '>word', '~rl:*', '+@all', '-config', '-info', '-script', '-evalsha')
    const managed = new Redis(server.url, { username: 'managed', password: 'word', enableReadyCheck: false })
    const { lines, log } = createLog()
    await checkRedis(managed, 'single', log, Date.now)
    managed.disconnect()
    expect(lines).toEqual([
      {
        level: 'info',
        message: expect.stringContaining('does not tell'),
        fields: { untold: ['version', 'eviction policy', 'compact hashes', 'script load'] },
      },
    ])
  })

  test('warns when scripts do not run at all, without what the driver says', async () => {
    await client.acl('SETUSER', 'bare', 'on', '>word', '~rl:*', '+@all', '-@scripting')
    const bare = new Redis(server.url, { username: 'bare', password: 'word' })
    const { lines, log } = createLog()
    await checkRedis(bare, 'single', log, Date.now)
    bare.disconnect()
    expect(lines.filter(({ level }) => level === 'warn')).toEqual([
      { level: 'warn', message: expect.stringContaining('does not run the scripts'), fields: { reason: 'NOPERM' } },
    ])
    expect(JSON.stringify(lines)).not.toMatch(/bare|word/)
  })

  test('does not fail when the server is away', async () => {
    const away = new Redis({ port: 1, lazyConnect: true, enableOfflineQueue: false, retryStrategy: () => null })
    away.on('error', () => undefined)
    const { lines, log } = createLog()
    await checkRedis(away, 'single', log, Date.now)
    expect(lines.map(({ level, fields }) => [level, fields.reason])).toEqual([
      ['info', undefined],
      ['warn', 'no answer'],
    ])
  })
})
