import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Redis } from 'ioredis'
import { type OwnRedis, startOwnRedis } from '../../../test/property/limits-redis/support/own-redis.ts'
import { createScriptRunner } from './redis-scripts.ts'

const keys = ['rl:{test-scripts}:limit:rpm:group', 'rl:{test-scripts}:limit:rpm:groups']
const args = [100, 600, 1, 62_000, 'group label']

/** A server that answers as it is told, and notes what it is asked. */
const fakeServer = (answers: Partial<Record<'evalsha' | 'eval', () => Promise<unknown>>>) => {
  const asked: string[] = []
  const client = new Redis({ lazyConnect: true })
  const answer = (name: 'evalsha' | 'eval') => () => {
    asked.push(name)
    return answers[name]?.() ?? Promise.resolve([name])
  }
  Object.assign(client, { evalsha: answer('evalsha'), eval: answer('eval') })
  return { client, asked }
}

const fails = (message: string) => () => Promise.reject(new Error(message))

describe('against a server', () => {
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

  /** Commands that the server ran, with how often. */
  const calls = async (name: string): Promise<number> =>
    Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(await client.info('commandstats'))?.[1] ?? 0)

  test('a script that the server has lost is sent as text once, and is known then', async () => {
    const run = createScriptRunner(client)
    await run('groups', keys.slice(0, 1), args)
    await client.script('FLUSH')
    await client.config('RESETSTAT')
    expect(await run('groups', keys.slice(0, 1), args)).toEqual([0, 0, 0])
    expect(await run('groups', keys.slice(0, 1), args)).toEqual([0, 0, 0])
    // One of the two digests was refused, which counts as a call.
    expect([await calls('evalsha'), await calls('eval')]).toEqual([2, 1])
  })

  test('a login that may not send digests sends text', async () => {
    await client.acl('SETUSER', 'plain', 'on', '>word', '~rl:*', '+@all', '-evalsha', '-script')
    const plain = new Redis(server.url, { username: 'plain', password: 'word' })
    const run = createScriptRunner(plain)
    expect(await run('groups', keys.slice(0, 1), args)).toEqual([0, 0, 0])
    expect(await run('groups', keys.slice(0, 1), args)).toEqual([0, 0, 0])
    plain.disconnect()
  })

  test('an error of the script passes through', async () => {
    const run = createScriptRunner(client)
    await expect(run('groups', keys.slice(0, 1), ['no number'])).rejects.toThrow(/attempt to/)
  })
})

describe('how a script is sent', () => {
  test('by its digest alone where that does', async () => {
    const { client, asked } = fakeServer({})
    expect(await createScriptRunner(client)('reset', keys, args)).toEqual(['evalsha'])
    expect(asked).toEqual(['evalsha'])
  })

  test('after a flush as text, each time that it is not known', async () => {
    const { client, asked } = fakeServer({ evalsha: fails('NOSCRIPT No matching script. Please use EVAL.') })
    const run = createScriptRunner(client)
    expect(await run('reset', keys, args)).toEqual(['eval'])
    expect(await run('reset', keys, args)).toEqual(['eval'])
    expect(asked).toEqual(['evalsha', 'eval', 'evalsha', 'eval'])
  })

  test.each([
    "NOPERM this user has no permissions to run the 'evalsha' command or its subcommand",
    "NOPERM User gateway has no permissions to run the 'evalsha' command",
    "ERR unknown command 'EVALSHA', with args beginning with: ",
  ])('as text for good after %j', async (message) => {
    const { client, asked } = fakeServer({ evalsha: fails(message) })
    const run = createScriptRunner(client)
    expect(await run('reset', keys, args)).toEqual(['eval'])
    expect(await run('reset', keys, args)).toEqual(['eval'])
    expect(asked).toEqual(['evalsha', 'eval', 'eval'])
  })

  test.each([
    'OOM command not allowed',
    'READONLY You can not write',
    'Command timed out',
    'NOPERM No permissions to access a key',
  ])('not again after %j', async (message) => {
    const { client, asked } = fakeServer({ evalsha: fails(message) })
    await expect(createScriptRunner(client)('reset', keys, args)).rejects.toThrow(message)
    expect(asked).toEqual(['evalsha'])
  })
})
