import { join } from 'node:path'
import postgres from 'postgres'
import { requireBinaries } from '../../../support/start-binaries.ts'
import { startPostgres } from '../../../support/start-postgres.ts'
import type { ProcessGroup } from '../../../support/start-process.ts'
import { startRedis } from '../../../support/start-redis.ts'
import { spawnProgram } from '../process/spawn.ts'
import { POLICY_COUNTS, type Seeded, type SeedPlan } from './seed-plan.ts'

export interface Stores {
  readonly redisUrl: string
  /** With ten keys, and workspaces of every number of policies. */
  readonly main: Seeded & { readonly databaseUrl: string }
  /** A database of its own with so many keys. */
  withKeys(count: number): Promise<Seeded & { readonly databaseUrl: string }>
}

const FEW_KEYS = 10

/** Starts a Postgres and a Redis of the benchmark's own, and fills them. */
export const startStores = async (group: ProcessGroup, folder: string): Promise<Stores> => {
  const {
    redisServer = '',
    initdb = '',
    postgres: server = '',
  } = await requireBinaries(['redis-server', 'postgresql'], group)
  const [url, redisUrl] = await Promise.all([
    startPostgres(group, { initdb, postgres: server }, join(folder, 'postgres')),
    startRedis(group, redisServer, join(folder, 'redis')),
  ])
  let databases = 0
  const fill = async (plan: Omit<SeedPlan, 'databaseUrl'>) => {
    databases += 1
    const databaseUrl = await createDatabase(url, `bench_${databases}`)
    return { databaseUrl, ...(await seed({ databaseUrl, ...plan })) }
  }
  return {
    redisUrl,
    main: await fill({ keys: FEW_KEYS, policyCounts: POLICY_COUNTS }),
    withKeys: (keys) => fill({ keys, policyCounts: [] }),
  }
}

const createDatabase = async (url: string, name: string): Promise<string> => {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    await sql.unsafe(`create database ${name}`)
  } finally {
    await sql.end()
  }
  const made = new URL(url)
  made.pathname = `/${name}`
  return made.href
}

const seed = async (plan: SeedPlan): Promise<Seeded> => {
  const program = spawnProgram({
    name: 'the seed',
    command: [process.execPath, join(import.meta.dir, 'seed.ts')],
    stdout: 'pipe',
    firstInput: JSON.stringify(plan),
  })
  return JSON.parse(await program.finish()) as Seeded
}
