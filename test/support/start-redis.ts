import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { onFreePorts } from './start-ports.ts'
import { eventually, type ProcessGroup } from './start-process.ts'

const READY_DEADLINE_MS = 30_000
const CLUSTER_DEADLINE_MS = 30_000
const MASTERS = 3
const SLOTS = 16_384

/** Starts one Redis that keeps nothing on disk, and returns its URL. */
export async function startRedis(group: ProcessGroup, program: string, folder: string): Promise<string> {
  const port = await onFreePorts(1, async ([port = 0]) => {
    await startServer(group, program, { name: 'Redis', folder, port, options: [] })
    return port
  })
  return `redis://127.0.0.1:${port}`
}

/** Starts a Redis Cluster of three masters, and returns its URLs with commas between them. */
export async function startRedisCluster(group: ProcessGroup, program: string, folder: string): Promise<string> {
  const nodes = await Promise.all(
    Array.from({ length: MASTERS }, (_, index) =>
      onFreePorts(2, async ([port = 0, busPort = 0]) => {
        await startServer(group, program, {
          name: `Redis Cluster node ${index + 1}`,
          folder: join(folder, String(index + 1)),
          port,
          // The default bus port is port + 10000, which another run may hold or which may not exist.
          options: ['--cluster-enabled', 'yes', '--cluster-port', `${busPort}`, '--cluster-announce-ip', '127.0.0.1'],
        })
        return { port, busPort }
      }),
    ),
  )
  await formCluster(nodes)
  return nodes.map(({ port }) => `redis://127.0.0.1:${port}`).join(',')
}

interface Server {
  readonly name: string
  readonly folder: string
  readonly port: number
  readonly options: readonly string[]
}

async function startServer(group: ProcessGroup, program: string, { name, folder, port, options }: Server) {
  await mkdir(folder, { recursive: true })
  await group.start({
    name,
    command: [program, '--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...options],
    folder,
    logFile: join(folder, 'redis.log'),
    readyText: 'Ready to accept connections',
    deadlineMs: READY_DEADLINE_MS,
    stopSignal: 'SIGTERM',
  })
}

interface Node {
  readonly port: number
  readonly busPort: number
}

async function formCluster(nodes: readonly Node[]): Promise<void> {
  const clients = nodes.map(({ port }) => connect(port))
  try {
    await Promise.all(
      clients.map(async (client, index) => {
        const first = Math.floor((index * SLOTS) / MASTERS)
        const last = Math.floor(((index + 1) * SLOTS) / MASTERS) - 1
        await client.call('CLUSTER', 'SET-CONFIG-EPOCH', `${index + 1}`)
        await client.call('CLUSTER', 'ADDSLOTSRANGE', `${first}`, `${last}`)
        for (const { port, busPort } of nodes.slice(index + 1)) {
          await client.call('CLUSTER', 'MEET', '127.0.0.1', `${port}`, `${busPort}`)
        }
      }),
    )
    let states: string[] = []
    const formed = await eventually(async () => {
      states = await Promise.all(clients.map(async (client) => String(await client.call('CLUSTER', 'INFO'))))
      return states.every(
        (state) => state.includes('cluster_state:ok') && state.includes(`cluster_known_nodes:${MASTERS}`),
      )
    }, CLUSTER_DEADLINE_MS)
    if (!formed) {
      throw new Error(`Redis Cluster was not formed within ${CLUSTER_DEADLINE_MS} ms:\n${states.join('\n')}`)
    }
  } finally {
    for (const client of clients) client.disconnect()
  }
}

function connect(port: number): Redis {
  // No second try: the server is up, and when it is stopped again the start has to fail at once.
  const client = new Redis({ host: '127.0.0.1', port, retryStrategy: () => null })
  // Without a listener ioredis prints the error, which the command that fails reports anyway.
  client.on('error', () => {})
  return client
}
