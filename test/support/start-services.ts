import { join } from 'node:path'
import { SERVICE_VARIABLES, type ServiceVariable } from './services.ts'
import { requireBinaries, type ServicePackage } from './start-binaries.ts'
import { startPostgres } from './start-postgres.ts'
import type { ProcessGroup } from './start-process.ts'
import { startRedis, startRedisCluster } from './start-redis.ts'

const PACKAGES: Record<ServiceVariable, ServicePackage> = {
  TEST_REDIS_URL: 'redis-server',
  TEST_REDIS_CLUSTER_URL: 'redis-server',
  TEST_DATABASE_URL: 'postgresql',
}

/**
 * Starts in `folder` every service whose variable `environment` does not set, all at once.
 * Returns the variables of the services it started. When one fails, all are stopped.
 */
export async function startServices(
  group: ProcessGroup,
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<Partial<Record<ServiceVariable, string>>> {
  const wanted = SERVICE_VARIABLES.filter((variable) => !environment[variable])
  const packages = [...new Set(wanted.map((variable) => PACKAGES[variable]))]
  const { redisServer = '', initdb = '', postgres = '' } = await requireBinaries(packages, group)
  const starters: Record<ServiceVariable, () => Promise<string>> = {
    TEST_REDIS_URL: () => startRedis(group, redisServer, join(folder, 'redis')),
    TEST_REDIS_CLUSTER_URL: () => startRedisCluster(group, redisServer, join(folder, 'cluster')),
    TEST_DATABASE_URL: () => startPostgres(group, { initdb, postgres }, join(folder, 'postgres')),
  }
  const starts = wanted.map(async (variable) => [variable, await starters[variable]()] as const)
  try {
    return Object.fromEntries(await Promise.all(starts))
  } catch (error) {
    await group.close()
    await Promise.allSettled(starts)
    throw error
  }
}
