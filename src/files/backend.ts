/** Where the contents of files lie. It knows names and bytes only; what is in them is sealed. */
export interface FileBackend {
  /** For operators: `folder` or `bucket`. */
  readonly kind: 'folder' | 'bucket'
  /**
   * Writes all pieces under a name. Nothing is there before the last one is, and nothing is left when it fails.
   * @throws StorageFull, StorageAway, and whatever the pieces throw
   */
  write(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void>
  /** Bytes from a place on, fewer at the end only. @throws StorageAway, ContentMissing */
  read(name: string, from: number, length: number): Promise<Uint8Array>
  /** What is not there is removed already. @throws StorageAway */
  remove(name: string): Promise<void>
  /** Names of what was written before a time, also of what was never finished. @param untilMs milliseconds since 1970 @throws StorageAway */
  writtenBefore(untilMs: number): AsyncIterable<string>
  /** Whether it can be used now. */
  isThere(): Promise<boolean>
}

/** The place cannot be used now. Never says its address or credentials. */
export class StorageAway extends Error {
  override readonly name = 'StorageAway'
}

/** The place is full. */
export class StorageFull extends Error {
  override readonly name = 'StorageFull'
}

/** Nothing lies there under the name, or less than was written. */
export class ContentMissing extends Error {
  override readonly name = 'ContentMissing'
}
