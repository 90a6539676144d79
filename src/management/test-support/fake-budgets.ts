import { createFakeCounters, type FakeCounters } from '../../budgets/test-support/fake-counters.ts'
import { type BudgetUsage, createBudgetUsage } from '../../budgets/usage.ts'

/** Use of budgets over counts in the hands of a test. */
export const createFakeBudgets = (
  now: () => number = Date.now,
): { readonly counters: FakeCounters; readonly budgets: BudgetUsage } => {
  const counters = createFakeCounters()
  return { counters, budgets: createBudgetUsage({ counters, now }) }
}
