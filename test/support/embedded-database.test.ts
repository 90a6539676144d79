import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { openStore } from '../../src/store/db.ts'
import { MIGRATIONS } from '../../src/store/migration-index.ts'
import { SLOW_START_MS, temporaryFolder } from '../../src/store/testing.ts'
import { copyEmbeddedDatabase } from './embedded-database.ts'

test(
  'callers at once each get a migrated database of their own, which nothing needs to make',
  async () => {
    const folders = [temporaryFolder(), temporaryFolder()]
    await Promise.all(folders.map(({ path }) => copyEmbeddedDatabase(path)))
    for (const folder of folders) {
      let hasMadeOne = false
      const store = await openStore({ dataDir: folder.path, onCreate: () => (hasMadeOne = true) })
      const counted = await store.db.select({ count: sql<number>`count(*)::int` }).from(sql`weir_migrations`)
      expect({ counted, hasMadeOne }).toEqual({ counted: [{ count: MIGRATIONS.length }], hasMadeOne: false })
      await store.db.execute(sql`drop table weir_migrations`)
      await store.close()
      folder.remove()
    }
  },
  SLOW_START_MS,
)

test(
  'a data folder that has a database keeps it',
  async () => {
    const folder = temporaryFolder()
    await copyEmbeddedDatabase(folder.path)
    await expect(copyEmbeddedDatabase(folder.path)).rejects.toThrow('EEXIST')
    folder.remove()
  },
  SLOW_START_MS,
)
