import postgres from 'postgres'

export const SERVICE_VARIABLES = ['TEST_DATABASE_URL', 'TEST_REDIS_URL', 'TEST_REDIS_CLUSTER_URL'] as const
export type ServiceVariable = (typeof SERVICE_VARIABLES)[number]

/** Names the folder in which the test files of one run share what is costly to make. Set by test/run.ts. */
export const SHARED_FOLDER_VARIABLE = 'TEST_SHARED_FOLDER'

export interface TestServices {
  /** `postgres://` URL of a database whose user may create databases. */
  readonly databaseUrl: string
  readonly redisUrl: string
  /** `redis://` URLs of the nodes of one Redis Cluster, with commas between them. */
  readonly redisClusterUrl: string
}

/** The services of this test run. Throws when the tests were not started by `bun run test`. */
export function testServices(environment: NodeJS.ProcessEnv = process.env): TestServices {
  const read = (variable: ServiceVariable): string => {
    const url = environment[variable]
    if (!url) throw new Error(`${variable} is not set: run the tests with \`bun run test\`, which starts the services`)
    return url
  }
  return {
    databaseUrl: read('TEST_DATABASE_URL'),
    redisUrl: read('TEST_REDIS_URL'),
    redisClusterUrl: read('TEST_REDIS_CLUSTER_URL'),
  }
}

/** A Python with the clients of `python-requirements.txt`. Throws when the tests were not started by `bun run test`. */
export function testPython(environment: NodeJS.ProcessEnv = process.env): string {
  const python = environment.TEST_PYTHON
  if (!python) throw new Error('TEST_PYTHON is not set: run the tests with `bun run test`, which says what is missing')
  return python
}

export interface PrivateDatabase {
  readonly url: string
  /** Removes the database, with whoever is still connected to it. */
  drop(): Promise<void>
}

/** Creates an empty database for one test file, so that parallel test files do not meet. */
export async function privateDatabase(): Promise<PrivateDatabase> {
  const { databaseUrl } = testServices()
  const worker = process.env.BUN_TEST_WORKER_ID ?? '1'
  const name = `weir_test_${worker}_${crypto.randomUUID().replaceAll('-', '')}`
  await execute(databaseUrl, `create database ${name}`)
  const url = new URL(databaseUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: () => execute(databaseUrl, `drop database if exists ${name} with (force)`),
  }
}

async function execute(url: string, statement: string): Promise<void> {
  const sql = postgres(url, { max: 1, connect_timeout: 10, onnotice: () => {} })
  try {
    await sql.unsafe(statement)
  } finally {
    await sql.end()
  }
}
