import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { open, type SealingKey, seal, versionOf } from '../../secrets/envelope.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import type { FileStore } from '../../store/files.ts'
import type { LogExport } from '../../store/objects/log-exports.ts'

type Exported = Pick<LogExport, 'organisationId' | 'fileId'>

/** Files of exports: compressed, and sealed with a key of the organisation, part by part. */
export interface ExportFiles {
  write(of: Exported, part: number, text: string): Promise<number>
  /** The parts from 0, as they are read. Errors when one is gone meanwhile. */
  read(of: Exported & Pick<LogExport, 'parts'>): ReadableStream<Uint8Array>
  list: FileStore['list']
  remove: FileStore['remove']
}

const PURPOSE = 'files of log exports'
const compress = promisify(gzip)
const decompress = promisify(gunzip)

export const createExportFiles = (store: FileStore, secretBox: Pick<SecretBox, 'derive'>): ExportFiles => ({
  async write({ organisationId, fileId }, part, text) {
    const key: SealingKey = await secretBox.derive(organisationId, PURPOSE)
    const sealed = seal(key, contextOf(fileId, part), await compress(text))
    await store.write(nameOf(fileId), part, sealed)
    return Buffer.byteLength(text)
  },
  read({ organisationId, fileId, parts }) {
    let part = 0
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          if (part === parts) return controller.close()
          const sealed = await store.read(nameOf(fileId), part)
          if (sealed === undefined) throw new Error('a part of an export is gone')
          const key = await secretBox.derive(organisationId, PURPOSE, versionOf(sealed))
          controller.enqueue(await decompress(open(key, contextOf(fileId, part), sealed)))
          part++
        },
      },
      { highWaterMark: 0 },
    )
  },
  list: store.list,
  remove: store.remove,
})

const nameOf = (fileId: string | null): string => {
  if (fileId === null) throw new Error('an export that was not started has no file')
  return fileId
}

const contextOf = (fileId: string | null, part: number): readonly string[] => [nameOf(fileId), String(part)]
