import { constants } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { checkedText, notThere, tooLarge } from './answer.ts'
import { MAX_SECRET_BYTES, type ReadSecret, SecretFailure } from './manager.ts'
import type { ReaderOptions } from './readers.ts'

/** Variables of this machine. Which ones, the rules say. */
export const createEnvironmentReader =
  ({ environment }: Pick<ReaderOptions, 'environment'>): ReadSecret =>
  async ({ path }) => {
    const value = environment[path]
    if (value === undefined) throw new SecretFailure('refused', 'this machine has no such variable')
    return { text: checkedText(value) }
  }

/** Files below the operator's folders, such as those that Kubernetes and Docker mount. The first folder that has it counts. */
export const createFileReader =
  ({ means, folder }: Pick<ReaderOptions, 'means' | 'folder'>): ReadSecret =>
  async ({ path }) => {
    for (const each of means.settings.folders) {
      const root = await realpath(resolved(folder, each)).catch(() => undefined)
      const place = root === undefined ? undefined : await realpath(join(root, path)).catch(() => undefined)
      if (root === undefined || place === undefined) continue
      // Mounted secrets are links, which may lead anywhere.
      if (!place.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)) {
        throw new SecretFailure('refused', "it is a link that leads out of the operator's folder")
      }
      // A file that is written by hand ends with a line break that nobody means.
      return { text: checkedText((await readBounded(place)).replace(/\r?\n$/, '')) }
    }
    throw notThere()
  }

const resolved = (folder: string, each: string): string => (each.startsWith('/') ? each : join(folder, each))

const readBounded = async (place: string): Promise<string> => {
  let file: FileHandle
  try {
    // A pipe would be waited for without end.
    file = await open(place, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
  } catch (thrown) {
    throw new SecretFailure('refused', 'its file cannot be opened', thrown)
  }
  try {
    if (!(await file.stat()).isFile()) throw new SecretFailure('refused', 'it is no file')
    const buffer = Buffer.alloc(MAX_SECRET_BYTES + 1)
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0)
    if (bytesRead > MAX_SECRET_BYTES) throw tooLarge()
    return new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, bytesRead))
  } catch (thrown) {
    if (thrown instanceof SecretFailure) throw thrown
    throw new SecretFailure('unusable', 'it is no text', thrown)
  } finally {
    await file.close()
  }
}
