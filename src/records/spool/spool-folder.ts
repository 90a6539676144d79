import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { readCheckpoint } from './checkpoint.ts'
import { segmentOf } from './frame.ts'
import { listSegments } from './segment-files.ts'

const LOCK = 'weir.lock'
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** Numbers between what a dead process wrote and what its heir writes: calls that the death cut off are written there. */
export const HEIR_GAP = 8
/** Others snatch one new folder, hardly ever two: after so many something else is wrong. */
const MOST_TRIES = 20

/** A folder of the spool that nobody else has. */
export interface SpoolFolder {
  /** Its name: a UUID, under which stores know it. */
  readonly id: string
  readonly path: string
  /** Number of the first segment that may be written. Those before are of processes that ended. */
  readonly firstSegment: number
  /** Gives it free. */
  release(): void
}

/** Locks that are held. A lock that nobody refers to would be collected as garbage, and the folder be free. */
const held = new Set<DatabaseSync>()

/**
 * Takes a folder for this process alone, until it ends, however that comes. The lock is the system's, held through an empty
 * SQLite file: process ids would not do, since in a container every process is number 1.
 * @returns undefined when another process has it, or it is gone
 */
export const takeFolder = (root: string, id: string): SpoolFolder | undefined => {
  const path = join(root, id)
  const file = join(path, LOCK)
  const lock = locked(file)
  if (lock === undefined) return undefined
  // Whoever had it may have removed it after we had opened the file, and before it was free.
  if (!existsSync(file)) {
    lock.close()
    return undefined
  }
  held.add(lock)
  const last = Math.max(listSegments(path).at(-1) ?? 0, segmentOf(readCheckpoint(path).position))
  return {
    id,
    path,
    firstSegment: last + HEIR_GAP,
    release: () => {
      held.delete(lock)
      lock.close()
    },
  }
}

const locked = (file: string): DatabaseSync | undefined => {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(file, { timeout: 0 })
    lock.exec('begin exclusive')
    return lock
  } catch {
    lock?.close()
    return undefined
  }
}

/** Folders of the spool, whoever has them. */
export const listFolders = (root: string): readonly string[] => {
  try {
    return readdirSync(root).filter((name) => ID.test(name))
  } catch {
    return []
  }
}

/**
 * The folder that this process writes to: one that a process left behind, else a new one.
 * @throws what the system says where there cannot be one
 */
export const openFolder = (root: string): SpoolFolder => {
  mkdirSync(root, { recursive: true, mode: 0o700 })
  for (const id of listFolders(root)) {
    const folder = takeFolder(root, id)
    if (folder !== undefined) return folder
  }
  for (let tries = 1; ; tries++) {
    const id = crypto.randomUUID()
    mkdirSync(join(root, id), { mode: 0o700 })
    // Until it is locked it looks like one that was left behind, which others take, or remove since it is empty.
    const folder = takeFolder(root, id)
    if (folder !== undefined) return folder
    if (tries === MOST_TRIES) throw new Error(`no new folder in "${root}" can be locked`)
  }
}

/** Removes a folder that is stored whole, and gives it free. */
export const removeFolder = (folder: SpoolFolder): void => {
  rmSync(folder.path, { recursive: true, force: true })
  folder.release()
}
