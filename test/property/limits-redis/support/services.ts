import { Cluster, Redis } from 'ioredis'
import { testServices } from '../../../support/services.ts'

export interface TestRedis {
  readonly single: Redis
  readonly cluster: Cluster
  close(): void
}

/** Connections of one test file. */
export const connectTestRedis = (): TestRedis => {
  const { redisUrl, redisClusterUrl } = testServices()
  const single = new Redis(redisUrl)
  const cluster = new Cluster(redisClusterUrl.split(','))
  return {
    single,
    cluster,
    close() {
      single.disconnect()
      cluster.disconnect()
    },
  }
}
