import type { BudgetClaim, Counter } from '../../budgets/counter.ts'

/** A counter that a test moves as the ledger would. */
export type TestCounter = { -readonly [Part in keyof Counter]: Counter[Part] }

export const counterOf = (name = 'budget', change: Partial<TestCounter> = {}): TestCounter => ({
  key: { workspaceId: 'workspace', budgetId: name, group: 'group', startMs: Date.UTC(2026, 0, 1) },
  type: 'cost',
  label: '["group"]',
  stored: 0,
  pending: 0,
  counted: 0,
  held: 0,
  generation: 0,
  isKept: true,
  ...change,
})

/** A claim of weight 1 on a limit of 10, unless said otherwise. */
export const claimOf = (counter: Counter, change: Partial<BudgetClaim> = {}): BudgetClaim => ({
  counter,
  limit: 10,
  weight: 1,
  shadow: false,
  ...change,
})
