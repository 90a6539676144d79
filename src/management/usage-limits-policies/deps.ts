import type { BudgetUsage } from '../../budgets/usage.ts'
import type { RateLimitsDeps } from '../rate-limits/deps.ts'

export interface UsageLimitsPoliciesDeps extends Pick<RateLimitsDeps, 'limits' | 'now'> {
  readonly budgets: BudgetUsage
}
