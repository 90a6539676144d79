import { bigint, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { rowTimes } from './tenancy.ts'
import { objectColumns } from './workspace-objects.ts'

export const EXPORT_STATES = ['draft', 'in_progress', 'success', 'failed', 'stopped'] as const
export const EXPORT_FORMATS = ['jsonl', 'csv'] as const

/** An export of logs: what is wanted, and how far it has come. */
export const logExports = pgTable(
  'log_exports',
  {
    ...objectColumns(),
    description: text(),
    /** As the interface has them. */
    filters: jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
    requestedData: jsonb().$type<readonly string[]>().notNull(),
    format: text({ enum: EXPORT_FORMATS }).notNull(),
    status: text({ enum: EXPORT_STATES }).notNull().default('draft'),
    /** Rows that fitted when it was made or changed. */
    total: integer().notNull(),
    /** Id of the key that made it: what bodies it may read. */
    keyId: text().notNull(),
    ownerId: text().notNull(),
    /** What is asked of the store of records, from its start on. */
    question: jsonb(),
    /** Name of its file; a further start has another one. */
    fileId: uuid(),
    /** Parts of the file that are written, their rows and bytes. */
    parts: integer().notNull().default(0),
    rows: integer().notNull().default(0),
    bytes: bigint({ mode: 'number' }).notNull().default(0),
    /** The last row that is in a part. */
    at: jsonb().$type<{ readonly time: number; readonly id: string }>(),
    error: text(),
    startedAt: timestamp({ withTimezone: true }),
    endedAt: timestamp({ withTimezone: true }),
    /** Its file is removed then. */
    expiresAt: timestamp({ withTimezone: true }),
    /** The process that runs it, and until when nobody else may. */
    claimedBy: text(),
    claimedUntil: timestamp({ withTimezone: true }),
    ...rowTimes(),
  },
  (table) => [index('log_exports_workspace').on(table.workspaceId), index('log_exports_status').on(table.status)],
)

/** Parts of files, where they have to be found by every process. Each is sealed by whoever wrote it. */
export const storedFiles = pgTable(
  'stored_files',
  {
    file: uuid().notNull(),
    part: integer().notNull(),
    content: text().notNull(),
  },
  (table) => [primaryKey({ name: 'stored_files_key', columns: [table.file, table.part] })],
)
