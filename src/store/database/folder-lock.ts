import { accessSync, constants, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { FolderInUse, StoreUnavailable, systemCode } from '../errors.ts'
import { closeFolder, restrictFolder } from './folder-modes.ts'

/** Locks that are held. A lock that nobody refers to would be collected as garbage, and the folder be free. */
const held = new Set<DatabaseSync>()

/**
 * Makes the folder and takes it for this process alone. The lock is the operating system's, held through an empty
 * SQLite file: it ends with the process however that dies. A process id in a file would not do, since in a container
 * every process is number 1; it is written beside the lock only to be named in the message.
 * @returns gives the folder free
 * @throws FolderInUse naming the process that has it; StoreUnavailable when it cannot be written, or others may write it
 */
export const lockFolder = (folder: string): (() => void) => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new StoreUnavailable(`The data folder "${folder}" cannot be written (${systemCode(error)}).`)
  }
  closeFolder(folder)
  const processFile = join(folder, 'weir.pid')
  const lock = openLock(join(folder, 'weir.lock'), folder)
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if (!(error instanceof Error && error.message.includes('locked'))) {
      throw new StoreUnavailable(`The data folder "${folder}" cannot be locked: its file weir.lock is not usable.`)
    }
    throw new FolderInUse(
      `The data folder "${folder}" is in use by another Weir process${readOwner(processFile)}. Stop that one, or choose another folder.`,
    )
  }
  const unlock = (): void => {
    held.delete(lock)
    rmSync(processFile, { force: true })
    lock.close()
  }
  held.add(lock)
  try {
    writeFileSync(processFile, `${process.pid}\n`)
    // Only now: files of a process that still works here come and go.
    restrictFolder(folder)
  } catch (error) {
    unlock()
    throw error
  }
  return unlock
}

const openLock = (file: string, folder: string): DatabaseSync => {
  try {
    return new DatabaseSync(file, { timeout: 0 })
  } catch {
    throw new StoreUnavailable(`The data folder "${folder}" cannot be written (its file weir.lock does not open).`)
  }
}

const readOwner = (file: string): string => {
  try {
    return ` (process ${readFileSync(file, 'utf8').trim()})`
  } catch {
    return ''
  }
}
