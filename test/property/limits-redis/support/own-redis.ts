import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requireBinaries } from '../../../support/start-binaries.ts'
import { createProcessGroup } from '../../../support/start-process.ts'
import { startRedis } from '../../../support/start-redis.ts'

export interface OwnRedis {
  readonly url: string
  close(): Promise<void>
}

/** A Redis of one test file or program, whose settings it may change. */
export const startOwnRedis = async (): Promise<OwnRedis> => {
  const folder = await mkdtemp(join(tmpdir(), 'weir-redis-'))
  const group = createProcessGroup()
  const close = async (): Promise<void> => {
    await group.close()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const { redisServer = '' } = await requireBinaries(['redis-server'], group)
    return { url: await startRedis(group, redisServer, join(folder, 'redis')), close }
  } catch (error) {
    await close()
    throw error
  }
}
