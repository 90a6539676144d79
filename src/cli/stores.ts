import type { Logger } from '../core/ports.ts'
import type { Readiness } from '../http/app.ts'
import { errorFields } from '../observe/log.ts'
import type { Store } from '../store/db.ts'
import { connectRedis, type RedisConnection } from '../store/redis.ts'
import type { Environment } from './environment.ts'
import { openOwnStore } from './own-store.ts'

/** Milliseconds the first connection to Redis may take. */
const REDIS_CONNECT_MS = 5_000
/** Milliseconds until a command that was not answered is given up. Whoever waits for one has a shorter deadline of its own. */
const REDIS_COMMAND_MS = 2_000
/** Milliseconds a store gets to answer `/readyz`. */
const PING_MS = 1_000

export interface Stores {
  readonly store: Store
  readonly redis: RedisConnection | undefined
  readiness(): Promise<Readiness>
  close(): Promise<void>
}

/** Opens what the environment names. @throws StoreUnavailable with one clear line. */
export const openStores = async (environment: Environment, log: Logger): Promise<Stores> => {
  const { env } = environment
  const redis = env.REDIS_URL
    ? await connectRedis(env.REDIS_URL, {
        timeoutMs: REDIS_CONNECT_MS,
        commandTimeoutMs: REDIS_COMMAND_MS,
        onError: (error) => log.warn('Redis connection lost', errorFields(error)),
      })
    : undefined
  let store: Store
  try {
    store = await openOwnStore(environment)
  } catch (thrown) {
    await redis?.close()
    throw thrown
  }
  return {
    store,
    redis,
    async readiness() {
      const [database, cache] = await Promise.all([answers(store.ping()), redis && answers(redis.ping())])
      return {
        // Without Redis limits are counted by each process for itself: calls are still served.
        ready: database,
        database: { kind: store.kind, ok: database },
        ...(redis === undefined ? {} : { redis: { kind: redis.kind, ok: cache === true } }),
      }
    },
    async close() {
      await Promise.allSettled([store.close(), redis?.close()])
    },
  }
}

const answers = (ping: Promise<void>): Promise<boolean> =>
  Promise.race([ping.then(() => true), Bun.sleep(PING_MS).then(() => false)]).catch(() => false)
