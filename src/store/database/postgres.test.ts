import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createServer, type Server, type Socket, connect as tcpConnect } from 'node:net'
import { sql } from 'drizzle-orm'
import { type PrivateDatabase, privateDatabase } from '../../../test/support/services.ts'
import { openStore, type Store } from '../db.ts'
import { StoreUnavailable } from '../errors.ts'
import { createOrganisation } from '../objects/tenancy.ts'
import { rejection, until } from '../testing.ts'
import { describePostgresUrl } from './postgres-url.ts'

let database: PrivateDatabase
beforeAll(async () => {
  database = await privateDatabase()
})
afterAll(() => database.drop())

/** Stands between the store and the server, and can stop passing anything on, as a network that lost its way does. */
const startProxy = async (targetUrl: string) => {
  const target = new URL(targetUrl)
  const sockets = new Set<Socket>()
  const frozen = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = tcpConnect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (chunk) => frozen.has(from) || to.write(chunk))
      from.on('close', () => to.destroy())
      from.on('error', () => to.destroy())
    }
  })
  const port = await listen(server)
  const url = new URL(targetUrl)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    /** What is connected now stays so and goes silent; later connections work. */
    freeze: () => {
      for (const socket of sockets) frozen.add(socket)
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })

const open = (databaseUrl: string, queryTimeoutMs = 5_000): Promise<Store> =>
  openStore({ databaseUrl, dataDir: 'unused', queryTimeoutMs })

describe('a database that cannot be reached', () => {
  test('is refused at once, named without its password', async () => {
    const error = await rejection(open('postgres://someone:s3cr3t-word@127.0.0.1:1/weir'))
    expect(error).toBeInstanceOf(StoreUnavailable)
    expect(error.message).toBe('The database at 127.0.0.1:1 cannot be used: connection refused.')
    expect(Bun.inspect(error, { depth: 10 })).not.toContain('s3cr3t-word')
  })

  test('is given up within 5 s when it accepts and says nothing', async () => {
    const silent = createServer(() => undefined)
    const port = await listen(silent)
    const startedAtMs = performance.now()
    const error = await rejection(open(`postgres://someone:s3cr3t-word@127.0.0.1:${port}/weir`))
    expect(error.message).toBe(`The database at 127.0.0.1:${port} cannot be used: no answer.`)
    expect(performance.now() - startedAtMs).toBeLessThan(5_000)
    silent.close()
  }, 10_000)

  test('names a database that does not exist', async () => {
    const url = new URL(database.url)
    url.pathname = '/no_such_database'
    expect((await rejection(open(url.href))).message).toContain('the database does not exist')
  })
})

describe('describePostgresUrl', () => {
  test.each([
    ['postgres://weir:pass@db.example/weir', 'db.example:5432'],
    ['postgresql://db.example:6432/weir?sslmode=require', 'db.example:6432'],
    ['postgres://weir:p%40ss@one:1,two/weir', 'one:1,two:5432'],
    ['postgres://weir:pass@[::1]:5433/weir', '[::1]:5433'],
  ])('%s is %s', (url, hosts) => {
    expect(describePostgresUrl(url)).toBe(hosts)
  })

  test.each([
    'postgres://weir:hide@me@db/weir',
    'postgres://weir:hide/me@db/weir',
    'postgres://weir:hide?me@db/weir',
    'postgres://weir:hide#me@db/weir',
    'postgres://weir:hideme%@db/weir',
    'mysql://weir:hideme@db/weir',
    'postgres://weir:hideme@db:port/weir',
    'hideme',
  ])('%s is refused without a word of it', (url) => {
    const error = (() => {
      try {
        return describePostgresUrl(url)
      } catch (thrown) {
        return thrown
      }
    })()
    expect(error).toBeInstanceOf(StoreUnavailable)
    expect(String(error)).not.toMatch(/hide|me@/)
  })
})

describe('deadlines', () => {
  test('a query that is too slow ends in time and leaves the store usable', async () => {
    const store = await open(database.url, 200)
    const error = await rejection(store.db.execute(sql`select pg_sleep(20)`))
    expect(error).toBeInstanceOf(StoreUnavailable)
    await store.ping()
    await store.close()
  })

  test('waiting for a free connection ends in time, and what was given up is not done later', async () => {
    const store = await open(database.url, 400)
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    const holders = Array.from({ length: 8 }, () =>
      store.db.transaction(async (transaction) => {
        // The server would end what idles for as long as the deadline, and the test would race with it.
        await transaction.execute(sql`set local idle_in_transaction_session_timeout = 0`)
        await held
      }),
    )
    const holding = Promise.allSettled(holders)
    let wasRun = false
    const late = store.db.transaction(async () => {
      wasRun = true
    })
    expect(await rejection(late)).toBeInstanceOf(StoreUnavailable)
    letGo()
    await holding
    await store.ping()
    expect(wasRun).toBe(false)
    await store.close()
  })

  test('connections whose server fell silent are replaced', async () => {
    const proxy = await startProxy(database.url)
    const store = await open(proxy.url, 300)
    await store.ping()
    proxy.freeze()
    expect((await rejection(store.ping())).message).toMatch(
      /^The database at 127\.0\.0\.1:\d+ did not answer in 300 ms\.$/,
    )
    await store.ping()
    expect((await createOrganisation(store.db, { name: 'after' })).name).toBe('after')
    await store.close()
    proxy.close()
  })
})

test('listening goes on after its connection was lost, and says that changes may have been missed', async () => {
  const store = await open(database.url)
  const heard: string[] = []
  const stop = await store.onChange((table) => heard.push(table))
  await store.db.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query ilike 'listen%'`)
  await until(() => heard.includes('*'))
  await createOrganisation(store.db, { name: 'later' })
  await until(() => heard.includes('organisations'))
  await stop()
  await store.close()
})

test('one gateway hears what another one changes', async () => {
  const [here, there] = await Promise.all([open(database.url), open(database.url)])
  const heard: string[] = []
  await here.onChange((table) => heard.push(table))
  await createOrganisation(there.db, { name: 'elsewhere' })
  await until(() => heard.includes('organisations'))
  await Promise.all([here.close(), there.close()])
})
