import type { CounterKey } from '../../core/budgets.ts'
import type { CounterAbout, LedgerTotal } from './ledger.ts'

/** What the thread of the calls asks of the ledger. */
export type ToLedger =
  /** Counts that are new here, and may be old elsewhere. */
  | { readonly type: 'find'; readonly keys: readonly CounterKey[] }
  | {
      readonly type: 'reset'
      readonly id: number
      readonly counter: CounterAbout
      readonly atUs: number
      readonly beforeMs: number
    }

/** What the ledger tells it. */
export type FromLedger =
  | {
      readonly type: 'news'
      /** All charges of the live spool before this place are in the totals. Absent: there is more to come. */
      readonly position?: number
      readonly totals: readonly LedgerTotal[]
    }
  /** Totals of all running periods were told, with what dead processes had left in their spools. */
  | { readonly type: 'loaded' }
  /** Without a total: it could not be done. */
  | { readonly type: 'reset'; readonly id: number; readonly total?: LedgerTotal }
