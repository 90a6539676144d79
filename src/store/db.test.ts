import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { QueryFailed, StoreUnavailable } from './errors.ts'
import { createOrganisation } from './objects/tenancy.ts'
import { createWorkspace } from './objects/workspaces.ts'
import { apiKeys } from './schema/api-keys.ts'
import { organisations } from './schema/tenancy.ts'
import { describeOnBothStores, rejection, until } from './testing.ts'
import type { Db } from './types.ts'

const CANARY = 'canary-secret-8f1c'

describeOnBothStores('store', (store) => {
  test('answers a ping', async () => {
    await store().ping()
  })

  describe('an error that leaves the store', () => {
    const id = Bun.randomUUIDv7()
    const insertTwice = async (db: Db) => {
      await db.insert(organisations).values({ id, name: CANARY }).onConflictDoNothing()
      await db.insert(organisations).values({ id, name: CANARY })
    }
    const failures: Record<string, (db: Db) => Promise<unknown>> = {
      'of a plain query': insertTwice,
      'inside a transaction': (db) => db.transaction(insertTwice),
      'inside a nested transaction': (db) => db.transaction((outer) => outer.transaction(insertTwice)),
      'of a value the server quotes': (db) => db.select().from(organisations).where(sql`id = ${CANARY}::text::uuid`),
      'of raw SQL': (db) => db.execute(sql.raw(`select '${CANARY}' as value from missing`)),
      'that the server raises at commit': (db) =>
        db.transaction(async (transaction) => {
          await transaction.execute(sql`create temporary table late (id text unique deferrable initially deferred)`)
          await transaction.execute(sql`insert into late values (${CANARY}), (${CANARY})`)
        }),
    }

    test.each(Object.entries(failures))('%s holds no value', async (_title, fail) => {
      const error = await rejection(fail(store().db))
      expect(error).toBeInstanceOf(QueryFailed)
      expect(error).toMatchObject({ sqlState: expect.stringMatching(/^[0-9A-Z]{5}$/) })
      expect(Bun.inspect(error, { depth: 10 })).not.toContain(CANARY)
      expect(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain(CANARY)
    })

    test('holds none for code inside a transaction that catches it either', async () => {
      const caught: Error[] = []
      await store().db.transaction(async (outer) => {
        const inner = outer.transaction(async (innermost) => {
          caught.push(await rejection(innermost.execute(sql`select ${CANARY}::text::uuid`)))
          throw new Error('undo the savepoint')
        })
        caught.push(await rejection(inner))
      })
      expect(caught).toHaveLength(2)
      expect(caught[0]).toBeInstanceOf(QueryFailed)
      expect(Bun.inspect(caught, { depth: 10 })).not.toContain(CANARY)
    })

    test('holds none for code around a nested transaction', async () => {
      const caught: Error[] = []
      await store().db.transaction(async (outer) => {
        caught.push(await rejection(outer.transaction((inner) => inner.execute(sql`select ${CANARY}::text::uuid`))))
      })
      expect(caught[0]).toBeInstanceOf(QueryFailed)
      expect(Bun.inspect(caught, { depth: 10 })).not.toContain(CANARY)
    })

    test('names the constraint', async () => {
      const { id: organisationId } = await createOrganisation(store().db, { name: 'twice' })
      const workspace = { organisationId, name: 'twice', slug: 'ws-twice' }
      await createWorkspace(store().db, workspace)
      const error = await rejection(createWorkspace(store().db, workspace))
      expect(error).toMatchObject({ sqlState: '23505', constraint: 'workspaces_organisation_slug' })
    })
  })

  test('a transaction undoes its work and passes on what its own code threw', async () => {
    const own = new RangeError('mine')
    const id = Bun.randomUUIDv7()
    const work = store().db.transaction(async (transaction) => {
      await transaction.insert(organisations).values({ id, name: 'undone' })
      throw own
    })
    expect(await rejection(work)).toBe(own)
    expect(await store().db.select().from(organisations).where(sql`id = ${id}`)).toEqual([])
  })

  test('tells listeners the table of each committed change until they stop', async () => {
    const heard: string[] = []
    const stop = await store().onChange((table) => heard.push(table))
    await createOrganisation(store().db, { name: 'heard' })
    await until(() => heard.length === 1)
    await store().db.delete(apiKeys)
    await until(() => heard.length === 2)
    await stop()
    await createOrganisation(store().db, { name: 'not heard' })
    await store().ping()
    expect(heard).toEqual(['organisations', 'api_keys'])
  })

  test('does not tell of a change that was undone', async () => {
    const heard: string[] = []
    const stop = await store().onChange((table) => heard.push(table))
    const undone = store().db.transaction(async (transaction) => {
      await transaction.delete(apiKeys)
      throw new StoreUnavailable('undo')
    })
    await rejection(undone)
    await createOrganisation(store().db, { name: 'after' })
    await until(() => heard.length > 0)
    expect(heard).toEqual(['organisations'])
    await stop()
  })
})
