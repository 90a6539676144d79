import type { SharedFlags } from '../core/ports.ts'
import type { RedisConnection } from './redis.ts'

export interface SharedFlagsOptions {
  readonly client: RedisConnection['client']
  /** Milliseconds that never step back. */
  readonly now: () => number
  /** The server was not reached: once for each time that it goes away. */
  readonly onError?: (error: unknown) => void
  /** How often to look for flags of other processes. */
  readonly pollIntervalMs?: number
  /** Installations that share one server. */
  readonly key?: string
}

export interface RedisFlags extends SharedFlags {
  close(): Promise<void>
}

/** Sorted set: names, by the milliseconds of the server's clock until which they are up. */
const KEY = 'weir:flags'
/** More are not remembered: what a process keeps stays small. */
const MAX_FLAGS = 10_000

/**
 * Flags that all processes on one Redis share. They are read from memory, and brought in step in the background: after
 * each change of our own, and every second for those of others. While the server is away each process goes by its own,
 * and sends what it missed when the server is back.
 */
export const createSharedFlags = (options: SharedFlagsOptions): RedisFlags => {
  const { client, now, onError = () => undefined, pollIntervalMs = 1_000, key = KEY } = options
  /** Until when, by our own clock. */
  let flags = new Map<string, number>()
  /** Changes that the server does not know of yet; 0 for a lowered flag. */
  const unsent = new Map<string, number>()
  let running: Promise<void> | undefined
  let isAway = false
  let isClosed = false

  const exchange = async (): Promise<void> => {
    const [seconds = 0, microseconds = 0] = await client.time()
    const serverMs = Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000)
    const aheadMs = serverMs - now()
    // Only who writes tidies up: reading every second changes nothing.
    if (unsent.size > 0) await client.zremrangebyscore(key, '-inf', serverMs)
    for (const [name, untilMs] of [...unsent]) {
      if (untilMs > now()) await client.zadd(key, Math.round(untilMs + aheadMs), name)
      else await client.zrem(key, name)
      // Changed once more while it was sent: that is still to be told.
      if (unsent.get(name) === untilMs) unsent.delete(name)
    }
    const rows = await client.zrangebyscore(key, serverMs, '+inf', 'WITHSCORES', 'LIMIT', 0, MAX_FLAGS)
    const next = new Map<string, number>()
    for (let index = 0; index + 1 < rows.length; index += 2) {
      next.set(rows[index] ?? '', Number(rows[index + 1]) - aheadMs)
    }
    for (const [name, untilMs] of unsent) next.set(name, untilMs)
    flags = next
  }

  const sync = async (): Promise<void> => {
    try {
      do await exchange()
      while (unsent.size > 0 && !isClosed)
      isAway = false
    } catch (thrown) {
      if (!isAway && !isClosed) onError(thrown)
      isAway = true
    } finally {
      running = undefined
    }
  }

  const start = (): void => {
    if (!isClosed) running ??= sync()
  }

  const change = (name: string, untilMs: number): void => {
    for (const kept of [flags, unsent]) {
      kept.delete(name)
      kept.set(name, untilMs)
      const oldest = kept.size > MAX_FLAGS ? kept.keys().next() : undefined
      if (oldest?.done === false) kept.delete(oldest.value)
    }
    start()
  }

  start()
  const timer = setInterval(start, pollIntervalMs)
  return {
    has(name) {
      const untilMs = flags.get(name)
      if (untilMs === undefined || untilMs > now()) return untilMs !== undefined
      flags.delete(name)
      return false
    },
    raise: (name, forMs) => change(name, now() + forMs),
    lower: (name) => change(name, 0),
    async close() {
      isClosed = true
      clearInterval(timer)
      await running
    },
  }
}
