import { sql } from 'drizzle-orm'
import { customType, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import type { Db } from '../store/types.ts'

/** Column of pgvector, as its text form. Without a length: a scope says which model its vectors come from. */
const vector = customType<{ data: string }>({ dataType: () => 'vector' })

const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

const common = {
  scope: text().notNull(),
  /** Key of the answer in the cache. */
  key: text().notNull(),
  addedAt: timestamp({ withTimezone: true }).notNull(),
  expiresAt: timestamp({ withTimezone: true }).notNull(),
}

const vectorTable = pgTable('answer_vectors', { ...common, embedding: vector().notNull() })
const bytesTable = pgTable('answer_vectors_plain', { ...common, embedding: bytes().notNull() })

const createTable = async (db: Db, table: typeof vectorTable | typeof bytesTable, type: 'vector' | 'bytea') => {
  const index = sql.identifier(type === 'vector' ? 'answer_vectors_newest' : 'answer_vectors_plain_newest')
  await db.execute(sql`
    create table if not exists ${table} (
      scope text not null,
      key text not null,
      added_at timestamp with time zone not null,
      expires_at timestamp with time zone not null,
      embedding ${sql.raw(type)} not null,
      primary key (scope, key)
    )`)
  await db.execute(sql`create index if not exists ${index} on ${table} (scope, added_at desc)`)
}

export const pgVectors = {
  kind: 'pgvector',
  table: vectorTable,
  create: (db: Db): Promise<void> => createTable(db, vectorTable, 'vector'),
} as const

export const plainVectors = {
  kind: 'plain',
  table: bytesTable,
  create: (db: Db): Promise<void> => createTable(db, bytesTable, 'bytea'),
} as const

/** Where vectors are kept. */
export type AnswerVectors = typeof pgVectors | typeof plainVectors
