import { doublePrecision, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import type { ResetSchedule } from '../../core/budgets.ts'
import type { PolicyCondition } from './rate-limit-policies.ts'
import { rowTimes } from './tenancy.ts'
import { objectColumns } from './workspace-objects.ts'

const BUDGET_TYPES = ['cost', 'tokens', 'requests'] as const
const POLICY_STATUSES = ['active', 'archived'] as const
const ENFORCEMENTS = ['soft', 'reserve'] as const
const UNKNOWN_PRICE_ANSWERS = ['allow', 'refuse'] as const
const POLICY_MODES = ['enforce', 'shadow'] as const

/** How much the matching calls of a workspace may spend or use in a period (contract 4.3). */
export const usageLimitPolicies = pgTable(
  'usage_limit_policies',
  {
    ...objectColumns(),
    name: text(),
    description: text(),
    /** All must hold. */
    conditions: jsonb().$type<readonly PolicyCondition[]>().notNull(),
    /** Keys; empty where all calls share one count. */
    groupBy: jsonb().$type<readonly string[]>().notNull(),
    type: text({ enum: BUDGET_TYPES }).notNull(),
    /** Dollars, tokens or requests, by `type`; so is `alertThreshold`. */
    creditLimit: doublePrecision().notNull(),
    alertThreshold: doublePrecision(),
    schedule: jsonb().$type<ResetSchedule>().notNull(),
    status: text({ enum: POLICY_STATUSES }).notNull().default('active'),
    enforcement: text({ enum: ENFORCEMENTS }).notNull().default('soft'),
    /** What happens to calls whose price is not known. */
    onUnknownPrice: text({ enum: UNKNOWN_PRICE_ANSWERS }).notNull().default('allow'),
    /** `shadow`: counted and reported, never refuses. */
    mode: text({ enum: POLICY_MODES }).notNull().default('enforce'),
    ...rowTimes(),
  },
  (table) => [index('usage_limit_policies_workspace').on(table.workspaceId, table.status)],
)
