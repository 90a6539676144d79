import type { AnswerCache } from '../core/ports.ts'
import { withDeadline } from '../store/deadline.ts'
import { StoreUnavailable } from '../store/errors.ts'
import type { RedisConnection } from '../store/redis.ts'

export interface RedisCacheOptions {
  readonly client: Pick<RedisConnection['client'], 'getBuffer' | 'set' | 'del'>
  /** Milliseconds that never step back. */
  readonly now: () => number
  /** The server was not reached: once for each time that it goes away. */
  readonly onError?: (error: unknown) => void
  /** Begins every key, for installations that share one server. */
  readonly prefix?: string
  /** Milliseconds that the server gets for one answer: a call waits for it. */
  readonly deadlineMs?: number
}

const PREFIX = 'weir:answer:'
const DEADLINE_MS = 50
/** Milliseconds the server is left alone after it failed: doubled each time, up to the longest. */
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 10_000
/** Bytes that may be on their way to the server; more answers are not kept. */
const MAX_UNSENT_BYTES = 16 * 1024 * 1024

/**
 * Answers that all processes on one Redis share. A server that fails is not asked for a while: what was kept is a miss
 * then, and nothing is kept. How much it holds at most is the server's own setting (`maxmemory`).
 */
export const createRedisCache = (options: RedisCacheOptions): AnswerCache => {
  const { client, now, onError = () => undefined, prefix = PREFIX, deadlineMs = DEADLINE_MS } = options
  let pausedUntilMs = Number.NEGATIVE_INFINITY
  let failures = 0
  let unsentBytes = 0

  const ask = async <T>(command: () => Promise<T>): Promise<T | undefined> => {
    if (now() < pausedUntilMs) return undefined
    try {
      const answer = await withDeadline(
        command(),
        deadlineMs,
        () => new StoreUnavailable('Redis did not answer in time.'),
      )
      failures = 0
      return answer
    } catch (thrown) {
      // Commands that failed together are one failure.
      if (now() < pausedUntilMs) return undefined
      if (failures === 0) onError(thrown)
      pausedUntilMs = now() + Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS)
      failures++
      return undefined
    }
  }

  const send = async (value: Uint8Array, command: (bytes: Buffer) => Promise<unknown>): Promise<void> => {
    if (unsentBytes + value.length > MAX_UNSENT_BYTES) return
    unsentBytes += value.length
    await ask(() => command(Buffer.from(value.buffer, value.byteOffset, value.byteLength)))
    unsentBytes -= value.length
  }

  return {
    async get(key) {
      return (await ask(() => client.getBuffer(prefix + key))) ?? undefined
    },
    set(key, value, ttlSeconds) {
      if (ttlSeconds < 1) return
      void send(value, (bytes) => client.set(prefix + key, bytes, 'EX', Math.floor(ttlSeconds)))
    },
    delete(key) {
      void ask(() => client.del(prefix + key))
    },
  }
}
