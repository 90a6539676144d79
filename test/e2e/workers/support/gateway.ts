import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningGateway, startCommand } from '../../../support/command.ts'
import { type PrivateDatabase, privateDatabase, testServices } from '../../../support/services.ts'

export const KEY = 'preset-key-of-several-workers-0123456789'
export const ADMIN_KEY = 'preset-admin-key-of-several-workers-0123456789'
export const CONFIG = 'plugins: [defaults, mock]\n'

/** Where several workers can be started: a folder with a config, and a database of its own. */
export interface WorkerPlace {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  /** Starts a gateway in it, by default with two workers. */
  start(options?: {
    readonly workers?: string
    readonly env?: Readonly<Record<string, string>>
    readonly executable?: string
  }): Promise<RunningGateway>
  /** Ends what was started, and removes all of it. */
  remove(): Promise<void>
}

export const workerPlace = async (): Promise<WorkerPlace> => {
  const folder = await mkdtemp(join(tmpdir(), 'weir-workers-'))
  const database: PrivateDatabase = await privateDatabase()
  await Bun.write(join(folder, 'weir.config.yaml'), CONFIG)
  const running: RunningGateway[] = []
  const env = {
    PORT: '0',
    DATABASE_URL: database.url,
    REDIS_URL: testServices().redisUrl,
    WEIR_MASTER_KEY: 'master-key-of-several-workers-0123456789',
    WEIR_API_KEY: KEY,
    WEIR_ADMIN_KEY: ADMIN_KEY,
  }
  return {
    folder,
    env,
    async start({ workers = '2', env: more = {}, ...options } = {}) {
      const gateway = await startCommand({
        ...options,
        folder,
        args: ['start', '--workers', workers],
        env: { ...env, ...more },
      })
      running.push(gateway)
      return gateway
    },
    async remove() {
      await Promise.all(running.map((gateway) => gateway.stop('SIGKILL')))
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Process ids of the workers that live, by what the system says. */
export const workersOf = ({ pid }: Pick<RunningGateway, 'pid'>): readonly number[] => {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return children.trim().split(' ').filter(Boolean).map(Number).filter(isAlive)
  } catch {
    return []
  }
}

export const isAlive = (pid: number): boolean => {
  try {
    // One that nobody waits for any more is dead all the same.
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Resolves as soon as the check holds. @throws Error when it does not within the deadline */
export const until = async (
  what: string,
  check: () => boolean | Promise<boolean>,
  deadlineMs = 60_000,
): Promise<void> => {
  const lastMs = performance.now() + deadlineMs
  while (!(await check())) {
    if (performance.now() > lastMs) throw new Error(`not within ${deadlineMs} ms: ${what}`)
    await Bun.sleep(20)
  }
}

/** Makes a call over a connection of its own. */
export const call = (url: string, body: Readonly<Record<string, unknown>> = {}): Promise<Response> =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    keepalive: false,
    headers: { 'x-gateway-api-key': KEY, 'x-gateway-provider': 'mock', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'mock', messages: [{ role: 'user', content: 'Hello' }], ...body }),
  })

/** Lines of JSON in what was written. */
export const jsonLines = (text: string): readonly Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
