import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { organisations, workspaces } from './tenancy.ts'

export const BATCH_STATUSES = [
  'validating',
  'failed',
  'in_progress',
  'finalizing',
  'completed',
  'expired',
  'cancelling',
  'cancelled',
] as const

export const COMPLETION_WINDOWS = ['immediate', '24h'] as const

/** What is wrong with a batch, or a line of its input. */
export interface StoredBatchError {
  readonly code: string
  readonly message: string
  readonly param?: string | null
  readonly line?: number | null
}

const time = () => timestamp({ withTimezone: true })

/** Batches that Weir runs itself. */
export const ownBatches = pgTable(
  'own_batches',
  {
    /** `batch_weir_…` */
    id: text().primaryKey(),
    organisationId: uuid()
      .notNull()
      .references(() => organisations.id),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    /** Gateway key that asks for its lines. */
    apiKeyId: text().notNull(),
    inputFileId: text().notNull(),
    /** Path that its lines name: `/v1/chat/completions`. */
    endpoint: text().notNull(),
    completionWindow: text({ enum: COMPLETION_WINDOWS }).notNull(),
    metadata: jsonb().$type<Readonly<Record<string, string>>>(),
    /** What each line is asked with, sealed: headers, and fields that lines may leave out. */
    asked: text().notNull(),
    /** Of the files that it makes. */
    outputExpiresAfterSeconds: integer(),
    status: text({ enum: BATCH_STATUSES }).notNull().default('validating'),
    errors: jsonb().$type<readonly StoredBatchError[]>(),
    /** Ids of the files that it makes, from `finalizing` on; both may come to nothing. */
    outputFileId: text(),
    errorFileId: text(),
    /** Counted when it has ended; before, the lines are. */
    total: integer().notNull().default(0),
    completed: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    createdAt: time().notNull().default(sql`now()`),
    inProgressAt: time(),
    expiresAt: time().notNull(),
    finalizingAt: time(),
    completedAt: time(),
    failedAt: time(),
    expiredAt: time(),
    cancellingAt: time(),
    cancelledAt: time(),
    /** Lines are not begun before: what their limits leave is for live calls. */
    pausedUntil: time(),
    /** The turn of a process to validate or to finish it, and until when nobody else may. */
    claim: uuid(),
    claimedUntil: time(),
  },
  (table) => [
    index('own_batches_workspace').on(table.workspaceId, table.createdAt, table.id),
    index('own_batches_status').on(table.status),
  ],
)

/** Lines of batches that run. They are gone once their results lie in files. */
export const ownBatchLines = pgTable(
  'own_batch_lines',
  {
    batchId: text()
      .notNull()
      .references(() => ownBatches.id, { onDelete: 'cascade' }),
    /** Of the input file, from 1. */
    line: integer().notNull(),
    customId: text().notNull(),
    /** Where its bytes lie in the input file. */
    start: bigint({ mode: 'number' }).notNull(),
    end: bigint({ mode: 'number' }).notNull(),
    /** Times that it was asked and should be asked again. */
    tries: integer().notNull().default(0),
    /** Times that a process took it and did not give it back. */
    claims: integer().notNull().default(0),
    notBefore: time(),
    claim: uuid(),
    claimedUntil: time(),
    /** A line of the output, sealed. */
    result: text(),
    isOk: boolean(),
  },
  (table) => [
    primaryKey({ name: 'own_batch_lines_key', columns: [table.batchId, table.line] }),
    unique('own_batch_lines_custom_id').on(table.batchId, table.customId),
    index('own_batch_lines_waiting').on(table.line, table.batchId).where(sql`${table.result} is null`),
  ],
)
