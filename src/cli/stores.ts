import { resolve } from 'node:path'
import type { Logger } from '../core/ports.ts'
import type { Readiness } from '../http/app.ts'
import { errorFields } from '../observe/log.ts'
import { openStore, type Store } from '../store/db.ts'
import { connectRedis, type RedisConnection } from '../store/redis.ts'
import type { Environment } from './environment.ts'

/** Milliseconds the first connection to Redis may take. */
const REDIS_CONNECT_MS = 5_000
/** Milliseconds a store gets to answer `/readyz`. */
const PING_MS = 1_000

export interface Stores {
  readonly store: Store
  readonly redis: RedisConnection | undefined
  readiness(): Promise<Readiness>
  close(): Promise<void>
}

/** Opens what the environment names. @throws StoreUnavailable with one clear line. */
export const openStores = async ({ env, folder }: Environment, log: Logger): Promise<Stores> => {
  const redis = env.REDIS_URL
    ? await connectRedis(env.REDIS_URL, {
        timeoutMs: REDIS_CONNECT_MS,
        onError: (error) => log.warn('Redis connection lost', errorFields(error)),
      })
    : undefined
  let store: Store
  try {
    store = await openStore({
      dataDir: resolve(folder, env.WEIR_DATA_DIR || '.weir'),
      ...(env.DATABASE_URL ? { databaseUrl: env.DATABASE_URL } : {}),
    })
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
        ready: database && cache !== false,
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
