import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningGateway, spawnCommand, startCommand } from '../support/command.ts'
import { type PrivateDatabase, privateDatabase, testServices } from '../support/services.ts'

setDefaultTimeout(60_000)

const KEY = 'preset-key-of-two-gateways-0123456789'
const ADMIN_KEY = 'preset-admin-key-of-two-gateways-0123456789'
/** Every process of one database has the same. */
const MASTER_KEY = 'master-key-of-two-gateways-0123456789'

let folder: string
let database: PrivateDatabase
const running: RunningGateway[] = []

const start = async (env: Record<string, string>): Promise<RunningGateway> => {
  const gateway = await startCommand({ folder, env: { PORT: '0', WEIR_MASTER_KEY: MASTER_KEY, ...env } })
  running.push(gateway)
  return gateway
}

const readiness = async ({ url }: RunningGateway): Promise<{ status: number; state: Record<string, unknown> }> => {
  const response = await fetch(`${url}/readyz`)
  return { status: response.status, state: (await response.json()) as Record<string, unknown> }
}

const models = async ({ url }: RunningGateway): Promise<number> =>
  (await fetch(`${url}/v1/models`, { headers: { 'x-gateway-api-key': KEY } })).status

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-stores-'))
  database = await privateDatabase()
})
afterAll(async () => {
  await Promise.all(running.map((gateway) => gateway.stop('SIGKILL')))
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

describe('stores of the operator', () => {
  test('Postgres and a single Redis: ready, shown, and only the first keys are written to the folder', async () => {
    const gateway = await start({
      DATABASE_URL: database.url,
      REDIS_URL: testServices().redisUrl,
      WEIR_API_KEY: KEY,
    })
    expect(await readiness(gateway)).toMatchObject({
      status: 200,
      state: {
        ready: true,
        database: { kind: 'postgres', ok: true },
        redis: { kind: 'single', ok: true },
        stages: [
          'logging',
          'auth',
          'mcp-tools',
          'responses',
          'files',
          'batches',
          'mcp',
          'config',
          'rate-limit',
          'route',
          'guardrails',
          'cache',
          'target-limit',
          'transform',
          'provider-call',
        ],
      },
    })
    expect(await models(gateway)).toBe(200)
    expect(await readdir(folder)).toEqual(['.weir'])
    const { stdout, stderr } = await gateway.stop()
    const { password } = new URL(database.url)
    if (password !== '') expect(stdout + stderr).not.toContain(password)
    expect(stdout + stderr).not.toContain(KEY)
    expect(stdout + stderr).not.toContain(MASTER_KEY)
    expect(stderr).toContain('The first keys are in ')
  })

  test('a second gateway on the same database knows the keys of the first, makes none, and may use a Redis cluster', async () => {
    const gateway = await start({ DATABASE_URL: database.url, REDIS_URL: testServices().redisClusterUrl })
    expect(await readiness(gateway)).toMatchObject({
      status: 200,
      state: { database: { kind: 'postgres', ok: true }, redis: { kind: 'cluster', ok: true } },
    })
    expect(await models(gateway)).toBe(200)
    expect((await gateway.stop()).stderr).not.toContain('first keys')
  })

  test('a third with another master key, or with none, is told so and does not start', async () => {
    const refusal = async (masterKey: string): Promise<string> => {
      const env = { PORT: '0', DATABASE_URL: database.url, WEIR_MASTER_KEY: masterKey }
      const { code, stderr } = await spawnCommand({ folder, env }).exited
      expect([code, stderr.includes(MASTER_KEY)]).toEqual([1, false])
      return stderr
    }
    expect(await refusal('')).toStartWith('weir: WEIR_MASTER_KEY is not set. With DATABASE_URL it must be')
    expect(await refusal('too-short')).toStartWith('weir: WEIR_MASTER_KEY has 9 characters.')
    const wrong = 'another-master-key-0123456789abcdef'
    const words = await refusal(wrong)
    expect(words).toStartWith('weir: ')
    expect(words).not.toContain(wrong)
  })

  test('what one gateway changes is known to the other within a second', async () => {
    const env = { DATABASE_URL: database.url, WEIR_ADMIN_KEY: ADMIN_KEY }
    const [first, second] = [await start(env), await start(env)]
    const manage = async ({ url }: RunningGateway, method: string, path: string, body?: unknown) => {
      const response = await fetch(`${url}/v2${path}`, {
        method,
        headers: { authorization: `Bearer ${ADMIN_KEY}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }
    const made = await manage(first, 'POST', '/api-keys/service', { name: 'spread', scopes: ['completions.write'] })
    expect(made.status).toBe(200)
    const call = async (): Promise<number> =>
      (await fetch(`${second.url}/v1/models`, { headers: { authorization: `Bearer ${made.body.key}` } })).status
    const becomes = async (status: number): Promise<number> => {
      const startedMs = performance.now()
      while ((await call()) !== status && performance.now() - startedMs < 5_000) await Bun.sleep(10)
      return performance.now() - startedMs
    }
    expect(await becomes(200)).toBeLessThan(1_000)
    expect((await manage(first, 'DELETE', `/api-keys/${made.body.id}`)).status).toBe(200)
    expect(await becomes(401)).toBeLessThan(1_000)
    await Promise.all([first.stop(), second.stop()])
  })

  test('without Redis nothing is said of it, and the mock stays away', async () => {
    const gateway = await start({ DATABASE_URL: database.url })
    const { status, state } = await readiness(gateway)
    expect(status).toBe(200)
    expect(state).not.toHaveProperty('redis')
    const refused = await fetch(`${gateway.url}/v1/models`, {
      headers: { 'x-gateway-api-key': KEY, 'x-gateway-provider': 'mock' },
    })
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { code: 'unknown_provider' } }])
    await gateway.stop()
  })

  test('two first starts at once on one empty database make the keys once', async () => {
    const empty = await privateDatabase()
    try {
      const both = await Promise.all([start({ DATABASE_URL: empty.url }), start({ DATABASE_URL: empty.url })])
      const words = (await Promise.all(both.map((gateway) => gateway.stop()))).map(({ stderr }) => stderr).join('')
      expect(words.match(/The first keys are in /g)).toHaveLength(1)
    } finally {
      await empty.drop()
    }
  })
})
