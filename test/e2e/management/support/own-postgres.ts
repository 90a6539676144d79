import { realpathSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findBinaries, requireBinaries, usualPlaces } from '../../../support/start-binaries.ts'
import { startPostgres } from '../../../support/start-postgres.ts'
import { createProcessGroup, eventually } from '../../../support/start-process.ts'

const DEADLINE_MS = 30_000

/** A Postgres of one test file, which may fall silent, die and come back. */
export interface OwnPostgres {
  readonly url: string
  /** Every process of it stops where it is: connections stay open and nothing is answered. */
  freeze(): Promise<void>
  thaw(): Promise<void>
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>
  /** Starts it again on the same port with the same data. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** @param folder for the data; other users must be able to pass through */
export const startOwnPostgres = async (folder: string): Promise<OwnPostgres> => {
  const group = createProcessGroup()
  const { initdb, postgres } = await requireBinaries(['postgresql'], group)
  if (initdb === undefined || postgres === undefined) throw new Error('there is no Postgres to start')
  // What was committed has to be there after a crash of the server, as it is for those who run one.
  const url = await startPostgres(group, { initdb, postgres }, folder, ['synchronous_commit=on'])
  const data = join(folder, 'data')
  const server = async (): Promise<number> => {
    const [line = ''] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')
    return Number(line)
  }
  const signalAll = async (signal: NodeJS.Signals): Promise<void> => {
    const pid = await server()
    for (const one of [pid, ...(await childrenOf(pid))]) process.kill(one, signal)
  }
  return {
    url,
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    async kill() {
      const pid = await server()
      const all = [pid, ...(await childrenOf(pid))]
      // Immediate shutdown: nobody is waited for, and the next start recovers from the log.
      process.kill(pid, 'SIGQUIT')
      const isGone = await eventually(async () => !all.some(isAlive), DEADLINE_MS)
      if (!isGone) throw new Error('Postgres did not end')
    },
    async restart() {
      const { uid, gid } = await stat(data)
      await group.start({
        name: 'Postgres',
        command: [
          postgres,
          '-D',
          data,
          ...['-c', `port=${new URL(url).port}`],
          ...['-c', 'listen_addresses=127.0.0.1'],
          ...['-c', 'unix_socket_directories='],
        ],
        folder,
        logFile: join(folder, 'postgres-again.log'),
        readyText: 'database system is ready to accept connections',
        deadlineMs: DEADLINE_MS,
        stopSignal: 'SIGINT',
        ...(process.getuid?.() === 0 ? { user: { uid, gid } } : {}),
      })
    },
    close: () => group.close(),
  }
}

/** Path of a program of the Postgres that the tests use. @throws Error when it is not installed beside the server */
export const postgresProgram = (name: string): string => {
  const { postgres } = findBinaries(usualPlaces())
  if (postgres === undefined) throw new Error('there is no Postgres here')
  // The server on the path may be a link into the folder that holds the others.
  const folder = dirname(realpathSync(postgres))
  const found = Bun.which(name, { PATH: folder })
  if (found === null) throw new Error(`there is no ${name} in "${folder}"`)
  return found
}

const childrenOf = async (parent: number): Promise<readonly number[]> => {
  const children: number[] = []
  for (const name of await readdir('/proc')) {
    if (!/^[0-9]+$/.test(name)) continue
    const status = await readFile(`/proc/${name}/status`, 'utf8').catch(() => '')
    if (new RegExp(`^PPid:\\s+${parent}$`, 'm').test(status)) children.push(Number(name))
  }
  return children
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
