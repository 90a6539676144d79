import { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StoreUnavailable, systemCode } from '../errors.ts'

const FOLDER_MODE = 0o700
const FILE_MODE = 0o600
const MODE_BITS = 0o777
/** Write for the group, or for everybody. */
const WRITABLE_BY_OTHERS = 0o022

/**
 * Takes the data folder away from everybody but its owner. What is in it may be in use by another process yet.
 * @throws StoreUnavailable for a folder with something in it that others may write: who knows whose keys those are
 */
export const closeFolder = (folder: string): void => {
  const mode = statSync(folder).mode & MODE_BITS
  if ((mode & WRITABLE_BY_OTHERS) !== 0 && readdirSync(folder).length > 0) {
    throw new StoreUnavailable(
      `The data folder "${folder}" may be written by others (mode ${mode.toString(8)}), so what is in it cannot be trusted. Look at it, then run: chmod 700 "${folder}"`,
    )
  }
  asOwner(folder, () => chmodSync(folder, FOLDER_MODE))
}

/** Closes a folder that is ours, and all in it: folders become 0700, files 0600, those of an earlier start too. */
export const restrictFolder = (folder: string): void =>
  asOwner(folder, () => {
    chmodSync(folder, FOLDER_MODE)
    for (const name of readdirSync(folder)) restrict(join(folder, name))
  })

/** @throws StoreUnavailable for a folder that belongs to somebody else */
const asOwner = (folder: string, close: () => void): void => {
  try {
    close()
  } catch (error) {
    throw new StoreUnavailable(
      `The data folder "${folder}" cannot be closed to others (${systemCode(error)}): it and all in it must belong to the user of the gateway.`,
    )
  }
}

/** Links are left alone: what they lead to is not ours. */
const restrict = (path: string): void => {
  const entry = lstatSync(path)
  if (entry.isSymbolicLink()) return
  const wanted = entry.isDirectory() ? FOLDER_MODE : FILE_MODE
  if ((entry.mode & MODE_BITS) !== wanted) chmodSync(path, wanted)
  if (!entry.isDirectory()) return
  for (const name of readdirSync(path)) restrict(join(path, name))
}
