import type { LedgerTotal } from '../../budgets/ledger/ledger.ts'
import type { LedgerState } from '../../budgets/ledger/ledger-access.ts'
import type { FromLedger, ToLedger } from '../../budgets/ledger/messages.ts'
import type { LedgerAddress } from '../../budgets/ledger/open-ledger.ts'
import type { CounterKey } from '../../core/budgets.ts'
import type { ControlPlane } from '../../deployments/control-plane.ts'
import type { ClickhousePlace } from '../clickhouse/names.ts'
import type { RowCounts } from '../spool/spool-writer.ts'
import type { RecordBatch, Retention } from '../store.ts'

/** Where records are stored, as the worker opens it. */
export type StoreAddress =
  | { readonly kind: 'sqlite'; readonly folder: string }
  | { readonly kind: 'postgres'; readonly url: string }
  | { readonly kind: 'clickhouse'; readonly url: string; readonly place: ClickhousePlace }
  /** Of a data plane. @param ledger file of its own ledger, which hears of what the control plane has counted */
  | { readonly kind: 'control-plane'; readonly controlPlane: ControlPlane; readonly ledger: string }

/** What the operator decides about a spool. */
export interface SpoolSettings {
  /** Bytes on disk of all that waits. */
  readonly maxBytes: number
  readonly durability: 'group' | 'strict'
  /** What happens when it is full of records: the oldest go, or new calls are refused. */
  readonly onFull: 'drop' | 'refuse'
}

/** What decides how long rows are kept, and which sums are kept ready. Sent again when it changes. */
export interface StoreRules {
  readonly fallback: Retention
  readonly workspaces: ReadonlyMap<string, Retention>
  readonly metadataKeys: ReadonlyMap<string, readonly string[]>
}

export interface WorkerStart {
  readonly type: 'start'
  /** Folder of all spools. Absent: there is none, rows are in memory. */
  readonly root: string | undefined
  readonly id: string
  readonly path: string | undefined
  readonly firstSegment: number
  readonly state: SharedArrayBuffer
  readonly memory: ReadonlyMap<number, SharedArrayBuffer>
  /** Segments in memory that there were so far. */
  readonly told: number
  readonly segmentBytes: number
  readonly settings: SpoolSettings
  readonly store: StoreAddress
  /** Where budgets are counted. */
  readonly ledger: LedgerAddress
  readonly rules: StoreRules
}

export type ToWorker =
  | WorkerStart
  /** A segment that is on no disk. */
  | { readonly type: 'memory'; readonly segment: number; readonly buffer: SharedArrayBuffer }
  | { readonly type: 'wake' }
  /** Someone waits for all that is here to be stored. */
  | { readonly type: 'flush' }
  | { readonly type: 'rules'; readonly rules: StoreRules }
  | { readonly type: 'ledger'; readonly message: ToLedger }
  /** Of a data plane: answered by `delivered`. */
  | { readonly type: 'deliver'; readonly id: number; readonly delivery: Delivery }
  /** Nothing more is written. Stores what it can until then. */
  | { readonly type: 'stop'; readonly withinMs: number }

/** What the worker knows of its work. */
export interface WorkerState {
  /** On disk, of all spools that it stores. */
  readonly bytes: number
  /** Microseconds since 1970 of the oldest row that waits for the store. */
  readonly oldest: number | undefined
  /** Rows of this process that were stored or set aside. */
  readonly stored: number
  readonly dropped: RowCounts
  /** Times that the store could not be written. */
  readonly failures: number
  /** Of them since it last could. */
  readonly failuresInRow: number
  /** Milliseconds since 1970. */
  readonly lastStoredMs: number | undefined
  readonly quarantined: number
  /** Places in segments that were no sound rows. */
  readonly damaged: number
  readonly ledger: LedgerState
}

/** What a data plane hands in, or asks. */
export interface Delivery {
  /** Of the data plane. */
  readonly spool: string
  /** Absent: it only asks. */
  readonly batch?: RecordBatch
  /** Counts that it wants to know. */
  readonly counters: readonly CounterKey[]
}

/** What became of it. */
export interface Delivered {
  /** Up to where its spool is stored and counted. */
  readonly position: number
  /** Those of the batch, and those that were asked for. */
  readonly totals: readonly LedgerTotal[]
}

export type FromWorker =
  | {
      readonly type: 'log'
      readonly level: 'info' | 'warn' | 'error'
      readonly message: string
      readonly fields: Readonly<Record<string, unknown>>
    }
  /** All of the live spool before this position is in the store. */
  | { readonly type: 'stored'; readonly position: number }
  /** All before it would survive the loss of power. */
  | { readonly type: 'synced'; readonly position: number }
  | { readonly type: 'released'; readonly segments: readonly number[] }
  | { readonly type: 'ledger'; readonly message: FromLedger }
  | ({ readonly type: 'delivered'; readonly id: number } & (
      | { readonly delivered: Delivered }
      /** @param refused rows that the store will never take */
      | { readonly refused: boolean; readonly message: string }
    ))
  | { readonly type: 'state'; readonly state: WorkerState }
  | { readonly type: 'stopped' }
