import type { BudgetCharge, CounterKey } from '../../core/budgets.ts'

/** What one call added to one count, with the place of its record in the spool. */
export interface SpooledCharge {
  readonly position: number
  readonly workspaceId: string
  /** Microseconds since 1970 when the call ended. */
  readonly endedUs: number
  readonly charge: BudgetCharge
}

/** What the rows of a spool before `to` added, as far as they were not counted before. */
export interface LedgerBatch {
  /** Id of the spool's folder. */
  readonly spool: string
  readonly to: number
  /** In the order of their positions. */
  readonly charges: readonly SpooledCharge[]
}

/** A count, and how people and limits read it. */
export type CounterAbout = CounterKey & Pick<BudgetCharge, 'type' | 'label' | 'endMs'>

/** One count as the ledger has it. */
export interface LedgerTotal extends CounterAbout {
  /** 10⁻¹² dollars, tokens or requests. */
  readonly total: bigint
  /** Times that it was set to 0 by hand. */
  readonly generation: number
  /** Microseconds since 1970 of the last time; 0: never. What calls spent that had ended by then is not counted any more. */
  readonly resetAtUs: number
}

/** Totals, and up to where a spool was counted when they were read. */
export interface LedgerNews {
  readonly position: number
  readonly totals: readonly LedgerTotal[]
}

/**
 * The totals of all budgets, of all processes. What calls spent is added in one transaction with the position of the spool in
 * which it was written down: exactly once, whoever dies when. Lives in the worker of the spool.
 */
export interface Ledger {
  /** Adds what lies behind the stored position of the spool, and moves that on. @returns the totals that were touched */
  apply(batch: LedgerBatch): Promise<LedgerNews>
  /** Counts of periods that run, or ended less than a day ago: the newest, if there are very many. `changes` goes on from here. */
  load(spool: string, nowMs: number): Promise<LedgerNews>
  /** Those that there are. */
  find(spool: string, keys: readonly CounterKey[]): Promise<LedgerNews>
  /** What has changed since the last call, by whomever. A count may come twice. */
  changes(spool: string): Promise<LedgerNews>
  /**
   * Sets a count to 0.
   * @param atUs microseconds since 1970
   * @param beforeMs milliseconds since 1970: later than that it is not done any more, as who asked was told that it failed
   * @throws StoreUnavailable when it is too late
   */
  reset(counter: CounterAbout, atUs: number, beforeMs?: number): Promise<LedgerTotal>
  /** Removes counts whose period ended 400 days ago. */
  expire(nowMs: number): Promise<void>
  close(): Promise<void>
}
