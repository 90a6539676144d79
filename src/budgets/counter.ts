import type { BudgetCharge, BudgetType, BudgetUnits, CounterKey } from '../core/budgets.ts'

/** One count of a budget as this process knows it: a group of calls in one period. All numbers in the unit of limits. */
export interface Counter {
  readonly key: CounterKey
  readonly type: BudgetType
  /** The group's values as JSON, for people. */
  readonly label: string
  /** When its period ends; absent: never. */
  readonly endMs?: number
  /** What the ledger has, of all processes, as it was last heard. */
  readonly stored: BudgetUnits
  /** What calls of this process spent and the ledger has not yet. */
  readonly pending: BudgetUnits
  /** What calls of this process spent that the ledger has by now: with `pending` all that they spent. Never falls. */
  readonly counted: BudgetUnits
  /** What is held back for calls of this process that are in flight. Moved by the engine of the limits. */
  held: BudgetUnits
  /** Number of times that it was set to 0 by hand: counts of before are of no interest. */
  readonly generation: number
  /** False once it was given up, for want of room or long after its period: ask `of` for the one in its place. */
  readonly isKept: boolean
}

/** All counts that this process knows: those of periods that run, and of what it has seen since. In memory, at once. */
export interface Counters {
  /** The same object for the same key for as long as its period runs. Makes it when nothing was counted there yet. */
  of(key: CounterKey, about: Pick<Counter, 'type' | 'label' | 'endMs'>): Counter
  /** Undefined where nothing was counted yet. */
  find(key: CounterKey): Counter | undefined
  /** Counts of one budget whose period has not ended, in no order. */
  list(workspaceId: string, budgetId: string, nowMs: number): readonly Counter[]
  /**
   * Takes in what a call spent, once its record was written.
   * @param endedUs when the call ended, as its record has it
   * @param position of the spool behind the record; the ledger tells up to where it has counted. Absent: the record could
   * not be kept, so that only this process knows
   */
  spent(workspaceId: string, charges: readonly BudgetCharge[], endedUs: number, position: number | undefined): void
  /**
   * Counts what a call spent whose record is still to come, so that nothing passes a budget meanwhile.
   * @returns ends that, right before `spent` takes it in
   */
  announce(workspaceId: string, charges: readonly BudgetCharge[], endedUs: number): () => void
  /** What was spent in all: what the ledger has, and what it has not of this process yet. 10⁻¹² dollars, tokens or requests. */
  total(counter: Counter): bigint
  /** Sets a count to 0, everywhere. @throws StoreUnavailable when the ledger cannot be reached */
  reset(counter: Counter): Promise<void>
  /** Hears of counts whose numbers have changed, from here or elsewhere; at most once for each in a tick. */
  onChange(listener: (counter: Counter) => void): void
}

/** What a call asks of one budget, beside its rate limits. At most one for each counter. */
export interface BudgetClaim {
  readonly counter: Counter
  /** In the unit of limits. */
  readonly limit: BudgetUnits
  /** Held back until the call has ended. 0: the call passes when anything is left (`soft`). */
  readonly weight: BudgetUnits
  /** Refuses nothing and holds nothing back; what the call spends is counted as ever. */
  readonly shadow: boolean
}

/** What is held back for one call in one count. */
export interface BudgetHold {
  readonly counter: Counter
  /** What is still held. Moved by the store of the limits alone: 0 once all was given back, or an hour has passed. */
  weight: BudgetUnits
  /** When it began, by the monotonic clock. */
  readonly sinceMs: number
}

export interface BudgetVerdict {
  readonly fits: boolean
  /** Spent and held back by all processes, as far as is known, without this call. */
  readonly used: BudgetUnits
  /** Only of a call that was admitted, for a claim with weight that is no shadow. */
  readonly hold: BudgetHold | undefined
}
