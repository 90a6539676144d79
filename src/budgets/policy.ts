import type { BudgetType, BudgetUnits, Enforcement, ResetSchedule } from '../core/budgets.ts'
import type { Matchable } from '../limits/match/policy.ts'

/** An active usage limits policy as calls meet it. */
export interface BudgetPolicy extends Matchable {
  readonly organisationId: string
  readonly workspaceId: string
  readonly name: string | null
  readonly type: BudgetType
  /** In the unit of limits. */
  readonly limit: BudgetUnits
  readonly alertThreshold?: BudgetUnits
  readonly schedule: ResetSchedule
  readonly enforcement: Enforcement
  /** What happens to calls whose price is not known, where costs are counted. */
  readonly onUnknownPrice: 'allow' | 'refuse'
  /** `shadow`: counted and reported, never refuses. */
  readonly mode: 'enforce' | 'shadow'
}

/** Where active policies come from. */
export interface BudgetPolicySource {
  /** Gives the same array as long as nothing of the workspace has changed. */
  list(workspaceId: string): readonly BudgetPolicy[]
}
