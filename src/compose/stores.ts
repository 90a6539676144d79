import { createMemoryCache } from '../cache/memory-cache.ts'
import { createRedisCache } from '../cache/redis-cache.ts'
import { ConfigError } from '../config/config-error.ts'
import { createLocalFlags } from '../core/local-stores.ts'
import type { AnswerCache, Logger, SharedFlags } from '../core/ports.ts'
import { errorFields } from '../errors/error-fields.ts'
import type { Readiness } from '../http/app.ts'
import { systemClock } from '../observe/clock.ts'
import type { Store } from '../store/db.ts'
import { connectRedis, type RedisConnection } from '../store/redis.ts'
import { createSharedFlags } from '../store/shared-flags.ts'
import { within } from '../timing/within.ts'
import { dataDirOf, loadOwnMasterKeys, openOwnStore, type Surroundings } from './own-store.ts'

/** Milliseconds the first connection to Redis may take. */
const REDIS_CONNECT_MS = 5_000
/** Milliseconds until a command that was not answered is given up. Whoever waits for one has a shorter deadline of its own. */
const REDIS_COMMAND_MS = 2_000
/** Milliseconds a store gets to answer `/readyz`. */
const PING_MS = 1_000

export interface Stores {
  readonly store: Store
  readonly redis: RedisConnection | undefined
  /** In Redis where there is one, else of this process. They outlive a change of the config. */
  readonly flags: SharedFlags
  /** Kept where `flags` are. */
  readonly cache: AnswerCache
  readiness(): Promise<Readiness>
  close(): Promise<void>
}

/** Opens what the environment names. @throws StoreUnavailable, or ConfigError, with one clear line. */
export const openStores = async (surroundings: Surroundings, log: Logger, servesCommands = false): Promise<Stores> => {
  const { env } = surroundings
  const maxCacheBytes = cacheBytes(env.WEIR_CACHE_BYTES)
  const redis = env.REDIS_URL
    ? await connectRedis(env.REDIS_URL, {
        timeoutMs: REDIS_CONNECT_MS,
        commandTimeoutMs: REDIS_COMMAND_MS,
        onError: (error) => log.warn('Redis connection lost', errorFields(error)),
      })
    : undefined
  let store: Store | undefined
  let answerSecret: Uint8Array
  try {
    store = await openOwnStore(surroundings, {
      onCreate: (folder) => log.info('making the embedded database: a first start takes some seconds', { folder }),
      ...(servesCommands && {
        onUnshared: (reason: string) =>
          log.warn('commands such as `weir keys` need the gateway stopped: its socket cannot be made', {
            folder: dataDirOf(surroundings),
            reason,
          }),
      }),
    })
    answerSecret = (await loadOwnMasterKeys(surroundings, store)).current.derive('answers')
  } catch (thrown) {
    await Promise.allSettled([store?.close(), redis?.close()])
    throw thrown
  }
  const { monotonicMs } = systemClock
  const shared =
    redis &&
    createSharedFlags({
      client: redis.client,
      now: monotonicMs,
      onError: () => log.warn('open breakers are not shared while Redis is away'),
    })
  const answersInRedis =
    redis &&
    createRedisCache({
      client: redis.client,
      secret: answerSecret,
      now: monotonicMs,
      onError: () => log.warn('answers are not cached while Redis is away'),
    })
  return {
    store,
    redis,
    flags: shared ?? createLocalFlags(monotonicMs),
    cache: answersInRedis ?? createMemoryCache({ now: monotonicMs, maxBytes: maxCacheBytes }),
    async readiness() {
      const [database, cache] = await Promise.all([answers(store.ping()), redis && answers(redis.ping())])
      return {
        // Without Redis limits are counted by each process for itself: calls are still served.
        ready: database,
        // Calls to models need no room.
        database: { kind: store.kind, ok: database, ...(store.isFull() ? { full: true } : {}) },
        ...(redis === undefined ? {} : { redis: { kind: redis.kind, ok: cache === true } }),
      }
    },
    async close() {
      await shared?.close()
      await Promise.allSettled([store.close(), redis?.close()])
    },
  }
}

/** Bytes of the answers that a process without Redis keeps. */
const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024

/** @throws ConfigError */
const cacheBytes = (text: string | undefined): number => {
  if (!text) return DEFAULT_CACHE_BYTES
  if (!/^[0-9]{1,15}$/.test(text)) throw new ConfigError('WEIR_CACHE_BYTES must be a number of bytes.')
  return Number(text)
}

const answers = (ping: Promise<void>): Promise<boolean> =>
  within(
    ping.then(() => true),
    PING_MS,
  ).then(
    (answered) => answered === true,
    () => false,
  )
