import type { Logger } from '../core/ports.ts'
import { errorFields } from '../errors/error-fields.ts'
import { clearExpiredFiles, keptFiles } from '../store/objects/own-files.ts'
import type { Store } from '../store/types.ts'
import type { FileBackend } from './backend.ts'

/** Files that are forgotten at once, and names that are looked up at once. */
const AT_ONCE = 500
/** Milliseconds after which content without a row belongs to nobody: an upload takes less. */
const UPLOAD_MS = 24 * 60 * 60 * 1000

/**
 * Removes files that have expired, and content that belongs to none: of uploads whose process died, and of workspaces that are
 * gone. @param nowMs milliseconds since 1970
 */
export const clearFiles = async (
  { db }: Pick<Store, 'db'>,
  backend: FileBackend,
  nowMs: number,
): Promise<{ readonly expired: number; readonly left: number }> => {
  let expired = 0
  for (let ids = await clearExpiredFiles(db, AT_ONCE); ids.length > 0; ids = await clearExpiredFiles(db, AT_ONCE)) {
    for (const id of ids) await backend.remove(id)
    expired += ids.length
  }
  let left = 0
  let names: string[] = []
  const removeUnkept = async (): Promise<void> => {
    const kept = await keptFiles(db, names)
    for (const name of names.splice(0)) {
      if (kept.has(name)) continue
      await backend.remove(name)
      left++
    }
  }
  for await (const name of backend.writtenBefore(nowMs - UPLOAD_MS)) {
    names.push(name)
    if (names.length === AT_ONCE) await removeUnkept()
  }
  await removeUnkept()
  names = []
  return { expired, left }
}

/** Milliseconds until the first clearing, and between two. */
const FIRST_MS = 60 * 1000
const EVERY_MS = 60 * 60 * 1000

/** Clears them now and then, until it is closed. */
export const keepClearing = (
  clear: () => Promise<{ readonly expired: number; readonly left: number }>,
  log: Logger,
): { close(): Promise<void> } => {
  let running: Promise<void> | undefined
  let timer = setTimeout(turn, FIRST_MS)
  timer.unref()
  function turn(): void {
    running = clear()
      .then(({ expired, left }) => {
        if (expired + left > 0) log.info('files were removed', { expired, left })
      })
      .catch((thrown: unknown) => log.warn('files that have expired could not be removed', errorFields(thrown)))
      .finally(() => {
        timer = setTimeout(turn, EVERY_MS)
        timer.unref()
      })
  }
  return {
    async close() {
      clearTimeout(timer)
      await running
      clearTimeout(timer)
    },
  }
}
