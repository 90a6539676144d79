import { sql } from 'drizzle-orm'
import { pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { StoreUnavailable } from './errors.ts'
import { takeLock } from './locks.ts'
import { MIGRATIONS, type Migration } from './migration-index.ts'
import type { Db } from './types.ts'

/** Longest wait for another process that is migrating, and longest single statement. */
const STATEMENT_TIMEOUT_MS = 50_000

/** What has been applied. Not part of the drizzle-kit schema: it must exist before the first migration. */
const appliedMigrations = pgTable('weir_migrations', {
  name: text('name').primaryKey(),
  /** SHA-256 of the file, hex. */
  hash: text('hash').notNull(),
  appliedAt: timestamp('applied_at', { withTimezone: true }).notNull().default(sql`now()`),
})

/**
 * Applies what is missing, all or nothing, while no other process does. Migrations this version does not know are left
 * alone: during a rolling update an old replica may start against the database of a newer one.
 * @throws StoreUnavailable when a migration was edited after it had been applied
 */
export const migrate = (db: Db, migrations: readonly Migration[] = MIGRATIONS): Promise<void> =>
  db.transaction(async (transaction) => {
    for (const setting of ['lock_timeout', 'statement_timeout']) {
      await transaction.execute(sql`select set_config(${setting}, ${String(STATEMENT_TIMEOUT_MS)}, true)`)
    }
    await takeLock(transaction, 'migrate')
    await transaction.execute(sql`
      create table if not exists weir_migrations (
        name text primary key, hash text not null, applied_at timestamptz not null default now()
      )`)
    const applied = new Map(
      (await transaction.select().from(appliedMigrations)).map(({ name, hash }) => [name, hash] as const),
    )
    for (const migration of migrations) {
      const hash = new Bun.CryptoHasher('sha256').update(migration.sql).digest('hex')
      const earlier = applied.get(migration.name)
      if (earlier === hash) continue
      if (earlier !== undefined) {
        throw new StoreUnavailable(`The migration ${migration.name} was changed after it had been applied.`)
      }
      for (const statement of migration.sql.split('--> statement-breakpoint')) {
        await transaction.execute(sql.raw(statement))
      }
      await transaction.insert(appliedMigrations).values({ name: migration.name, hash })
    }
  })
