import type { ReadyStream } from '../core/bodies/ready-stream.ts'
import type { Abortable } from '../core/cancellation.ts'

/** A file that Weir keeps for a workspace. */
export interface OwnFile {
  /** `file-weir-…` */
  readonly id: string
  readonly organisationId: string
  readonly workspaceId: string
  /** As it was sent, without any folders. */
  readonly filename: string
  /** What it is for: `batch`, `fine-tune`, … */
  readonly purpose: string
  readonly bytes: number
  readonly contentType?: string | undefined
  /** Of its content, in hexadecimal letters. */
  readonly sha256: string
  /** Version of the key that seals it. */
  readonly keyVersion: number
  /** Milliseconds since 1970. */
  readonly createdAtMs: number
  readonly expiresAtMs?: number | undefined
  /** Gateway key that it was sent with. */
  readonly apiKeyId?: string | undefined
}

/** One that is to be kept. */
export interface NewFile
  extends Pick<OwnFile, 'organisationId' | 'workspaceId' | 'filename' | 'purpose' | 'contentType' | 'apiKeyId'> {
  /** For one that is made again by whoever finishes the work of another process: kept once, its content is always the same. */
  readonly id?: string | undefined
  readonly expiresAfterSeconds?: number | undefined
  /** Of its content, where that is known before. */
  readonly bytes?: number | undefined
}

export interface OwnFileQuery {
  readonly purpose?: string | undefined
  /** Id of the file that the list goes on behind. */
  readonly after?: string | undefined
  readonly limit: number
  /** By the time they were made. */
  readonly order: 'asc' | 'desc'
}

/** First and last byte of a part, both in it. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Files by workspace: what one has, another does not find. */
export interface OwnFiles {
  /**
   * Reads a stream to its end and keeps it. Nothing is left of one that breaks off.
   * @throws FileTooLarge (413), FileQuotaExceeded (429), FileStorageFull (507), StoreUnavailable (503), whatever the stream throws
   */
  create(file: NewFile, content: ReadyStream, signal: Abortable): Promise<OwnFile>
  /** One that has expired is not found. @throws StoreUnavailable (503) */
  find(workspaceId: string, id: string): Promise<OwnFile | undefined>
  /** @throws StoreUnavailable (503) */
  list(
    workspaceId: string,
    query: OwnFileQuery,
  ): Promise<{ readonly files: readonly OwnFile[]; readonly hasMore: boolean }>
  /** @returns false for one that is not kept. @throws StoreUnavailable (503) */
  delete(workspaceId: string, id: string): Promise<boolean>
  /** Its bytes, or those of a part of it. Throws where they are not what was kept. */
  open(file: OwnFile, range?: ByteRange): ReadyStream
}

/** An own file that a call names, ready to be read. */
export interface OwnFileContent extends Pick<OwnFile, 'id' | 'filename' | 'bytes' | 'purpose' | 'contentType'> {
  /** From its beginning; may be asked again. */
  open(): ReadyStream
}
