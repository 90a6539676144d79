import { resolve } from 'node:path'

/** Largest file that a setting names, in bytes. */
const MAX_BYTES = 16 * 1024 * 1024

/** Text of a file that the operator's file names. @throws Error for one that cannot be read, or is too large */
export const readNamedFile = async (folder: string, path: string): Promise<string> => {
  const file = Bun.file(resolve(folder, path))
  try {
    if ((await file.stat()).size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`)
    return await file.text()
  } catch (cause) {
    throw new Error(`${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}
