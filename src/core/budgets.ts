/**
 * Budgets as the chain, the records and the ledger see them: how much may be spent or used before calls are refused. What a
 * call spent travels in its record, so that counts and records cannot differ.
 */

/** What a budget counts: money, prompt and completion tokens, or calls that reached a provider. */
export type BudgetType = 'cost' | 'tokens' | 'requests'

/** `soft`: calls in flight finish. `reserve`: the worst that a call can cost is held back before it is made. */
export type Enforcement = 'soft' | 'reserve'

/** When the count of a budget begins anew. All times are UTC, in milliseconds since 1970. */
export interface ResetSchedule {
  /** Monday 00:00, the first of the month 00:00, or so many days. Absent: only at `firstResetMs`, or never. */
  readonly every?: 'week' | 'month' | number
  /** A midnight. The first reset; days are counted from there, or from the midnight before `since.setAtMs`. */
  readonly firstResetMs?: number
  /** The period that was running when the schedule was set: it goes on until the first reset after that. */
  readonly since: { readonly startMs: number; readonly setAtMs: number }
}

/** Names one count of a budget. */
export interface CounterKey {
  readonly workspaceId: string
  /** Id of the policy, or of what a budget belongs to with its type: `api_key.cost`. Letters, digits, `.`, `_` and `-` only. */
  readonly budgetId: string
  /** 128-bit hash of the group's values in base64url, as rate limits have it. */
  readonly group: string
  /** Milliseconds since 1970 when the period began. */
  readonly startMs: number
}

/** What a call added to one count. Part of its record. */
export interface BudgetCharge extends Omit<CounterKey, 'workspaceId'> {
  readonly type: BudgetType
  /** The group's values as JSON, for people. At most 512 characters. */
  readonly label: string
  /** When the period ends; absent: never. */
  readonly endMs?: number
  /** 10⁻¹² dollars, tokens or requests, by `type`. An integer of at least 0. */
  readonly amount: number
}

/** A budget that is part of a key, a workspace, a provider, a grant. */
export interface OwnBudget {
  readonly type: 'cost' | 'tokens'
  /** Dollars or tokens, by `type`. */
  readonly limit: number
  readonly alertThreshold?: number
  readonly schedule: ResetSchedule
  readonly enforcement: Enforcement
}

export interface OwnedBudgets {
  readonly owner: 'api_key' | 'workspace' | 'virtual_key' | 'integration'
  /** Id of the owner; unique within the workspace and the kind. */
  readonly id: string
  readonly budgets: readonly OwnBudget[]
}

/** What was asked of one target of a call, and what came of it. */
export interface TargetSpent {
  /** The object that `AdmitOptions.target` named the target by. */
  readonly target: object
  /** A provider was asked. */
  readonly wasAsked: boolean
  /** 10⁻¹² dollars. 0 where nothing was bought, or the price is not known. */
  readonly cost: number
  readonly tokens: number
}

/**
 * What is counted, in the unit in which limits are enforced: 10⁻⁹ dollars, rounded up, so that 9 million dollars are an
 * exact number; tokens and requests as they are.
 */
export type BudgetUnits = number

/** Largest limit of a budget, in dollars: beyond it 10⁻⁹ dollars would no longer be exact. */
export const MAX_DOLLARS = 9_000_000
/** Largest limit in tokens or requests. */
export const MAX_COUNT = 1_000_000_000_000_000

/** @param limit in dollars, tokens or requests, as the interface has it */
export const limitUnits = (type: BudgetType, limit: number): BudgetUnits =>
  type === 'cost' ? Math.round(limit * 1e9) : limit

/** @param amount as in a charge; of a total it may be a bigint */
export const unitsOf = (type: BudgetType, amount: number | bigint): BudgetUnits => {
  if (type !== 'cost') return Number(amount)
  return typeof amount === 'bigint' ? Number((amount + 999n) / 1_000n) : Math.ceil(amount / 1_000)
}

/** What the interface shows of a total: dollars, tokens or requests. */
export const shownAmount = (type: BudgetType, amount: bigint): number =>
  type === 'cost' ? Number(amount) / 1e12 : Number(amount)
