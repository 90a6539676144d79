import type { Destination } from '../egress.ts'
import { IDLE_MS, MAX_IDLE, MAX_IDLE_PER_ORIGIN, MAX_ORIGINS } from './bounds.ts'
import type { Connection, Owner, Peer } from './connection.ts'
import { dial } from './dial.ts'
import { Origin, PROBATION_MS } from './origin.ts'

/** Milliseconds between two looks for connections that were idle for too long. */
const SWEEP_MS = 2_000
/** Taken off what a server says it keeps a connection: a request must not meet its closing. */
const KEEP_ALIVE_MARGIN_MS = 1_000
/** Looks at the network, of which one at least began after the answer had ended: what came right behind it has been seen. */
const LOOKS_BEFORE_USE = 2

/** The idle connections, and those that are on their way to nobody. */
export class Pool implements Owner {
  readonly #now: () => number
  readonly #probationMs: number
  /** By peer; the one that was first heard of for longest is forgotten first. */
  readonly #origins = new Map<string, Origin>()
  #idleCount = 0
  #sweeper: ReturnType<typeof setTimeout> | undefined
  /** Looks at the network so far, counted only while a connection waits for one. */
  #looks = 0
  #wantedLooks = 0
  #isLooking = false
  #closed = false
  /** Connections that were opened so far. */
  dials = 0

  /** @param probationMs milliseconds a server that is not known yet must have left a connection alone before it is used again */
  constructor(now: () => number, probationMs: number = PROBATION_MS) {
    this.#now = now
    this.#probationMs = probationMs
  }

  /** A connection that was used before, and on which nothing came since; none is made. */
  take({ key }: Peer): Connection | undefined {
    const origin = this.#origins.get(key)
    if (origin === undefined) return undefined
    const { idle } = origin
    const nowMs = this.#now()
    const sinceMs = nowMs - origin.restMs
    // Those that were used last are at the end, so that the first tells whether any has rested.
    if ((idle[0]?.idleSinceMs ?? Number.POSITIVE_INFINITY) > sinceMs) return undefined
    for (let at = idle.length - 1; at >= 0; at--) {
      const connection = idle[at]
      if (connection === undefined || connection.idleSinceMs > sinceMs || connection.usableAfter > this.#looks) continue
      idle.splice(at, 1)
      this.#idleCount--
      if (connection.alive && nowMs - connection.idleSinceMs < connection.idleLimitMs) {
        origin.rested()
        return connection
      }
      connection.destroy()
    }
    return undefined
  }

  /** Connections that wait for a request. */
  get idleCount(): number {
    return this.#idleCount
  }

  dial(peer: Peer): Connection {
    this.dials++
    return dial(peer, this)
  }

  /** There are dials to this peer that nobody answers and nobody waits for any more. */
  isTroubled({ key }: Peer): boolean {
    return (this.#origins.get(key)?.orphans.size ?? 0) > 0
  }

  idle(connection: Connection): void {
    const origin = this.#originOf(connection)
    origin.orphans.delete(connection)
    connection.idleLimitMs = Math.min(IDLE_MS, connection.idleLimitMs - KEEP_ALIVE_MARGIN_MS)
    const nowMs = this.#now()
    if (this.#closed || connection.idleLimitMs <= 0 || !origin.keeps(nowMs)) {
      connection.destroy()
      return
    }
    if (this.#idleCount >= MAX_IDLE) this.#oldest()?.destroy()
    connection.idleSinceMs = nowMs
    connection.usableAfter = this.#looks + LOOKS_BEFORE_USE
    this.#wantedLooks = connection.usableAfter
    if (!this.#isLooking) this.#look()
    origin.idle.push(connection)
    this.#idleCount++
    if (origin.idle.length > MAX_IDLE_PER_ORIGIN) origin.idle[0]?.destroy()
    this.#sweeper ??= setTimeout(this.#sweep, SWEEP_MS).unref()
  }

  orphaned(connection: Connection): void {
    this.#originOf(connection).orphans.add(connection)
  }

  outOfStep(connection: Connection): void {
    this.#originOf(connection).outOfStep(connection, this.#now())
  }

  gone(connection: Connection): void {
    const origin = this.#origins.get(connection.peer.key)
    if (origin === undefined) return
    origin.orphans.delete(connection)
    const at = origin.idle.lastIndexOf(connection)
    if (at === -1) return
    origin.idle.splice(at, 1)
    this.#idleCount--
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#sweeper)
    for (const { idle } of this.#origins.values()) for (const connection of [...idle]) connection.destroy()
    this.#origins.clear()
  }

  #originOf({ peer: { key } }: Connection): Origin {
    const known = this.#origins.get(key)
    if (known !== undefined) return known
    if (this.#origins.size >= MAX_ORIGINS) this.#forget()
    const origin = new Origin(this.#probationMs)
    this.#origins.set(key, origin)
    return origin
  }

  #oldest(): Connection | undefined {
    let oldest: Connection | undefined
    for (const { idle } of this.#origins.values()) {
      const [first] = idle
      if (first !== undefined && (oldest === undefined || first.idleSinceMs < oldest.idleSinceMs)) oldest = first
    }
    return oldest
  }

  /** Those without connections go; callers may name hosts of their own. */
  #forget(): void {
    for (const [key, origin] of this.#origins) {
      if (origin.isEmpty) this.#origins.delete(key)
    }
  }

  /** One for all connections: an immediate runs before the next look at the network, and what it sets off behind it. */
  readonly #look = (): void => {
    this.#isLooking = this.#looks < this.#wantedLooks
    if (!this.#isLooking) return
    setImmediate(() => {
      this.#looks++
      this.#look()
    })
  }

  readonly #sweep = (): void => {
    this.#sweeper = undefined
    const nowMs = this.#now()
    for (const { idle } of this.#origins.values()) {
      for (const connection of [...idle]) {
        if (nowMs - connection.idleSinceMs >= connection.idleLimitMs) connection.destroy()
      }
    }
    if (this.#idleCount > 0) this.#sweeper = setTimeout(this.#sweep, SWEEP_MS).unref()
  }
}

/**
 * Connections of one destination at one address. For TLS the name is part of it: it was verified for that name alone. And
 * whoever chose a host of their own shares its connections with nobody.
 */
export const peerOf = ({ secure, port, serverName, owner }: Destination, address: string): Peer => {
  const place = secure ? `${address} ${port} ${serverName ?? ''} tls` : `${address} ${port}`
  return {
    key: owner === undefined ? place : `${place} ${owner}`,
    address,
    port,
    secure,
    serverName: secure ? serverName : undefined,
  }
}
