import { watch } from 'node:fs'
import { basename, dirname } from 'node:path'

/** Milliseconds of quiet after a change: editors write a file in several steps. */
const QUIET_MS = 150

/**
 * Calls `changed` when the file is written, replaced or renamed into place. The folder is watched, not the file, since
 * many tools replace a file by a new one.
 * @returns stops watching.
 */
export const watchFile = (file: string, changed: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const watcher = watch(dirname(file), (_event, name) => {
    // Config maps are links to a folder that changes as a whole, so any name but another file's counts.
    if (name !== null && name !== basename(file) && !String(name).startsWith('..')) return
    clearTimeout(timer)
    timer = setTimeout(changed, QUIET_MS)
  })
  watcher.unref()
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}
