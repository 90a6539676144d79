import { createHash } from 'node:crypto'
import { fromReader, nextPiece, type ReadyStream } from '../core/bodies/ready-stream.ts'
import { free } from '../core/bodies/spent-pieces.ts'
import type { Abortable } from '../core/cancellation.ts'
import { defined } from '../core/defined.ts'
import { ownFileId } from '../core/own-ids.ts'
import type { Logger } from '../core/ports.ts'
import { errorFields } from '../errors/error-fields.ts'
import { FileQuotaExceeded, FileStorageFull, FileTooLarge, StoreUnavailable } from '../errors/gateway-error.ts'
import type { ByteRange, NewFile, OwnFile, OwnFiles } from '../kit/own-files.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { StoreUnavailable as StoreAway } from '../store/errors.ts'
import { takeWorkspaceLock } from '../store/locks.ts'
import {
  countOwnFiles,
  deleteOwnFile,
  findOwnFile,
  insertOwnFile,
  listOwnFiles,
  type OwnFileRow,
} from '../store/objects/own-files.ts'
import type { Store } from '../store/types.ts'
import { ContentMissing, type FileBackend, StorageAway, StorageFull } from './backend.ts'
import { opened, sealed } from './sealed-content.ts'

/** How much is kept. */
export interface FileBounds {
  /** Of one file. */
  readonly maxBytes: number
  /** Of all files of a workspace. */
  readonly workspaceBytes: number
  readonly workspaceFiles: number
}

export interface OwnFilesOptions {
  readonly store: Pick<Store, 'db'>
  readonly backend: FileBackend
  readonly secretBox: Pick<SecretBox, 'derive'>
  readonly bounds: FileBounds
  readonly log: Logger
  readonly randomId: () => string
}

/** Files of workspaces: a row in the database for each, and its content, sealed, with a backend. */
export const createOwnFiles = ({ store, backend, secretBox, bounds, log, randomId }: OwnFilesOptions): OwnFiles => {
  const keyOf = (organisationId: string, id: string, version?: number) =>
    secretBox.derive(organisationId, `file ${id}`, version)

  const refuseMore = async (db: Store['db'], workspaceId: string, bytes: number): Promise<void> => {
    const kept = await countOwnFiles(db, workspaceId)
    if (kept.files >= bounds.workspaceFiles) {
      throw new FileQuotaExceeded(
        `The workspace keeps ${kept.files} files and may keep ${bounds.workspaceFiles}: delete some first.`,
      )
    }
    if (kept.bytes + bytes > bounds.workspaceBytes) {
      throw new FileQuotaExceeded(
        `The workspace keeps ${kept.bytes} bytes of files and may keep ${bounds.workspaceBytes}: this file has no room.`,
      )
    }
  }

  return {
    create: (file, content, signal) =>
      asked(async () => {
        const { organisationId, workspaceId, bytes: declared = 0 } = file
        if (declared > bounds.maxBytes) throw tooLarge(bounds.maxBytes)
        const id = file.id ?? ownFileId(randomId())
        try {
          await refuseMore(store.db, workspaceId, declared)
          const key = await keyOf(organisationId, id)
          const counted = new Counted(content, bounds.maxBytes, signal)
          await backend.write(id, sealed(key.bytes, counted))
          const row = await store.db.transaction(async (transaction) => {
            await takeWorkspaceLock(transaction, 'files', workspaceId)
            await refuseMore(transaction, workspaceId, counted.bytes)
            return await insertOwnFile(transaction, rowOf(file, id, counted, key.version), file.expiresAfterSeconds)
          })
          return toFile(row)
        } catch (thrown) {
          content.cancel()
          // One with an id of its own may have been kept by another process meanwhile.
          if (file.id !== undefined) throw thrown
          await backend.remove(id).catch((error: unknown) => {
            log.warn('what is left of a file could not be removed; it will be later', errorFields(error))
          })
          throw thrown
        }
      }),
    find: (workspaceId, id) =>
      asked(async () => {
        const row = await findOwnFile(store.db, workspaceId, id)
        return row === undefined ? undefined : toFile(row)
      }),
    list: (workspaceId, query) =>
      asked(async () => {
        const rows = await listOwnFiles(store.db, workspaceId, { ...query, limit: query.limit + 1 })
        return { files: rows.slice(0, query.limit).map(toFile), hasMore: rows.length > query.limit }
      }),
    delete: (workspaceId, id) =>
      asked(async () => {
        if (!(await deleteOwnFile(store.db, workspaceId, id))) return false
        // It is gone for everybody; what is left of it is removed later, if not now.
        await backend.remove(id).catch((error: unknown) => {
          log.warn('the content of a deleted file could not be removed; it will be later', errorFields(error))
        })
        return true
      }),
    open(file, range) {
      const { start, end } = range === undefined ? { start: 0, end: file.bytes } : boundsOf(range, file.bytes)
      async function* content(): AsyncGenerator<Uint8Array> {
        if (start >= end) return
        const key = await keyOf(file.organisationId, file.id, file.keyVersion)
        yield* opened(key.bytes, { bytes: file.bytes, start, end }, (from, length) =>
          backend.read(file.id, from, length),
        )
      }
      return streamOf(content())
    },
  }
}

const boundsOf = ({ start, end }: ByteRange, bytes: number): { readonly start: number; readonly end: number } => ({
  start,
  end: Math.min(end + 1, bytes),
})

const tooLarge = (maxBytes: number): FileTooLarge =>
  new FileTooLarge(`The file is larger than ${maxBytes} bytes, the most that this gateway keeps of one.`, {
    param: 'file',
  })

/** The content on its way, and what is known of it at its end. */
class Counted implements AsyncIterable<Uint8Array> {
  readonly #content: ReadyStream
  readonly #maxBytes: number
  readonly #signal: Abortable
  readonly #hash = createHash('sha256')
  bytes = 0

  constructor(content: ReadyStream, maxBytes: number, signal: Abortable) {
    this.#content = content
    this.#maxBytes = maxBytes
    this.#signal = signal
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (let piece = await nextPiece(this.#content); piece !== undefined; piece = await nextPiece(this.#content)) {
      if (this.#signal.aborted) throw this.#signal.reason
      this.bytes += piece.length
      if (this.bytes > this.#maxBytes) throw tooLarge(this.#maxBytes)
      this.#hash.update(piece)
      yield piece
      // It is sealed by now; beside a large heap the collector would let hundreds of megabytes of them gather.
      free(piece)
    }
  }

  sha256(): string {
    return this.#hash.digest('hex')
  }
}

const rowOf = (file: NewFile, id: string, counted: Counted, keyVersion: number) => ({
  id,
  organisationId: file.organisationId,
  workspaceId: file.workspaceId,
  filename: file.filename,
  purpose: file.purpose,
  contentType: file.contentType ?? null,
  apiKeyId: file.apiKeyId ?? null,
  bytes: counted.bytes,
  sha256: counted.sha256(),
  keyVersion,
})

const toFile = (row: OwnFileRow): OwnFile => ({
  id: row.id,
  organisationId: row.organisationId,
  workspaceId: row.workspaceId,
  filename: row.filename,
  purpose: row.purpose,
  bytes: row.bytes,
  sha256: row.sha256,
  keyVersion: row.keyVersion,
  createdAtMs: row.createdAt.getTime(),
  ...defined({
    contentType: row.contentType ?? undefined,
    expiresAtMs: row.expiresAt?.getTime(),
    apiKeyId: row.apiKeyId ?? undefined,
  }),
})

const streamOf = (content: AsyncGenerator<Uint8Array>): ReadyStream =>
  fromReader({
    read: () =>
      asked(async () => {
        const { value, done } = await content.next()
        return done === true ? undefined : value
      }),
    cancel: () => {
      void content.return(undefined)
    },
  })

/** What the places where files lie have to say, in words for clients. */
const asked = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof StoreAway) throw new StoreUnavailable('The database cannot be reached now.', { cause })
    if (cause instanceof StorageFull) throw new FileStorageFull('There is no room for more files here.', { cause })
    if (cause instanceof StorageAway)
      throw new StoreUnavailable('The place where files are kept cannot be reached now.', { cause })
    if (cause instanceof ContentMissing)
      throw new StoreUnavailable('The content of the file is not where it was put.', { cause })
    throw cause
  }
}
