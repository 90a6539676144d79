import { expect, test } from 'bun:test'
import { Cluster, Redis } from 'ioredis'
import postgres from 'postgres'
import { privateDatabase, testServices } from './services.ts'

test('Redis answers', async () => {
  const client = new Redis(testServices().redisUrl)
  try {
    expect(await client.ping()).toBe('PONG')
    expect(await client.info('cluster')).toContain('cluster_enabled:0')
  } finally {
    client.disconnect()
  }
})

test('every node of the Redis Cluster takes its share of the keys', async () => {
  const nodes = testServices().redisClusterUrl.split(',')
  expect(nodes).toHaveLength(3)
  const cluster = new Cluster(nodes)
  const keys = Array.from({ length: 64 }, (_, index) => `services-test:${index}`)
  try {
    for (const key of keys) expect(await cluster.set(key, key, 'EX', 60)).toBe('OK')
    const sizes = await Promise.all(cluster.nodes('master').map((node) => node.dbsize()))
    expect(sizes).toHaveLength(3)
    expect(Math.min(...sizes)).toBeGreaterThan(0)
    for (const key of keys) expect(await cluster.get(key)).toBe(key)
  } finally {
    cluster.disconnect()
  }
})

test('private databases are empty, apart, and gone after drop', async () => {
  const [one, other] = await Promise.all([privateDatabase(), privateDatabase()])
  expect(one.url).not.toBe(other.url)
  const sql = postgres(one.url, { max: 1 })
  try {
    await sql`create table seen (id integer)`
    const [row] = await sql`select count(*)::int as tables from pg_tables where schemaname = 'public'`
    expect(row?.tables).toBe(1)
  } finally {
    await sql.end()
    await Promise.all([one.drop(), other.drop()])
  }
  const late = postgres(one.url, { max: 1 })
  try {
    await expect(late`select 1`.execute()).rejects.toThrow('does not exist')
  } finally {
    await late.end()
  }
})

test('a missing variable is named, with what to run instead', () => {
  const environment = { TEST_DATABASE_URL: 'postgres://127.0.0.1/x', TEST_REDIS_URL: '' }
  expect(() => testServices(environment)).toThrow('TEST_REDIS_URL is not set: run the tests with `bun run test`')
})
