import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openStore, type Store } from '../../../src/store/db.ts'
import { tryChangesLock } from '../../../src/store/locks.ts'
import { SLOW_START_MS, temporaryFolder } from '../../../src/store/testing.ts'
import { type PrivateDatabase, privateDatabase } from '../../support/services.ts'
import { expectError } from './expect-error.ts'
import { routesUnderTest } from './routes-under-test.ts'
import { caller, createWorld, type World } from './world.ts'

const folder = temporaryFolder()
let database: PrivateDatabase
let stores: readonly Store[] = []
let world: World
/** Each as a process of its own has it: with other connections to the same database. */
let processes: readonly World['call'][]

beforeAll(async () => {
  database = await privateDatabase()
  const open = () => openStore({ dataDir: folder.path, databaseUrl: database.url })
  const [first, second] = [await open(), await open()]
  stores = [first, second]
  world = await createWorld(first, await routesUnderTest(first))
  processes = [world.call, caller(second, await routesUnderTest(second), [], {})]
}, SLOW_START_MS)
afterAll(async () => {
  for (const store of stores) await store.close()
  await database.drop()
  folder.remove()
}, SLOW_START_MS)

const BODY = {
  ...{ name: 'a limit', type: 'requests', unit: 'rpm', value: 1 },
  ...{ conditions: [{ key: 'api_key', value: '*' }], group_by: [{ key: 'api_key' }] },
}
const PATH = '/policies/rate-limits'

const makeLimit = async () => {
  const token = world.ours.admin
  const made = await world.call({ method: 'POST', path: PATH, token, body: BODY })
  expect(made.status).toBe(200)
  const path = `${PATH}/${made.body.id}`
  const look = () => world.call({ method: 'GET', path, token })
  return { path, token, look, tag: (await look()).headers.get('etag') ?? '' }
}

test('of many changes from several processes with the same tag exactly one is done, again and again', async () => {
  const { path, token, look, tag: first } = await makeLimit()
  let tag = first
  for (let round = 1; round <= 20; round++) {
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const value = round * 100 + index
        const call = processes[index % processes.length] ?? world.call
        const answer = await call({ method: 'PUT', path, token, body: { value }, headers: { 'if-match': tag } })
        return { value, status: answer.status }
      }),
    )
    const done = answers.filter(({ status }) => status === 200)
    expect(done).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(7)
    const now = await look()
    expect(now.body.value).toBe(done[0]?.value)
    tag = now.headers.get('etag') ?? ''
  }
}, 60_000)

test('one with a tag loses nothing that one without a tag wrote meanwhile, whatever path that came by', async () => {
  const token = world.ours.admin
  const [one, other] = processes
  if (one === undefined || other === undefined) throw new Error('there are two processes')
  const body = { name: 'Shared', slug: 'shared', provider: 'openai', key: 'sk-of-the-sample-0123456789' }
  await one({ method: 'POST', path: '/virtual-keys', token, body })
  for (let round = 1; round <= 20; round++) {
    const { headers } = await one({ method: 'GET', path: '/providers/shared', token })
    const known = { 'if-match': headers.get('etag') ?? '' }
    const [tagged, plain] = await Promise.all([
      one({ method: 'PUT', path: '/providers/shared', token, body: { name: `tagged ${round}` }, headers: known }),
      other({ method: 'PUT', path: '/virtual-keys/shared', token, body: { name: `plain ${round}` } }),
    ])
    expect(plain.status).toBe(200)
    const { name } = (await one({ method: 'GET', path: '/providers/shared', token })).body
    // Either it was there first, and was written over by one that asked for nothing, or it was refused.
    expect([200, 412]).toContain(tagged.status)
    expect(name).toBe(`plain ${round}`)
  }
}, 60_000)

test('others that never end are waited for a while, not for ever, and change nothing meanwhile', async () => {
  const { path, token, look, tag } = await makeLimit()
  const mayEnd = Promise.withResolvers<void>()
  const isHeld = Promise.withResolvers<void>()
  // Longer than the store lets a transaction of ours last: it comes from somebody else.
  const held = holdLock(world.ours.organisationId, isHeld.resolve, mayEnd.promise)
  await isHeld.promise
  const startedAtMs = performance.now()
  const change = { method: 'PUT', path, token, body: { value: 9 } } as const
  const refused = await world.call({ ...change, headers: { 'if-match': tag } })
  expectError(refused, 'management_unavailable')
  expect(refused.headers.get('retry-after')).toBe('1')
  expect(performance.now() - startedAtMs).toBeLessThan(15_000)
  expect((await look()).headers.get('etag')).toBe(tag)
  // Those that compare nothing do not wait for each other.
  expect((await world.call(change)).status).toBe(200)
  mayEnd.resolve()
  await held
}, 60_000)

const holdLock = async (organisationId: string, onHeld: () => void, mayEnd: Promise<void>): Promise<void> => {
  const store = await openStore({ dataDir: folder.path, databaseUrl: database.url, queryTimeoutMs: 60_000 })
  await store.db.transaction(async (transaction) => {
    expect(await tryChangesLock(transaction, organisationId, false)).toBe(true)
    onHeld()
    await mayEnd
  })
  await store.close()
}
