import { watch } from 'node:fs'

/** Milliseconds of quiet after a change: editors write a file in several steps. */
const QUIET_MS = 150

/**
 * Calls `changed` when one of these files of the folder comes, goes, or is written or replaced. The folder is watched, not the
 * files, since many tools replace a file by a new one.
 * @returns stops watching.
 */
export const watchFiles = (folder: string, names: readonly string[], changed: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const watcher = watch(folder, (_event, name) => {
    // Config maps are links to a folder that changes as a whole, so any name but another file's counts.
    if (name !== null && !names.includes(String(name)) && !String(name).startsWith('..')) return
    clearTimeout(timer)
    timer = setTimeout(changed, QUIET_MS)
  })
  watcher.unref()
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}
