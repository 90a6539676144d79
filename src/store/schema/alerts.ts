import { boolean, index, integer, jsonb, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core'
import { organisations, rowTimes, workspaces } from './tenancy.ts'
import { objectColumns } from './workspace-objects.ts'

export const ALERT_KINDS = ['budget.threshold_reached', 'budget.exhausted', 'api_key.rotated', 'test'] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

/** Something that people should hear of, once. */
export const alerts = pgTable(
  'alerts',
  {
    id: uuid().primaryKey(),
    organisationId: uuid()
      .notNull()
      .references(() => organisations.id),
    /** Absent: of the organisation as a whole. */
    workspaceId: uuid().references(() => workspaces.id, { onDelete: 'cascade' }),
    kind: text({ enum: ALERT_KINDS }).notNull(),
    /** What it is about, and when: of two processes that see the same, one raises it. */
    subject: text().notNull(),
    /** As webhooks get it. */
    data: jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
    createdAt: rowTimes().createdAt,
  },
  (table) => [
    unique('alerts_subject').on(table.organisationId, table.kind, table.subject),
    index('alerts_workspace').on(table.workspaceId, table.createdAt),
    index('alerts_created').on(table.createdAt),
  ],
)

/** Where a workspace wants to hear of its alerts. */
export const alertWebhooks = pgTable(
  'alert_webhooks',
  {
    ...objectColumns(),
    name: text(),
    url: text().notNull(),
    /** Sealed; what messages are signed with. */
    secret: text().notNull(),
    /** Absent: all of them. */
    kinds: jsonb().$type<readonly AlertKind[]>(),
    isEnabled: boolean().notNull().default(true),
    ...rowTimes(),
  },
  (table) => [index('alert_webhooks_workspace').on(table.workspaceId)],
)

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const

/** A message on its way to one receiver. */
export const alertDeliveries = pgTable(
  'alert_deliveries',
  {
    id: uuid().primaryKey(),
    alertId: uuid()
      .notNull()
      .references(() => alerts.id, { onDelete: 'cascade' }),
    /** Absent: to the webhook of the operator. */
    webhookId: uuid().references(() => alertWebhooks.id, { onDelete: 'cascade' }),
    status: text({ enum: DELIVERY_STATES }).notNull().default('pending'),
    attempts: integer().notNull().default(0),
    /** Not before. While a process tries it: until when nobody else may. */
    nextAttemptAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
    /** Status of the last answer; absent where there was none. */
    lastStatus: integer(),
    /** Code of what went wrong the last time. */
    lastError: text(),
    endedAt: timestamp({ withTimezone: true }),
  },
  (table) => [
    index('alert_deliveries_alert').on(table.alertId),
    index('alert_deliveries_due').on(table.status, table.nextAttemptAt),
  ],
)
