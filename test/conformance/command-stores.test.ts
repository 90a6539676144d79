import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningGateway, startCommand } from '../support/command.ts'
import { type PrivateDatabase, privateDatabase, testServices } from '../support/services.ts'

setDefaultTimeout(60_000)

const KEY = 'preset-key-of-two-gateways-0123456789'

let folder: string
let database: PrivateDatabase
const running: RunningGateway[] = []

const start = async (env: Record<string, string>): Promise<RunningGateway> => {
  const gateway = await startCommand({ folder, env: { PORT: '0', ...env } })
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
  test('Postgres and a single Redis: ready, shown, and nothing written to the folder', async () => {
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
        stages: ['logging', 'auth', 'config', 'route', 'transform', 'provider-call'],
      },
    })
    expect(await models(gateway)).toBe(200)
    expect(await readdir(folder)).toEqual([])
    const { stdout, stderr } = await gateway.stop()
    const { password } = new URL(database.url)
    if (password !== '') expect(stdout + stderr).not.toContain(password)
    expect(stdout + stderr).not.toContain(KEY)
    expect(stderr).toContain('admin key (management)')
  })

  test('a second gateway on the same database knows the keys of the first, makes none, and may use a Redis cluster', async () => {
    const gateway = await start({ DATABASE_URL: database.url, REDIS_URL: testServices().redisClusterUrl })
    expect(await readiness(gateway)).toMatchObject({
      status: 200,
      state: { database: { kind: 'postgres', ok: true }, redis: { kind: 'cluster', ok: true } },
    })
    expect(await models(gateway)).toBe(200)
    expect((await gateway.stop()).stderr).not.toContain('admin key')
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
      expect(words.match(/admin key \(management\)/g)).toHaveLength(1)
      expect(words.match(/API key {3}\(model calls\)/g)).toHaveLength(1)
    } finally {
      await empty.drop()
    }
  })
})
