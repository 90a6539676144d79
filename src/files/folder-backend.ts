import type { Dirent } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { free } from '../core/bodies/spent-pieces.ts'
import { ContentMissing, type FileBackend, StorageAway, StorageFull } from './backend.ts'

/** Ends names of what is being written; a name and a UUID stand in front. */
const UNFINISHED = '.new'

/** Files in a folder, which several processes may share. Readable for its owner alone. */
export const createFolderBackend = (folder: string): FileBackend => {
  const remove = (path: string): Promise<void> => rm(path, { force: true })

  return {
    kind: 'folder',
    async write(name, pieces) {
      const path = join(folder, `${name}.${crypto.randomUUID()}${UNFINISHED}`)
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        const file = await open(path, 'wx', 0o600)
        try {
          for await (const piece of pieces) {
            await file.writeFile(piece)
            free(piece)
          }
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(path, join(folder, name))
      } catch (thrown) {
        await remove(path).catch(() => undefined)
        throw ofSystem(thrown)
      }
    },
    async read(name, from, length) {
      let file: FileHandle | undefined
      try {
        file = await open(join(folder, name), 'r')
        const { buffer, bytesRead } = await file.read(new Uint8Array(length), { position: from })
        return buffer.subarray(0, bytesRead)
      } catch (thrown) {
        throw codeOf(thrown) === 'ENOENT' ? new ContentMissing('the content of a file is gone') : ofSystem(thrown)
      } finally {
        await file?.close()
      }
    },
    async remove(name) {
      try {
        await remove(join(folder, name))
      } catch (thrown) {
        throw ofSystem(thrown)
      }
    },
    async *writtenBefore(untilMs) {
      let entries: Dirent[]
      try {
        entries = await readdir(folder, { withFileTypes: true })
      } catch (thrown) {
        if (codeOf(thrown) === 'ENOENT') return
        throw ofSystem(thrown)
      }
      for (const { name } of entries.filter((entry) => entry.isFile())) {
        const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: untilMs }))
        if (mtimeMs < untilMs) yield name
      }
    },
    async isThere() {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        return (await stat(folder)).isDirectory()
      } catch {
        return false
      }
    },
  }
}

const codeOf = (thrown: unknown): unknown => (thrown instanceof Error && 'code' in thrown ? thrown.code : undefined)

/** What the system says; all else stays what it is. */
const ofSystem = (thrown: unknown): unknown => {
  const code = codeOf(thrown)
  if (code === 'ENOSPC' || code === 'EDQUOT') return new StorageFull('the disk is full', { cause: thrown })
  const isSystem = thrown instanceof Error && 'syscall' in thrown
  return isSystem ? new StorageAway(`the folder cannot be used (${String(code)})`, { cause: thrown }) : thrown
}
