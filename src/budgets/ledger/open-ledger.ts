import type { Ledger } from './ledger.ts'
import { openPostgresLedger } from './postgres.ts'
import { openSqliteLedger } from './sqlite.ts'

/** Where the ledger is, as the worker opens it. */
export type LedgerAddress =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string }

/** @throws what keeps it from being opened; tried again later */
export const openLedger = (address: LedgerAddress): Ledger =>
  address.kind === 'sqlite'
    ? openSqliteLedger({ path: address.path })
    : openPostgresLedger({ databaseUrl: address.url })
