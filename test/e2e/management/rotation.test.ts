import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import postgres from 'postgres'
import type { RunningGateway } from '../../support/command.ts'
import { chat, hasStatus, textOf, within } from './support/http.ts'
import { done, manage, openScene, type Scene, SLOW_MS, SPREAD_MS } from './support/scene.ts'

setDefaultTimeout(2 * SLOW_MS)

/** Due keys are looked for every five seconds; the rest is for a busy machine. */
const LOOK_MS = 20_000

interface Made {
  readonly id: string
  readonly key: string
}

let scene: Scene
let first: RunningGateway
let second: RunningGateway
let sql: postgres.Sql

beforeAll(async () => {
  scene = await openScene({ store: 'postgres' })
  first = await scene.start()
  second = await scene.start()
  sql = postgres(scene.databaseUrl ?? '', { max: 1, onnotice: () => undefined })
})
afterAll(async () => {
  await sql.end()
  await scene.close()
})

const create = async (gateway: RunningGateway, name: string): Promise<Made> => {
  const rotation_policy = { rotation_period_days: 7, key_transition_period_ms: 3_600_000 }
  const body = { name, scopes: ['completions.write'], rotation_policy }
  const reply = await done(gateway, 'POST', '/v2/api-keys/service', body)
  return { id: textOf(reply, 'id'), key: textOf(reply, 'key') }
}

const createMany = async (gateway: RunningGateway, name: string, count: number): Promise<readonly Made[]> => {
  const made: Made[] = []
  for (let index = 0; index < count; index++) made.push(await create(gateway, name))
  return made
}

const makeDue = (name: string) =>
  sql`update api_keys set next_rotation_at = now() - interval '1 minute' where name = ${name}`

const waiting = async (name: string): Promise<number> => {
  const [row] = await sql`select count(rotated_secret)::int as count from api_keys where name = ${name}`
  return row?.count
}

/** How often each key was rotated, as the audit log tells. */
const rotationsOf = async (keys: readonly Made[]): Promise<readonly number[]> => {
  const rows = await sql`
    select object_id, count(*)::int as count from audit_log
    where action = 'api_keys.rotate' and actor_kind = 'system' group by object_id`
  const counts = new Map(rows.map(({ object_id, count }) => [object_id, count]))
  return keys.map(({ id }) => counts.get(id) ?? 0)
}

/** Waits until so many secrets wait. */
const waitFor = async (name: string, fits: (count: number) => boolean, deadlineMs = LOOK_MS): Promise<void> => {
  const startMs = performance.now()
  for (;;) {
    const count = await waiting(name)
    if (fits(count)) return
    if (performance.now() - startMs > deadlineMs) throw new Error(`${count} of '${name}' after ${deadlineMs} ms`)
    await Bun.sleep(10)
  }
}

const ones = (count: number): readonly number[] => Array.from({ length: count }, () => 1)

const collected: string[] = []
/** The new secret works on both, beside the old one. */
const collectAndUse = async (
  { id, key }: Made,
  at: RunningGateway,
  others: readonly RunningGateway[],
): Promise<void> => {
  const secret = textOf(await done(at, 'POST', `/v2/api-keys/${id}/rotated-key`), 'key')
  collected.push(secret)
  for (const gateway of others) {
    await within(SPREAD_MS, () => chat(gateway.url, secret), hasStatus(200))
    expect((await chat(gateway.url, key)).status).toBe(200)
    expect((await manage(gateway, 'POST', `/v2/api-keys/${id}/rotated-key`)).status).toBe(404)
  }
}

describe('two processes on one Postgres', () => {
  test('rotate each key that is due once between them, and either hands out its secret', async () => {
    const keys = await createMany(first, 'shared', 40)
    await makeDue('shared')
    await waitFor('shared', (count) => count === keys.length)
    // Both have looked once more.
    await Bun.sleep(6_000)
    expect(await rotationsOf(keys)).toEqual(ones(keys.length))
    const [one, other] = keys
    if (one === undefined || other === undefined) throw new Error('no keys')
    await collectAndUse(one, first, [first, second])
    await collectAndUse(other, second, [first, second])
  })

  test('when one is killed at work, the other does the rest, and no key is rotated twice', async () => {
    const keys = await createMany(second, 'killed', 60)
    await makeDue('killed')
    await waitFor('killed', (count) => count > 0)
    await first.stop('SIGKILL')
    await waitFor('killed', (count) => count === keys.length)
    expect(await rotationsOf(keys)).toEqual(ones(keys.length))
    first = await scene.start()
    for (const key of keys.slice(0, 3)) await collectAndUse(key, first, [first, second])
  })

  test('a key that was due for weeks while none ran is rotated once, at the next start', async () => {
    const keys = await createMany(first, 'stopped', 3)
    await Promise.all([first.stop('SIGTERM'), second.stop('SIGTERM')])
    await sql`
      update api_keys set next_rotation_at = now() - interval '30 days', rotation_policy = jsonb_set(
        rotation_policy, '{anchorAt}', to_jsonb(to_char(now() at time zone 'UTC' - interval '37 days', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
      ) where name = 'stopped'`
    first = await scene.start()
    await waitFor('stopped', (count) => count === keys.length, 5_000)
    second = await scene.start()
    await Bun.sleep(6_000)
    expect(await rotationsOf(keys)).toEqual(ones(keys.length))
    const [row] =
      await sql`select min(next_rotation_at) > now() + interval '3 days' as is_far from api_keys where name = 'stopped'`
    expect(row?.is_far).toBe(true)
    for (const key of keys) await collectAndUse(key, second, [first, second])
  })

  test('no process wrote a secret, nor does the database hold one in clear', async () => {
    expect(collected.length).toBeGreaterThan(5)
    const [row] =
      await sql`select string_agg(api_keys::text, ' ') || (select string_agg(audit_log::text, ' ') from audit_log) as all from api_keys`
    const written = scene.output() + String(row?.all)
    for (const secret of collected) expect(written.includes(secret)).toBe(false)
    expect(scene.output()).toContain('an API key was rotated')
    expect(scene.output()).not.toContain('could not be rotated')
  })
})
