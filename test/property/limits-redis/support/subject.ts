import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { groupsKeyOf, redisKeyOf } from '../../../../src/limits/redis/redis-keys.ts'
import { createScriptRunner, SCRIPTS } from '../../../../src/limits/redis/redis-scripts.ts'
import { createRedisStore } from '../../../../src/limits/redis/redis-store.ts'
import { type Mutant, mutate } from '../../../mutants/mutant.ts'

/** The code that is tested: that of the tree, or a copy with a fault in it. */
export interface Subject {
  readonly createRedisStore: typeof createRedisStore
  readonly redisKeyOf: typeof redisKeyOf
  readonly groupsKeyOf: typeof groupsKeyOf
  readonly createScriptRunner: typeof createScriptRunner
  readonly scripts: typeof SCRIPTS
}

export const SUBJECT: Subject = { createRedisStore, redisKeyOf, groupsKeyOf, createScriptRunner, scripts: SCRIPTS }

const ROOT = join(import.meta.dir, '..', '..', '..', '..')

/** Loads a copy of the code with the fault in it. @throws Error when its place has moved on */
export const loadChanged = async (mutant: Mutant): Promise<Subject> => {
  const folder = await mkdtemp(join(tmpdir(), 'weir-mutant-'))
  try {
    await cp(join(ROOT, 'src', 'limits'), join(folder, 'src', 'limits'), { recursive: true })
    const path = join(folder, mutant.file)
    await Bun.write(path, mutate(await Bun.file(path).text(), mutant))
    const load = (name: string) => import(join(folder, 'src', 'limits', 'redis', name))
    const [store, keys, scripts] = await Promise.all(['redis-store.ts', 'redis-keys.ts', 'redis-scripts.ts'].map(load))
    return { ...store, ...keys, ...scripts, scripts: scripts.SCRIPTS }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
