import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningGateway, startCommand } from '../../../support/command.ts'
import { copyEmbeddedDatabase } from '../../../support/embedded-database.ts'
import { privateDatabase } from '../../../support/services.ts'
import { type Reply, send, textOf } from '../../management/support/http.ts'
import { done } from '../../management/support/scene.ts'
import { PRICES, type PricedProvider, startPricedProvider } from './priced-provider.ts'
import { openSums, type Sums } from './sums.ts'

export { ADMIN_KEY } from '../../management/support/scene.ts'

const SCRIPT = join(import.meta.dir, 'clocked-gateway.ts')
const DAY_MS = 86_400_000

export interface BudgetWorldOptions {
  /** Where policies, counts and records are. Default: a database of the test run's Postgres. */
  readonly store?: 'pglite' | 'postgres'
  /** Instead of a database of the test run's. */
  readonly databaseUrl?: string
  readonly redisUrl?: string
  /** More of the operator's config. */
  readonly config?: Readonly<Record<string, unknown>>
}

/** Gateways with a database, a provider with known prices, and whatever kills them. Each has a name and a data folder of its own. */
export interface BudgetWorld {
  readonly provider: PricedProvider
  readonly sums: Sums
  readonly folder: string
  /** Those that run, by their names. */
  readonly running: ReadonlyMap<string, RunningGateway>
  start(name: string, env?: Readonly<Record<string, string>>): Promise<RunningGateway>
  /** Kills one at once, and waits for its end. */
  kill(name: string): Promise<void>
  /** Asks one to stop, which brings what it has into the database. */
  stop(name: string): Promise<void>
  /** Time of the gateways, in milliseconds since 1970. */
  now(): number
  /** Puts the clocks of all gateways, those that are started later too, so long before the next midnight (UTC). @returns that midnight */
  beforeMidnight(ms: number): Promise<number>
  close(): Promise<void>
}

export const openBudgetWorld = async (options: BudgetWorldOptions = {}): Promise<BudgetWorld> => {
  const { store = 'postgres', redisUrl, config = {} } = options
  const folder = await mkdtemp(join(tmpdir(), 'weir-budgets-'))
  const provider = startPricedProvider()
  const database = store === 'postgres' && options.databaseUrl === undefined ? await privateDatabase() : undefined
  const databaseUrl = options.databaseUrl ?? database?.url
  await Bun.write(join(folder, 'prices.json'), PRICES)
  await Bun.write(
    join(folder, 'weir.config.json'),
    JSON.stringify({
      ...config,
      server: { drainDelayMs: 0 },
      plugins: [
        'defaults',
        { openai: { baseURL: `${provider.url}/v1`, apiKey: 'sk-of-the-operator' } },
        { prices: { file: './prices.json' } },
      ],
    }),
  )
  const sums = openSums(databaseUrl ?? 'postgres://127.0.0.1:1/none')
  const running = new Map<string, RunningGateway>()
  const clock = join(folder, 'clock')
  let aheadMs = 0
  await Bun.write(clock, '0')
  const take = (name: string): RunningGateway => {
    const gateway = running.get(name)
    if (gateway === undefined) throw new Error(`${name} does not run`)
    running.delete(name)
    return gateway
  }
  return {
    provider,
    sums,
    folder,
    running,
    async start(name, env = {}) {
      const data = join(folder, name)
      await mkdir(data, { recursive: true, mode: 0o700 })
      if (databaseUrl === undefined && !(await Bun.file(join(data, 'pgdata', 'PG_VERSION')).exists())) {
        await copyEmbeddedDatabase(data)
      }
      const gateway = await startCommand({
        folder,
        script: SCRIPT,
        env: {
          PORT: '0',
          WEIR_ADMIN_KEY: 'scene-organisation-key-0123456789abcdef',
          WEIR_API_KEY: 'scene-workspace-key-0123456789abcdef012',
          WEIR_TRUSTED_HOSTS: '127.0.0.1',
          WEIR_DATA_DIR: data,
          WEIR_MASTER_KEY: 'budget world master key, a passphrase',
          TEST_CLOCK: clock,
          ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
          ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
          ...env,
        },
      })
      running.set(name, gateway)
      return gateway
    },
    async kill(name) {
      const gateway = take(name)
      gateway.signal('SIGKILL')
      await gateway.exited
    },
    async stop(name) {
      await take(name).stop()
    },
    now: () => Date.now() + aheadMs,
    async beforeMidnight(ms) {
      const nowMs = Date.now() + aheadMs
      const midnightMs = midnightAfter(nowMs + ms)
      aheadMs += midnightMs - ms - nowMs
      await Bun.write(clock, String(aheadMs))
      for (const gateway of running.values()) gateway.signal('SIGUSR2')
      return midnightMs
    },
    async close() {
      await Promise.all([...running.values()].map((gateway) => gateway.stop('SIGKILL')))
      await sums.close()
      await provider.close()
      await database?.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The first midnight after a time. */
export const midnightAfter = (atMs: number): number => (Math.floor(atMs / DAY_MS) + 1) * DAY_MS

export interface MadeKey {
  readonly id: string
  readonly key: string
}

/** A key of the default workspace that may call models. */
export const createKey = async (
  gateway: Pick<RunningGateway, 'url'>,
  name: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<MadeKey> => {
  const reply = await done(gateway, 'POST', '/v2/api-keys/service', { name, scopes: ['completions.write'], ...more })
  return { id: textOf(reply, 'id'), key: textOf(reply, 'key') }
}

/** A policy of the default workspace. @returns its id */
export const createBudget = async (
  gateway: Pick<RunningGateway, 'url'>,
  policy: Readonly<Record<string, unknown>>,
): Promise<string> => {
  const reply = await done(gateway, 'POST', '/v2/policies/usage-limits', {
    name: 'a budget',
    conditions: [{ key: 'workspace_id', value: '*' }],
    group_by: [{ key: 'workspace_id' }],
    ...policy,
  })
  return textOf(reply, 'id')
}

/** A call whose answer is read whole. */
export const ask = (
  { url }: Pick<RunningGateway, 'url'>,
  key: string,
  body: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> =>
  send(`${url}/v1/chat/completions`, {
    method: 'POST',
    token: key,
    headers: { 'x-gateway-provider': 'openai', ...headers },
    body,
  })
