import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { within } from '../timing/within.ts'
import { unavailableReason } from './database/driver-error.ts'
import { StoreUnavailable } from './errors.ts'

/** Where to connect, read from the URL. */
interface RedisAddress {
  readonly nodes: readonly { readonly host: string; readonly port: number }[]
  readonly options: Pick<RedisOptions, 'username' | 'password' | 'db' | 'tls'>
}

export interface RedisConnection {
  /** Commands fail rather than wait while the server is away; each ends within the command timeout. */
  readonly client: Redis | Cluster
  readonly kind: 'single' | 'cluster'
  /** Resolves when the server, or every master of a cluster, answers. Throws `StoreUnavailable`. */
  ping(): Promise<void>
  close(): Promise<void>
}

export interface RedisConnectOptions {
  /** The longest the first connection may take. */
  readonly timeoutMs: number
  /** The longest a command may take; it is on the path of every request. */
  readonly commandTimeoutMs?: number
  /** Hears of lost connections; they are made again without help. Never given the driver's error: it may hold the login. */
  readonly onError?: (error: StoreUnavailable) => void
}

// At most one `@`: a password with an unescaped `@`, `/`, `?` or `#` would have its end taken for the host, and shown.
const REDIS_URL = /^rediss?:\/\/(?:(?:[^@/?#%]|%[0-9a-f]{2})*@)?[^@/?#]+(?:\/\d*)?$/i
const CONNECT_TIMEOUT_MS = 1_000
/** Milliseconds without any data while a command waits, after which the connection is made anew. */
const SOCKET_TIMEOUT_MS = 3_000
const NO_ANSWER = 'no answer'
const CLOSED = 'connection refused or closed'
const VAGUE_REASONS = new Set([NO_ANSWER, CLOSED])
const DEFAULT_COMMAND_TIMEOUT_MS = 50
const LONGEST_RECONNECT_DELAY_MS = 2_000

/**
 * Connects to one server, or to a cluster: given as several URLs with commas between, or found out from the one server.
 * @throws StoreUnavailable within `timeoutMs`, naming host, port and reason, never the password
 */
export const connectRedis = async (url: string, options: RedisConnectOptions): Promise<RedisConnection> => {
  const address = parseRedisUrl(url)
  const name = nameOf(address.nodes)
  const deadlineMs = performance.now() + options.timeoutMs
  const ready = <Client extends Redis | Cluster>(client: Client) => waitUntilReady(client, name, deadlineMs)

  if (address.nodes.length === 1) {
    const single = createSingle(address, options)
    await ready(single)
    if (!(await isClusterNode(single, name))) return toConnection(single, 'single', name)
    single.disconnect()
  }
  const cluster = createCluster(address, options)
  await ready(cluster)
  return toConnection(cluster, 'cluster', name)
}

const parseRedisUrl = (list: string): RedisAddress => {
  const urls = list.split(',').flatMap((text) => (REDIS_URL.test(text.trim()) ? (URL.parse(text.trim()) ?? []) : []))
  const [first] = urls
  if (first === undefined || urls.length !== list.split(',').length) {
    throw new StoreUnavailable(
      'The Redis URL is not of the form redis://user:password@host:port, or several with commas between, with other characters than letters and digits percent-encoded.',
    )
  }
  const database = Number(first.pathname.slice(1))
  return {
    nodes: urls.map(({ hostname, port }) => ({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 6379) })),
    options: {
      ...(first.username !== '' && { username: decodeURIComponent(first.username) }),
      ...(first.password !== '' && { password: decodeURIComponent(first.password) }),
      ...(database > 0 && { db: database }),
      ...(first.protocol === 'rediss:' && { tls: {} }),
    },
  }
}

/** ioredis would otherwise queue commands while it is away, send lost ones again (a refund twice), and wait for ever. */
const commandOptions = ({ commandTimeoutMs = DEFAULT_COMMAND_TIMEOUT_MS }: RedisConnectOptions) => ({
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  commandTimeout: commandTimeoutMs,
  connectTimeout: CONNECT_TIMEOUT_MS,
  // A peer that went away without a word would otherwise be waited for until the system gives up, which takes minutes.
  socketTimeout: SOCKET_TIMEOUT_MS,
})

const reconnectDelayMs = (attempts: number): number => Math.min(50 * 2 ** attempts, LONGEST_RECONNECT_DELAY_MS)

const createSingle = ({ nodes, options: access }: RedisAddress, options: RedisConnectOptions): Redis => {
  const client = new Redis({
    ...nodes[0],
    ...access,
    ...commandOptions(options),
    enableOfflineQueue: false,
    retryStrategy: reconnectDelayMs,
  })
  client.on('error', (error: Error) => options.onError?.(unavailable(nameOf(nodes), redisReason(error))))
  return client
}

const createCluster = ({ nodes, options: access }: RedisAddress, options: RedisConnectOptions): Cluster => {
  // A cluster has database 0 only.
  const { db: _, ...login } = access
  const client = new Cluster([...nodes], {
    enableOfflineQueue: false,
    maxRedirections: 2,
    slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
    clusterRetryStrategy: reconnectDelayMs,
    clusterNodeRetryStrategy: reconnectDelayMs,
    redisOptions: { ...login, ...commandOptions(options) },
  })
  client.on('error', (error: Error) => options.onError?.(unavailable(nameOf(nodes), redisReason(error))))
  return client
}

/** A server that is only starting up gets the whole time: gateways and their Redis are often started together. */
const waitUntilReady = async (client: Redis | Cluster, name: string, deadlineMs: number): Promise<void> => {
  let reason = NO_ANSWER
  const remember = (error: unknown) => {
    const next = redisReason(error)
    // The errors that only say that there was one come after those that say why.
    if (reason === NO_ANSWER || !VAGUE_REASONS.has(next)) reason = next
  }
  client.on('error', remember)
  client.on('node error', remember)
  const { promise: ready, resolve } = Promise.withResolvers<void>()
  client.once('ready', resolve)
  try {
    await within(ready, Math.max(0, deadlineMs - performance.now()), () => unavailable(name, reason))
  } catch (error) {
    client.disconnect()
    throw error
  } finally {
    client.off('error', remember)
    client.off('node error', remember)
  }
}

const isClusterNode = async (client: Redis, name: string): Promise<boolean> => {
  try {
    return /^cluster_enabled:1\s*$/m.test(await client.info('cluster'))
  } catch (error) {
    client.disconnect()
    throw unavailable(name, redisReason(error))
  }
}

const toConnection = (client: Redis | Cluster, kind: RedisConnection['kind'], name: string): RedisConnection => ({
  client,
  kind,
  async ping() {
    const servers = client instanceof Cluster ? client.nodes('master') : [client]
    if (servers.length === 0) throw unavailable(name, 'the cluster has no reachable master')
    try {
      await Promise.all(servers.map((server) => server.ping()))
    } catch (error) {
      throw unavailable(name, redisReason(error))
    }
  },
  async close() {
    // `quit` would wait for a server that may be away, and nothing is owed to it: every command has its deadline.
    if (client.status === 'end') return
    // Between two attempts there is no connection whose end could be waited for.
    const isConnected = client.status !== 'reconnecting'
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    client.once('end', resolve)
    client.disconnect()
    if (isConnected) await within(ended, CONNECT_TIMEOUT_MS, () => unavailable(name, 'it did not close'))
  },
})

const nameOf = (nodes: RedisAddress['nodes']): string => nodes.map(({ host, port }) => `${host}:${port}`).join(',')

const redisReason = (error: unknown): string => {
  if (!(error instanceof Error)) return NO_ANSWER
  // A cluster client keeps what the node said beside its own "failed to refresh slots cache".
  if ('lastNodeError' in error && error.lastNodeError instanceof Error) return redisReason(error.lastNodeError)
  if (/^(WRONGPASS|NOAUTH|NOPERM)\b/.test(error.message)) return 'the login was refused'
  // All that a cluster client tells of a node that refused it.
  if (error.message === 'Connection is closed.') return CLOSED
  return unavailableReason(error) ?? NO_ANSWER
}

const unavailable = (name: string, reason: string): StoreUnavailable =>
  new StoreUnavailable(`Redis at ${name} cannot be used: ${reason}.`)
