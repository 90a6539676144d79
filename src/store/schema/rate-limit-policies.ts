import { bigint, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { rowTimes } from './tenancy.ts'
import { objectColumns } from './workspace-objects.ts'

const POLICY_TYPES = ['requests', 'tokens'] as const
/** Windows that roll: any minute, hour, day or week. */
const POLICY_UNITS = ['rpm', 'rph', 'rpd', 'rpw'] as const
const POLICY_TARGETS = ['llm', 'mcp_tools'] as const
/** An archived policy limits nothing, and can be read and restored. */
const POLICY_STATUSES = ['active', 'archived'] as const
const STORE_FAILURE_ANSWERS = ['local', 'open', 'closed'] as const
const RESERVATIONS = ['max', 'bounded', 'input', 'post'] as const
const POLICY_MODES = ['enforce', 'shadow'] as const

/** One test of a call, as the interface writes it (contract 4.1). */
export interface PolicyCondition {
  readonly key: string
  readonly value: string | readonly string[]
  readonly excludes?: string | readonly string[]
}

/** How many requests or tokens the matching calls of a workspace may take (contract 4.2). */
export const rateLimitPolicies = pgTable(
  'rate_limit_policies',
  {
    ...objectColumns(),
    name: text(),
    description: text(),
    /** All must hold. */
    conditions: jsonb().$type<readonly PolicyCondition[]>().notNull(),
    /** Keys; empty where all calls share one window. */
    groupBy: jsonb().$type<readonly string[]>().notNull(),
    type: text({ enum: POLICY_TYPES }).notNull(),
    unit: text({ enum: POLICY_UNITS }).notNull(),
    /** Requests or tokens, by `type`; a whole number of at least 1. */
    value: bigint({ mode: 'number' }).notNull(),
    target: text({ enum: POLICY_TARGETS }).notNull().default('llm'),
    status: text({ enum: POLICY_STATUSES }).notNull().default('active'),
    /** What happens to calls while the store of the counts is away. */
    onStoreFailure: text({ enum: STORE_FAILURE_ANSWERS }).notNull().default('local'),
    /** How many tokens are held back before a call. */
    reservation: text({ enum: RESERVATIONS }).notNull().default('bounded'),
    /** `shadow`: counted and reported, never refuses. */
    mode: text({ enum: POLICY_MODES }).notNull().default('enforce'),
    ...rowTimes(),
  },
  (table) => [index('rate_limit_policies_workspace').on(table.workspaceId, table.status)],
)
