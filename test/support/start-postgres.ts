import { chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onFreePorts } from './start-ports.ts'
import type { ProcessGroup, SystemUser } from './start-process.ts'

const INITDB_DEADLINE_MS = 60_000
const READY_DEADLINE_MS = 30_000

/** Speed over safety: the data lives as long as the test run. */
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'autovacuum=off',
  'shared_buffers=32MB',
  'max_connections=200',
]

export interface PostgresPrograms {
  readonly initdb: string
  readonly postgres: string
}

/**
 * Starts a Postgres in `folder`, and returns the URL of its `postgres` database.
 * @param own settings in the place of the usual ones
 */
export async function startPostgres(
  group: ProcessGroup,
  programs: PostgresPrograms,
  folder: string,
  own: readonly string[] = [],
): Promise<string> {
  await mkdir(folder, { recursive: true })
  // Postgres refuses to run as root.
  const user = process.getuid?.() === 0 ? await unprivilegedUser() : undefined
  if (user !== undefined) await chown(folder, user.uid, user.gid)
  const runAs = user === undefined ? {} : { user }
  const data = join(folder, 'data')
  await group.run({
    name: 'initdb',
    command: [
      programs.initdb,
      '--no-sync',
      '--username=postgres',
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C',
      data,
    ],
    folder,
    deadlineMs: INITDB_DEADLINE_MS,
    ...runAs,
  })
  await writeFile(join(data, 'pg_hba.conf'), 'host all all 127.0.0.1/32 trust\n')
  const port = await onFreePorts(1, async ([port = 0]) => {
    const settings = [`port=${port}`, ...SETTINGS, ...own].flatMap((setting) => ['-c', setting])
    await group.start({
      name: 'Postgres',
      command: [programs.postgres, '-D', data, ...settings],
      folder,
      logFile: join(folder, 'postgres.log'),
      readyText: 'database system is ready to accept connections',
      deadlineMs: READY_DEADLINE_MS,
      // Smart shutdown (SIGTERM) would wait for clients to leave.
      stopSignal: 'SIGINT',
      ...runAs,
    })
    return port
  })
  return `postgres://postgres@127.0.0.1:${port}/postgres`
}

async function unprivilegedUser(): Promise<SystemUser> {
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  for (const wanted of ['postgres', 'nobody']) {
    const account = accounts.find(([name]) => name === wanted)
    if (account !== undefined) return { uid: Number(account[2]), gid: Number(account[3]) }
  }
  throw new Error('Postgres cannot run as root, and there is neither a user "postgres" nor "nobody" to run it as')
}
