import { constants, existsSync } from 'node:fs'
import { cp, mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { openStore } from '../../src/store/db.ts'
import { SHARED_FOLDER_VARIABLE } from './services.ts'
import { eventually } from './start-process.ts'

/** Making one takes seconds, and more beside other tests. */
const MAKE_DEADLINE_MS = 240_000

/**
 * Puts an empty, migrated embedded database into a data folder that has none, so that what opens the folder need not
 * make one, which costs four seconds of processor time. The first caller of a test run makes it, by the migrations of
 * that run, and all get a copy. Does nothing outside `bun run test`. @throws Error when the first caller failed
 */
export const copyEmbeddedDatabase = async (dataDir: string): Promise<void> => {
  const shared = process.env[SHARED_FOLDER_VARIABLE]
  if (!shared) return
  const copy = { recursive: true, errorOnExist: true, force: false, mode: constants.COPYFILE_FICLONE }
  await cp(await embeddedDatabase(shared), join(dataDir, 'pgdata'), copy)
}

const embeddedDatabase = async (shared: string): Promise<string> => {
  const made = join(shared, 'pgdata')
  if (existsSync(made)) return made
  const dataDir = join(shared, 'making')
  if (await isFirst(dataDir)) {
    const store = await openStore({ dataDir })
    await store.close()
    await rename(join(dataDir, 'pgdata'), made)
  } else if (!(await eventually(async () => existsSync(made), MAKE_DEADLINE_MS))) {
    throw new Error(`Another test file did not make the embedded database within ${MAKE_DEADLINE_MS / 1000} s.`)
  }
  return made
}

/** Whether this caller made the folder, and no other before. */
const isFirst = async (folder: string): Promise<boolean> => {
  try {
    await mkdir(folder, { mode: 0o700 })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}
