import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { requireBinaries } from '../../../../support/start-binaries.ts'
import { onFreePorts } from '../../../../support/start-ports.ts'
import { createProcessGroup, type ProcessGroup } from '../../../../support/start-process.ts'

/** A Redis of one test alone, that may be frozen, killed and started again. It keeps nothing on disk. */
export interface OwnRedis {
  readonly port: number
  /** A command over a connection of its own. */
  command(...words: readonly [string, ...string[]]): Promise<unknown>
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void
  /** On the same port, empty. For one that was killed. */
  restart(): Promise<void>
  close(): Promise<void>
}

export const startOwnRedis = async (): Promise<OwnRedis> => {
  const group = createProcessGroup()
  const folder = await mkdtemp(join(tmpdir(), 'weir-faults-'))
  const { redisServer = '' } = await requireBinaries(['redis-server'], group)
  const start = (port: number): Promise<void> => startOn(group, redisServer, folder, port)
  const port = await onFreePorts(1, async ([free = 0]) => {
    await start(free)
    return free
  })
  /** Undefined once it was killed: the number may then belong to anybody. */
  let pid: number | undefined = await pidAt(port)
  const send = (signal: NodeJS.Signals): void => {
    if (pid !== undefined) process.kill(pid, signal)
    if (signal === 'SIGKILL') pid = undefined
  }

  return {
    port,
    command: (...words) => commandAt(port, words),
    signal: send,
    async restart() {
      await start(port)
      pid = await pidAt(port)
    },
    async close() {
      // One that is frozen would not hear that it has to end.
      send('SIGCONT')
      await group.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const startOn = (group: ProcessGroup, program: string, folder: string, port: number): Promise<void> =>
  group.start({
    name: 'Redis of a fault test',
    command: [program, '--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    folder,
    logFile: join(folder, 'redis.log'),
    readyText: 'Ready to accept connections',
    deadlineMs: 30_000,
    stopSignal: 'SIGTERM',
  })

const commandAt = async (port: number, [name, ...args]: readonly [string, ...string[]]): Promise<unknown> => {
  const client = new Redis({ host: '127.0.0.1', port, retryStrategy: () => null })
  // Without a listener ioredis prints the error, which the command reports anyway.
  client.on('error', () => undefined)
  try {
    return await client.call(name, ...args)
  } finally {
    client.disconnect()
  }
}

const pidAt = async (port: number): Promise<number> => {
  const pid = Number(/^process_id:(\d+)/m.exec(String(await commandAt(port, ['INFO', 'server'])))?.[1])
  if (!(pid > 1)) throw new Error('Redis did not say which process it is')
  return pid
}
