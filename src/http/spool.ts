import { constants, type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/** A place for request bodies that may have to be sent again. */
export interface Spool {
  /** @returns undefined where no file can be made */
  open(): Promise<SpoolFile | undefined>
}

export interface SpoolFile {
  /** @returns false past the limit, or where it cannot be written: what is kept is not the whole body then */
  append(bytes: Uint8Array): Promise<boolean>
  /** What was appended, from a position on; undefined behind the last byte. */
  read(at: number): Promise<Uint8Array | undefined>
  close(): Promise<void>
}

/** Bytes read at once. */
const PIECE_BYTES: number = 64 * 1024

/**
 * Keeps bodies in files of a folder, readable for their owner alone. A file has no name any more as soon as it is open, so that
 * nothing of it is left behind, however the process ends.
 * @param maxBytes of one body
 */
export const createSpool = (folder: string, maxBytes: number): Spool => ({
  async open() {
    const file = await openUnnamed(folder)
    if (file === undefined) return undefined
    let length = 0
    return {
      async append(bytes) {
        if (length + bytes.length > maxBytes) return false
        try {
          for (let from = 0; from < bytes.length; ) {
            const { bytesWritten } = await file.write(bytes, from, bytes.length - from, length)
            from += bytesWritten
            length += bytesWritten
          }
          return true
        } catch {
          // The disk is full, most likely: the call goes on, and is asked once.
          return false
        }
      },
      async read(at) {
        if (at >= length) return undefined
        const { buffer, bytesRead } = await file.read(new Uint8Array(Math.min(PIECE_BYTES, length - at)), {
          position: at,
        })
        return buffer.subarray(0, bytesRead)
      },
      close: () => file.close(),
    }
  },
})

const openUnnamed = async (folder: string): Promise<FileHandle | undefined> => {
  const path = join(folder, `upload-${crypto.randomUUID()}`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600)
    await unlink(path)
    return file
  } catch {
    return undefined
  }
}
