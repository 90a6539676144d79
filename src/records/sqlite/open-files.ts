import type { Database } from 'bun:sqlite'
import { type FileName, fileName } from './files.ts'

/** A file that is open, and what its user keeps beside it. */
export interface OpenFile {
  readonly database: Database
}

/** Files that are open, up to a number: the one that was not used for longest is closed first. */
export interface OpenFiles<File extends OpenFile> {
  /** Opens a file, or gives it again. Undefined where `open` had none. */
  get(name: FileName): File | undefined
  close(name: FileName): void
  /** Closes those that do not fit. */
  keepOnly(fits: (name: FileName) => boolean): void
  closeAll(): void
}

export const createOpenFiles = <File extends OpenFile>(
  most: number,
  open: (name: FileName) => File | undefined,
): OpenFiles<File> => {
  const files = new Map<string, { readonly name: FileName; readonly file: File }>()
  const close = (name: FileName): void => {
    const key = fileName(name)
    files.get(key)?.file.database.close()
    files.delete(key)
  }
  return {
    get(name) {
      const key = fileName(name)
      const known = files.get(key)
      if (known !== undefined) {
        files.delete(key)
        files.set(key, known)
        return known.file
      }
      const file = open(name)
      if (file === undefined) return undefined
      files.set(key, { name, file })
      const [oldest] = files.values()
      if (files.size > most && oldest !== undefined) close(oldest.name)
      return file
    },
    close,
    keepOnly(fits) {
      for (const { name } of [...files.values()]) if (!fits(name)) close(name)
    },
    closeAll() {
      for (const { name } of [...files.values()]) close(name)
    },
  }
}
