import type { Destination } from '../egress.ts'
import type { Connection, Endpoint, Owner } from './connection.ts'
import { dial } from './dial.ts'
import { IDLE_MS, MAX_IDLE, MAX_IDLE_PER_ORIGIN } from './limits.ts'

/** Milliseconds between two looks for connections that were idle for too long. */
const SWEEP_MS = 2_000
/** Taken off what a server says it keeps a connection: a request must not meet its closing. */
const KEEP_ALIVE_MARGIN_MS = 1_000

/** The idle connections, and those that are on their way to nobody. */
export class Pool implements Owner {
  readonly #now: () => number
  /** By endpoint, the one used last at the end: it is taken first, so that the others can grow old. */
  readonly #idle = new Map<string, Connection[]>()
  readonly #orphans = new Map<string, Set<Connection>>()
  #idleCount = 0
  #sweeper: ReturnType<typeof setTimeout> | undefined
  #closed = false

  constructor(now: () => number) {
    this.#now = now
  }

  /** A connection that was used before; none is made. */
  take({ key }: Endpoint): Connection | undefined {
    const idle = this.#idle.get(key)
    if (idle === undefined) return undefined
    const nowMs = this.#now()
    for (let connection = idle.pop(); connection !== undefined; connection = idle.pop()) {
      this.#idleCount--
      if (connection.alive && nowMs - connection.idleSinceMs < connection.idleLimitMs) return connection
      connection.destroy()
    }
    return undefined
  }

  dial(endpoint: Endpoint): Connection {
    return dial(endpoint, this)
  }

  /** There are dials to this endpoint that nobody answers and nobody waits for any more. */
  isTroubled({ key }: Endpoint): boolean {
    return (this.#orphans.get(key)?.size ?? 0) > 0
  }

  idle(connection: Connection): void {
    const { key } = connection.endpoint
    this.#adopted(connection)
    connection.idleLimitMs = Math.min(IDLE_MS, connection.idleLimitMs - KEEP_ALIVE_MARGIN_MS)
    if (this.#closed || connection.idleLimitMs <= 0 || this.#idleCount >= MAX_IDLE) {
      connection.destroy()
      return
    }
    connection.idleSinceMs = this.#now()
    const idle = this.#idle.get(key)
    if (idle === undefined) this.#idle.set(key, [connection])
    else idle.push(connection)
    this.#idleCount++
    if (idle !== undefined && idle.length > MAX_IDLE_PER_ORIGIN) idle[0]?.destroy()
    this.#sweeper ??= setTimeout(this.#sweep, SWEEP_MS).unref()
  }

  orphaned(connection: Connection): void {
    const { key } = connection.endpoint
    const orphans = this.#orphans.get(key)
    if (orphans === undefined) this.#orphans.set(key, new Set([connection]))
    else orphans.add(connection)
  }

  gone(connection: Connection): void {
    this.#adopted(connection)
    const idle = this.#idle.get(connection.endpoint.key)
    const at = idle?.lastIndexOf(connection) ?? -1
    if (idle === undefined || at === -1) return
    idle.splice(at, 1)
    this.#idleCount--
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#sweeper)
    for (const idle of [...this.#idle.values()]) for (const connection of [...idle]) connection.destroy()
    this.#idle.clear()
  }

  #adopted(connection: Connection): void {
    const { key } = connection.endpoint
    const orphans = this.#orphans.get(key)
    if (orphans?.delete(connection) === true && orphans.size === 0) this.#orphans.delete(key)
  }

  readonly #sweep = (): void => {
    this.#sweeper = undefined
    const nowMs = this.#now()
    for (const [key, idle] of this.#idle) {
      for (const connection of [...idle]) {
        if (nowMs - connection.idleSinceMs >= connection.idleLimitMs) connection.destroy()
      }
      if (idle.length === 0) this.#idle.delete(key)
    }
    if (this.#idle.size > 0) this.#sweeper = setTimeout(this.#sweep, SWEEP_MS).unref()
  }
}

/** Connections of one destination at one address. For TLS the name is part of it: it was verified for that name alone. */
export const endpointOf = ({ secure, port, serverName }: Destination, address: string): Endpoint => ({
  key: secure ? `${address} ${port} ${serverName ?? ''} tls` : `${address} ${port}`,
  address,
  port,
  secure,
  serverName: secure ? serverName : undefined,
})
