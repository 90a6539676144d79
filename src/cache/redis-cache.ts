import type { AnswerCache } from '../core/ports.ts'
import { StoreUnavailable } from '../store/errors.ts'
import type { RedisConnection } from '../store/redis.ts'
import { within } from '../timing/within.ts'
import { createAnswerSeal, SEAL_BYTES } from './seal-answers.ts'

export interface RedisCacheOptions {
  readonly client: Pick<RedisConnection['client'], 'getrangeBuffer' | 'set' | 'del'>
  /** 32 bytes that all processes of the installation have: answers are sealed with them. */
  readonly secret: Uint8Array
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
 * then, and nothing is kept. How much it holds at most is the server's own setting (`maxmemory`). What others put under our
 * keys is a miss.
 */
export const createRedisCache = (options: RedisCacheOptions): AnswerCache => {
  const { client, secret, now, onError = () => undefined, prefix = PREFIX, deadlineMs = DEADLINE_MS } = options
  const seal = createAnswerSeal(secret)
  let pausedUntilMs = Number.NEGATIVE_INFINITY
  let failures = 0
  let unsentBytes = 0

  const ask = async <T>(command: () => Promise<T>): Promise<T | undefined> => {
    if (now() < pausedUntilMs) return undefined
    try {
      const answer = await within(command(), deadlineMs, () => new StoreUnavailable('Redis did not answer in time.'))
      failures = 0
      return answer
    } catch (thrown) {
      // Somebody else's value: the server is well.
      if (thrown instanceof Error && thrown.message.startsWith('WRONGTYPE')) return undefined
      // Commands that failed together are one failure.
      if (now() < pausedUntilMs) return undefined
      if (failures === 0) onError(thrown)
      pausedUntilMs = now() + Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS)
      failures++
      return undefined
    }
  }

  const send = async (key: string, value: Uint8Array, seconds: number): Promise<void> => {
    if (unsentBytes + value.length > MAX_UNSENT_BYTES) return
    unsentBytes += value.length
    await ask(() => client.set(prefix + key, seal.seal(key, value), 'EX', seconds))
    unsentBytes -= value.length
  }

  return {
    async get(key) {
      // Whatever stands there, no more is read than we would have written. What is cut does not open.
      const sealed = await ask(() => client.getrangeBuffer(prefix + key, 0, MAX_UNSENT_BYTES + SEAL_BYTES - 1))
      return sealed === undefined ? undefined : seal.open(key, sealed)
    },
    set(key, value, ttlSeconds) {
      if (ttlSeconds >= 1) void send(key, value, Math.floor(ttlSeconds))
    },
    delete(key) {
      void ask(() => client.del(prefix + key))
    },
  }
}
