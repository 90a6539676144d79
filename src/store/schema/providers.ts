import { index, jsonb, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core'
import { integrations } from './integrations.ts'
import type { RateLimit, UsageLimits } from './own-limits.ts'
import { rowTimes, workspaces } from './tenancy.ts'

export const PROVIDER_STATUSES = ['active', 'exhausted', 'expired'] as const

/** A workspace's use of an integration: what `@slug` and `x-gateway-virtual-key` name (contract 3.4). */
export const providers = pgTable(
  'providers',
  {
    id: uuid().primaryKey(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id),
    integrationId: uuid()
      .notNull()
      .references(() => integrations.id),
    /** Unique within the workspace. */
    slug: text().notNull(),
    name: text().notNull(),
    note: text(),
    status: text({ enum: PROVIDER_STATUSES }).notNull().default('active'),
    usageLimits: jsonb().$type<UsageLimits>(),
    rateLimits: jsonb().$type<readonly RateLimit[]>(),
    expiresAt: timestamp({ withTimezone: true }),
    ...rowTimes(),
  },
  (table) => [
    unique('providers_workspace_slug').on(table.workspaceId, table.slug),
    index('providers_integration').on(table.integrationId),
  ],
)
