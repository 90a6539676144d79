import { bigint, index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/**
 * One row for each change, written in the transaction of the change and never touched again: a trigger refuses that. No
 * foreign keys: the log outlives what it tells of.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: uuid().primaryKey(),
    /** The order of the rows; with gaps, since organisations share it and undone changes use it up. */
    sequence: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    /** By the database's clock. To the millisecond, so that the hash can be computed again from what is read. */
    createdAt: timestamp({ withTimezone: true, precision: 3 }).notNull(),
    organisationId: uuid().notNull(),
    workspaceId: uuid(),
    /** A kind of key, `user`, `cli`, or `system` for what the gateway does by itself. */
    actorKind: text().notNull(),
    actorId: text().notNull(),
    actorName: text().notNull(),
    /** Scope family and verb: `api_keys.create`. */
    action: text().notNull(),
    objectKind: text().notNull(),
    objectId: text().notNull(),
    /** The object as the interface shows it, secrets masked. */
    before: jsonb().$type<Readonly<Record<string, unknown>>>(),
    after: jsonb().$type<Readonly<Record<string, unknown>>>(),
    /** What the call was; absent for a change from a terminal. The path has no query. */
    method: text(),
    path: text(),
    requestId: text(),
    sourceAddress: text(),
    /** `hash` of the organisation's row before; 64 zeros on its first. */
    previousHash: text().notNull(),
    /** SHA-256 over all of the above but `sequence`, hex. */
    hash: text().notNull(),
  },
  (table) => [index('audit_log_organisation').on(table.organisationId, table.sequence)],
)
