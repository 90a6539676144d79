import { openClickhouseWriter } from './clickhouse/index.ts'
import { openControlPlaneWriter } from './control-plane/writer.ts'
import type { StoreAddress } from './flusher/messages.ts'
import { openPostgresWriter } from './postgres/index.ts'
import { openSqliteWriter } from './sqlite/index.ts'
import type { RecordWriter } from './store.ts'

/**
 * Opens the writing end of a store, in the worker.
 * @param warn says aloud what an operator has to know
 * @throws what keeps it from being opened; tried again later
 */
export const openWriter = (address: StoreAddress, warn: (message: string) => void): RecordWriter => {
  switch (address.kind) {
    case 'sqlite':
      return openSqliteWriter({ folder: address.folder, warn })
    case 'postgres':
      return openPostgresWriter({ databaseUrl: address.url })
    case 'control-plane':
      return openControlPlaneWriter({ controlPlane: address.controlPlane, ledger: address.ledger })
    case 'clickhouse':
      return openClickhouseWriter({ url: address.url, place: address.place })
  }
}
