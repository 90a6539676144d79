import type { Cluster, Redis } from 'ioredis'
import { systemTimers, type Timers } from '../away/deadline.ts'
import { readClock } from './redis-checks.ts'

/** One entry for each process: its id, scored with the time of its last sign of life in milliseconds since 1970. */
const KEY = 'weir:replicas'
const HEARTBEAT_MS = 5_000
/** Milliseconds after which a process that was not heard of is gone: two signs of life may be lost. */
const GONE_MS = 15_000

/** How many processes share the limits. Nothing here is on the path of a call. */
export interface Replicas {
  /** At least 1. The last that was known while Redis is away. */
  readonly count: number
  /** Milliseconds that the clock of Redis is ahead of this process's; the last that was known while Redis is away. */
  readonly clockAheadMs: number
  /** Says goodbye, so that the others need not wait until this one is gone. Never throws. */
  close(): Promise<void>
}

export interface ReplicasOptions {
  readonly client: Redis | Cluster
  /** Names this process; unique. */
  readonly id: string
  /** Milliseconds since 1970. Clocks of replicas may differ by a few seconds. */
  readonly now: () => number
  readonly timers?: Timers
}

export const createReplicas = ({ client, id, now, timers = systemTimers }: ReplicasOptions): Replicas => {
  let count = 1
  let clockAheadMs = 0
  let isClosed = false
  let cancel: (() => void) | undefined

  const beat = async (): Promise<void> => {
    clockAheadMs = (await readClock(client, now)) ?? clockAheadMs
    const nowMs = now()
    const results = await client
      .pipeline()
      .zadd(KEY, nowMs, id)
      .zremrangebyscore(KEY, '-inf', nowMs - GONE_MS)
      .zcard(KEY)
      .pexpire(KEY, 2 * GONE_MS)
      .exec()
    // Where it could not write itself down, nobody else could: what it counts then says nothing.
    if (results?.some(([error]) => error !== null) !== false) return
    const counted = results[2]?.[1]
    if (typeof counted === 'number') count = Math.max(1, counted)
  }

  const goOn = async (): Promise<void> => {
    try {
      await beat()
    } catch {
      // Redis is away: what was known last stays.
    }
    if (!isClosed) cancel = timers.after(HEARTBEAT_MS, () => void goOn())
  }
  void goOn()

  return {
    get count() {
      return count
    },
    get clockAheadMs() {
      return clockAheadMs
    },
    async close() {
      isClosed = true
      cancel?.()
      try {
        await client.zrem(KEY, id)
      } catch {
        // Redis is away, and forgets this process by itself.
      }
    },
  }
}
