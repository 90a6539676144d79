import { sql } from 'drizzle-orm'
import { integer, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { organisations, rowTimes, workspaces } from './tenancy.ts'

/** Columns of an object that is a setting of its workspace, and goes with it. */
export const objectColumns = () => ({
  id: uuid().primaryKey(),
  organisationId: uuid()
    .notNull()
    .references(() => organisations.id),
  workspaceId: uuid()
    .notNull()
    .references(() => workspaces.id, { onDelete: 'cascade' }),
})

/** Columns of an object that keeps what it said before; what it says is in its versions. */
export const versionedColumns = () => ({
  ...objectColumns(),
  /** Unique within the workspace; never changes. */
  slug: text().notNull(),
  name: text().notNull(),
  /** One that is archived serves no calls, and can be read and restored. */
  status: text({ enum: ['active', 'archived'] })
    .notNull()
    .default('active'),
  /** Number of the newest version. */
  version: integer().notNull().default(1),
  /** Id of the user or key that made it, or the subject of a token. */
  ownerId: text().notNull(),
  updatedBy: text().notNull(),
  ...rowTimes(),
})

/** Columns of a version. It is never changed: a change of its object adds one. */
export const versionColumns = () => ({
  id: uuid().primaryKey(),
  /** From 1. */
  number: integer().notNull(),
  ownerId: text().notNull(),
  createdAt: timestamp({ withTimezone: true }).notNull().default(sql`now()`),
})
