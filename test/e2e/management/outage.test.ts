import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunningGateway } from '../../support/command.ts'
import { chat, hasStatus, type Reply, send, textOf, within } from './support/http.ts'
import { type OwnPostgres, startOwnPostgres } from './support/own-postgres.ts'
import {
  ADMIN_KEY,
  API_KEY,
  chatWith,
  done,
  manage,
  openScene,
  type Scene,
  SLOW_MS,
  SPREAD_MS,
  storeProvider,
} from './support/scene.ts'

setDefaultTimeout(SLOW_MS)

/** Its own backoff ends at two seconds, the pool is replaced after a silence of five. */
const RECOVERY_MS = 15_000
const NEW_KEYS = 5

let folder: string
let database: OwnPostgres
let scene: Scene
let gateway: RunningGateway
/** Keys that are stored and that the gateway has not seen yet. */
const unseen: string[] = []
let known: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-outage-'))
  await chmod(folder, 0o711)
  database = await startOwnPostgres(join(folder, 'postgres'))
  scene = await openScene({ store: 'postgres', databaseUrl: database.url })
  gateway = await scene.start()
  for (let number = 0; number < NEW_KEYS; number++) unseen.push(await createKey())
  known = await createKey()
  await storeProvider(scene, gateway, { slug: 'prod', key: 'sk-outage-0123456789abcdef0123456789' })
  await within(SPREAD_MS, () => chatWith(gateway, 'prod'), hasStatus(200))
  expect((await chat(gateway.url, known)).status).toBe(200)
  expect((await manage(gateway, 'GET', '/v2/providers')).status).toBe(200)
})
afterAll(async () => {
  await scene.close()
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

const createKey = async (): Promise<string> => {
  const body = { name: 'outage', scopes: ['completions.write'] }
  return textOf(await done(gateway, 'POST', '/v2/api-keys/service', body), 'key')
}

/** Another one each time: one that was refused lately is refused without asking. */
const madeUpKey = (): string => `made-up-key-${crypto.randomUUID()}`

const readiness = (): Promise<Reply> => send(`${gateway.url}/readyz`)

/** Everything a client and an operator can see while the database is away. */
const expectOutage = async (): Promise<void> => {
  const key = unseen.pop() ?? ''
  const [ready, health, list, create, whoever, stored, unknown, token] = await Promise.all([
    readiness(),
    send(`${gateway.url}/healthz`),
    manage(gateway, 'GET', '/v2/providers'),
    manage(gateway, 'POST', '/v2/api-keys/service', { name: 'lost', scopes: ['completions.write'] }),
    send(`${gateway.url}/v2/providers`, { token: key }),
    chat(gateway.url, key),
    chat(gateway.url, madeUpKey()),
    send(`${gateway.url}/oauth/token`, {
      method: 'POST',
      body: { grant_type: 'client_credentials', client_id: crypto.randomUUID(), client_secret: key },
    }),
    // Keys and providers that are known serve throughout, and at once.
    ...Array.from({ length: 20 }, () => serves()),
  ])
  expect(ready).toMatchObject({ status: 503, body: { ready: false, database: { kind: 'postgres', ok: false } } })
  expect(health).toMatchObject({ status: 200, body: { status: 'ok' } })
  for (const refused of [list, create, whoever]) {
    expect(refused).toMatchObject({
      status: 503,
      body: {
        success: false,
        data: { errorCode: 'AB04' },
        error: { code: 'AB04', type: 'internal_error', param: null },
      },
    })
    expect(refused.headers.get('retry-after')).toBe('1')
  }
  for (const refused of [stored, unknown]) {
    expect(refused).toMatchObject({
      status: 503,
      body: { error: { code: 'store_unavailable', type: 'internal_error' } },
    })
  }
  expect(token).toMatchObject({ status: 503, body: { error: 'temporarily_unavailable' } })
}

const serves = async (): Promise<void> => {
  const startMs = performance.now()
  const replies = await Promise.all([chat(gateway.url, known), chat(gateway.url, API_KEY), chatWith(gateway, 'prod')])
  expect(replies.map(({ status, text }) => (status === 200 ? status : text))).toEqual([200, 200, 200])
  expect(performance.now() - startMs).toBeLessThan(1_500)
}

/** Without a restart: everything as it was, and changes are live again. */
const expectRecovery = async (): Promise<void> => {
  await within(RECOVERY_MS, readiness, hasStatus(200))
  await within(RECOVERY_MS, () => manage(gateway, 'GET', '/v2/providers'), hasStatus(200))
  expect((await readiness()).body).toMatchObject({ ready: true, database: { ok: true } })
  await serves()
  await within(RECOVERY_MS, () => chat(gateway.url, unseen.at(-1) ?? ''), hasStatus(200))
  unseen.pop()
  await within(RECOVERY_MS, () => chat(gateway.url, madeUpKey()), hasStatus(401))
  const list = await done(gateway, 'GET', '/v2/api-keys/service?page_size=100')
  expect(list.text).not.toContain('"lost"')
  const key = await createKey()
  await within(SPREAD_MS, () => chat(gateway.url, key), hasStatus(200))
}

describe('without Postgres', () => {
  test('that is silent, calls go on, management says so, and all recovers by itself', async () => {
    await database.freeze()
    try {
      await expectOutage()
    } finally {
      await database.thaw()
    }
    await expectRecovery()
  })

  test('that is gone, calls go on, management says so, and all recovers by itself', async () => {
    await database.kill()
    await expectOutage()
    await expectOutage()
    await database.restart()
    await expectRecovery()
  })

  test('no process was restarted, nothing was a fault of ours, and no key was logged', () => {
    expect(() => process.kill(gateway.pid, 0)).not.toThrow()
    const output = scene.output()
    expect(output.match(/is listening on/g)).toHaveLength(1)
    expect(output).not.toContain('for a reason of ours')
    for (const secret of [ADMIN_KEY, API_KEY, known, 'sk-outage-']) expect(output).not.toContain(secret)
  })
})
