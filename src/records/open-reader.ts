import { openClickhouseReader } from './clickhouse/index.ts'
import { openControlPlaneReader } from './control-plane/reader.ts'
import type { StoreAddress } from './flusher/messages.ts'
import { openPostgresReader } from './postgres/index.ts'
import { openSqliteReader } from './sqlite/index.ts'
import type { RecordReader, RetentionRules } from './store.ts'

export interface ReaderOptions {
  /** How long rows are kept, as it is now: what is older is not shown. */
  rules(): RetentionRules
  /** Milliseconds since 1970. */
  now(): number
  /** Says aloud what an operator has to know. */
  warn(message: string): void
}

/** Opens the reading end of a store, in the main thread. */
export const openReader = (address: StoreAddress, options: ReaderOptions): RecordReader => {
  if (address.kind === 'control-plane') return openControlPlaneReader(address.controlPlane.url)
  if (address.kind === 'postgres') return openPostgresReader({ databaseUrl: address.url, ...options })
  if (address.kind === 'clickhouse') return openClickhouseReader({ url: address.url, place: address.place, ...options })
  return openSqliteReader({ folder: address.folder, ...options })
}
