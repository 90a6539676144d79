import { describe, expect, test } from 'bun:test'
import { createServer } from 'node:net'
import { Cluster, Redis } from 'ioredis'
import { testServices } from '../../test/support/services.ts'
import { StoreUnavailable } from './errors.ts'
import { connectRedis } from './redis.ts'
import { rejection } from './testing.ts'

const { redisUrl, redisClusterUrl } = testServices()
const [firstClusterUrl = ''] = redisClusterUrl.split(',')
// Room for a machine that is busy with other tests.
const patient = { timeoutMs: 10_000, commandTimeoutMs: 5_000 }

describe('connectRedis', () => {
  test.each([
    ['one server', redisUrl, 'single', Redis],
    ['the nodes of a cluster', redisClusterUrl, 'cluster', Cluster],
    ['one node, found to be of a cluster', firstClusterUrl, 'cluster', Cluster],
  ] as const)('connects to %s', async (_title, url, kind, type) => {
    const connection = await connectRedis(url, patient)
    expect(connection.kind).toBe(kind)
    expect(connection.client).toBeInstanceOf(type)
    await connection.ping()
    const key = `weir-test:${crypto.randomUUID()}`
    await connection.client.set(key, 'value', 'EX', 10)
    expect(await connection.client.get(key)).toBe('value')
    await connection.close()
    expect(connection.client.status).toBe('end')
    await connection.close()
  })

  test('a closed connection fails rather than waits', async () => {
    const connection = await connectRedis(redisUrl, patient)
    await connection.close()
    expect(await rejection(connection.ping())).toBeInstanceOf(StoreUnavailable)
  })

  test.each(['redis://me:s3cr3t-word@127.0.0.1:1', 'redis://me:s3cr3t-word@127.0.0.1:1,redis://127.0.0.1:2'])(
    'gives up %s in time, with the reason and without the password',
    async (url) => {
      const startedAtMs = performance.now()
      const error = await rejection(connectRedis(url, { timeoutMs: 300 }))
      expect(error).toBeInstanceOf(StoreUnavailable)
      expect(error.message).toMatch(
        /^Redis at 127\.0\.0\.1:1(,127\.0\.0\.1:2)? cannot be used: connection refused( or closed)?\.$/,
      )
      expect(Bun.inspect(error, { depth: 10 })).not.toContain('s3cr3t-word')
      expect(performance.now() - startedAtMs).toBeLessThan(2_000)
    },
  )

  test('gives up a server that accepts and says nothing', async () => {
    const silent = createServer(() => undefined)
    const port = await new Promise<number>((resolve) => {
      silent.listen(0, '127.0.0.1', () => {
        const address = silent.address()
        resolve(typeof address === 'object' && address !== null ? address.port : 0)
      })
    })
    const error = await rejection(connectRedis(`redis://127.0.0.1:${port}`, { timeoutMs: 200 }))
    expect(error.message).toBe(`Redis at 127.0.0.1:${port} cannot be used: no answer.`)
    silent.close()
  })

  test('names a refused login', async () => {
    const url = redisUrl.replace('redis://', 'redis://nobody:s3cr3t-word@')
    const heard: Error[] = []
    const onError = (error: Error) => heard.push(error)
    const error = await rejection(connectRedis(url, { timeoutMs: 1_000, onError }))
    expect(error.message).toContain('the login was refused')
    expect(heard.length).toBeGreaterThan(0)
    expect(Bun.inspect([error, ...heard], { depth: 10 })).not.toContain('s3cr3t-word')
  })

  test.each([
    'hideme',
    'http://hideme',
    'redis://me:hide@me@host',
    'redis://me:12/hideme@host',
    'redis://me:hideme%@host',
    'redis://one,hideme',
    '',
  ])('refuses "%s" without a word of it', async (url) => {
    const error = await rejection(connectRedis(url, patient))
    expect(error).toBeInstanceOf(StoreUnavailable)
    expect(error.message).not.toContain('hide')
  })
})
