import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import postgres from 'postgres'
import type { RunningGateway } from '../../support/command.ts'
import { chat, hasStatus, type Reply, textOf, within } from './support/http.ts'
import { chatWith, done, manage, openScene, type Scene, SLOW_MS, SPREAD_MS, storeProvider } from './support/scene.ts'

setDefaultTimeout(SLOW_MS)

/** When no message comes: one poll of five seconds, and what the reading takes on a busy machine. */
const POLL_SPREAD_MS = 10_000

let scene: Scene
let first: RunningGateway
let second: RunningGateway

beforeAll(async () => {
  scene = await openScene({ store: 'postgres' })
  first = await scene.start()
  second = await scene.start()
})
afterAll(() => scene.close())

const createKey = async (gateway: RunningGateway): Promise<{ readonly id: string; readonly key: string }> => {
  const reply = await done(gateway, 'POST', '/v2/api-keys/service', { name: 'spread', scopes: ['completions.write'] })
  return { id: textOf(reply, 'id'), key: textOf(reply, 'key') }
}

/** A key is made, changed and revoked here, a provider made, changed and deleted: each is live there in time. */
const changesSpread = async (
  here: RunningGateway,
  there: RunningGateway,
  slug: string,
  deadlineMs: number,
): Promise<void> => {
  const { id, key } = await createKey(here)
  const call = (): Promise<Reply> => chat(there.url, key)
  await within(deadlineMs, call, hasStatus(200))
  await done(here, 'PUT', `/v2/api-keys/${id}`, { scopes: ['logs.view'] })
  await within(deadlineMs, call, hasStatus(403))
  await done(here, 'DELETE', `/v2/api-keys/${id}`)
  await within(deadlineMs, call, hasStatus(401))

  const ask = (): Promise<Reply> => chatWith(there, slug)
  await storeProvider(scene, here, { slug, key: 'sk-spread-0123456789abcdef0123456789' })
  await within(deadlineMs, ask, hasStatus(200))
  const models = { models: [{ slug: 'mock', enabled: false }], allow_all_models: true }
  await done(here, 'PUT', `/v2/integrations/${slug}-integration/models`, models)
  await within(deadlineMs, ask, hasStatus(412))
  await done(here, 'DELETE', `/v2/providers/${slug}`)
  await within(deadlineMs, ask, hasStatus(400))
}

const answersOf = async (gateway: RunningGateway): Promise<readonly string[]> => {
  const paths = ['/v2/api-keys/service', '/v2/providers', '/admin/v2/integrations', '/v1/models']
  const replies = await Promise.all(paths.map((path) => manage(gateway, 'GET', path)))
  return replies.map(({ status, text }) => `${status} ${text}`)
}

describe('two processes on one Postgres', () => {
  test('a change on either is live on the other soon', async () => {
    await changesSpread(first, second, 'there', SPREAD_MS)
    await changesSpread(second, first, 'back', SPREAD_MS)
  })

  test('a key that was refused as unknown on one works there soon after it was made on the other', async () => {
    const { key } = await createKey(first)
    const guess = `${key.slice(0, -4)}0000`
    expect((await chat(second.url, guess)).status).toBe(401)
    await within(SPREAD_MS, () => chat(second.url, key), hasStatus(200))
    expect((await chat(second.url, guess)).status).toBe(401)
  })

  test('when the listening connections are cut, changes are live within six seconds', async () => {
    await withDatabase(async (sql) => {
      const cut = await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'weir' and datname = current_database() and query ilike 'listen%'`
      expect(cut.length).toBeGreaterThanOrEqual(2)
    })
    await changesSpread(first, second, 'cut', POLL_SPREAD_MS)
  })

  test('when no message arrives at all, polling finds a revoked key and a new provider within six seconds', async () => {
    await withDatabase(async (sql) => {
      // Counts as before, but tells nobody.
      await sql.unsafe(`
        create or replace function weir_announce_change() returns trigger language plpgsql as $$
        begin perform nextval('weir_changes'); return null; end $$`)
    })
    const { id, key } = await createKey(first)
    expect([(await chat(first.url, key)).status, (await chat(second.url, key)).status]).toEqual([200, 200])
    await done(first, 'DELETE', `/v2/api-keys/${id}`)
    await storeProvider(scene, first, { slug: 'silent', key: 'sk-silent-0123456789abcdef0123456789' })
    await Promise.all([
      within(POLL_SPREAD_MS, () => chat(second.url, key), hasStatus(401)),
      within(POLL_SPREAD_MS, () => chatWith(second, 'silent'), hasStatus(200)),
      within(POLL_SPREAD_MS, () => chat(first.url, key), hasStatus(401)),
    ])
  })

  test('both give the same answers, and neither has logged a fault', async () => {
    expect(await answersOf(second)).toEqual([...(await answersOf(first))])
    expect(scene.output()).not.toContain('for a reason of ours')
  })
})

const withDatabase = async (work: (sql: postgres.Sql) => Promise<void>): Promise<void> => {
  const sql = postgres(scene.databaseUrl ?? '', { max: 1, onnotice: () => undefined })
  try {
    await work(sql)
  } finally {
    await sql.end()
  }
}
