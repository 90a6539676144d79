import type { BudgetCharge, CounterKey } from '../../core/budgets.ts'
import { StoreUnavailable } from '../../store/errors.ts'
import type { CounterAbout, LedgerTotal, SpooledCharge } from './ledger.ts'

/** All that a batch adds to one count, charge by charge: a reset may lie between them. */
export interface CounterCharges {
  readonly counter: CounterAbout
  readonly amounts: readonly number[]
  readonly endedUs: readonly number[]
}

/** Counts of periods that ended so long ago are removed. */
export const KEPT_MS: number = 400 * 86_400_000
/** Counts of periods that ended so long ago are not loaded at the start. */
export const LOADED_MS = 86_400_000
/** Counts that are loaded at the start. */
export const MOST_LOADED = 200_000

/** Characters of a label. Those that are made here have at most 512, or 128 of a text whose characters JSON writes as six. */
const LONGEST_LABEL = 4_096
const WORD = /^[\w.-]{1,128}$/
const TYPES: ReadonlySet<string> = new Set(['cost', 'tokens', 'requests'] satisfies BudgetCharge['type'][])
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0

/** Whether a ledger takes it. What comes out of a spool was written by some version of Weir, and may be anything. */
export const isSoundCharge = (charge: BudgetCharge): boolean =>
  WORD.test(charge.budgetId) &&
  WORD.test(charge.group) &&
  TYPES.has(charge.type) &&
  typeof charge.label === 'string' &&
  charge.label.length <= LONGEST_LABEL &&
  isCount(charge.startMs) &&
  (charge.endMs === undefined || isCount(charge.endMs)) &&
  isCount(charge.amount)

/** Whether a total that came from elsewhere is one. */
export const isSoundTotal = ({ total, generation, resetAtUs, workspaceId, ...about }: LedgerTotal): boolean =>
  isSoundCharge({ ...about, amount: 0 }) &&
  WORD.test(workspaceId) &&
  total >= 0n &&
  isCount(generation) &&
  isCount(resetAtUs)

/** @throws StoreUnavailable from `beforeMs` on: nobody waits for it any more, and was told that it failed */
export const mustBeBefore = (beforeMs: number | undefined): void => {
  if (beforeMs !== undefined && Date.now() >= beforeMs) throw new StoreUnavailable('The ledger was asked too late.')
}

export const nameOf = ({ workspaceId, budgetId, group, startMs }: CounterKey): string =>
  `${startMs}:${budgetId}:${group}:${workspaceId}`

/** Charges by the count that they add to. The last of a count says how it is read. */
export const byCounter = (charges: readonly SpooledCharge[]): readonly CounterCharges[] =>
  [...Map.groupBy(charges, ({ workspaceId, charge }) => nameOf({ workspaceId, ...charge })).values()].flatMap(
    (group) => {
      const last = group.at(-1)
      if (last === undefined) return []
      const { amount: _, ...about } = last.charge
      return {
        counter: { ...about, workspaceId: last.workspaceId },
        amounts: group.map(({ charge }) => charge.amount),
        endedUs: group.map(({ endedUs }) => endedUs),
      }
    },
  )
