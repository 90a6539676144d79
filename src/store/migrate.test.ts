import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { privateDatabase } from '../../test/support/services.ts'
import { openStore } from './db.ts'
import { migrate } from './migrate.ts'
import { MIGRATIONS } from './migration-index.ts'
import { describeOnBothStores, rejection } from './testing.ts'

const folder = join(import.meta.dir, 'migrations')

describe('the index of migrations', () => {
  test('lists every file of the folder, in the order of the journal, with its text', async () => {
    const journal: { entries: { tag: string }[] } = await Bun.file(join(folder, 'meta/_journal.json')).json()
    const files = readdirSync(folder).filter((file) => file.endsWith('.sql'))
    expect(MIGRATIONS.map(({ name }) => name)).toEqual(journal.entries.map(({ tag }) => tag))
    expect(MIGRATIONS.map(({ name }) => `${name}.sql`)).toEqual(files.sort())
    for (const { name, sql: text } of MIGRATIONS) expect(text).toBe(readFileSync(join(folder, `${name}.sql`), 'utf8'))
  })
})

describeOnBothStores('migrate', (store) => {
  const countTables = async () => {
    const [row] = await store()
      .db.select({ count: sql<string>`count(*)` })
      .from(sql`information_schema.tables`)
      .where(sql`table_name in ('organisations', 'workspaces', 'api_keys', 'extra')`)
    return Number(row?.count)
  }

  test('applies what is missing once, and nothing on the next start', async () => {
    const extra = { name: '9000_extra', sql: 'create table extra (id int);\n--> statement-breakpoint\nselect 1' }
    await migrate(store().db, [...MIGRATIONS, extra])
    await migrate(store().db, [...MIGRATIONS, extra])
    await migrate(store().db)
    expect(await countTables()).toBe(4)
  })

  test('refuses a migration that was edited after it had been applied', async () => {
    const [first, ...others] = MIGRATIONS
    const edited = { name: first?.name ?? '', sql: `${first?.sql} ` }
    expect((await rejection(migrate(store().db, [edited, ...others]))).message).toContain('0000_tenancy_and_api_keys')
  })

  test('applies nothing of a set in which one statement fails', async () => {
    const half = { name: '9001_half', sql: 'create table half (id int);\n--> statement-breakpoint\nnot sql' }
    await rejection(migrate(store().db, [half]))
    await rejection(store().db.execute(sql`select * from half`))
    const whole = { name: '9001_half', sql: 'create table half (id int)' }
    await migrate(store().db, [whole])
  })
})

test('gateways that start together on an empty database all come up', async () => {
  const database = await privateDatabase()
  const starts = Array.from({ length: 4 }, () => openStore({ databaseUrl: database.url, dataDir: 'unused' }))
  const stores = await Promise.all(starts)
  await Promise.all(stores.map((store) => store.ping()))
  await Promise.all(stores.map((store) => store.close()))
  await database.drop()
}, 30_000)
