import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { StoreFull } from '../../../src/store/errors.ts'
import { describeOnBothStores, rejection, SLOW_START_MS } from '../../../src/store/testing.ts'
import { expectError } from './expect-error.ts'
import { routesUnderTest } from './routes-under-test.ts'
import { createWorld, type World } from './world.ts'

/** The database says what it says when its disk is full; nothing else about it is odd. */
describeOnBothStores('a full disk', (store) => {
  let world: World
  beforeAll(async () => {
    world = await createWorld(store(), await routesUnderTest(store()))
    await store().db.execute(
      sql`create function fill_disk() returns trigger language plpgsql as 'begin raise exception sqlstate ''53100''; end'`,
    )
  }, SLOW_START_MS)
  afterAll(() => store().db.execute(sql`drop trigger if exists full_disk on collections`))

  const write = () =>
    world.call({ method: 'POST', path: '/collections', token: world.ours.admin, body: { name: 'New' } })
  const read = () => world.call({ method: 'GET', path: '/configs', token: world.ours.admin })

  test('refuses changes in words, answers what it can, and takes changes again once there is room', async () => {
    await store().db.execute(sql`create trigger full_disk before insert on collections execute function fill_disk()`)
    expect(store().isFull()).toBe(false)
    const refused = await write()
    expectError(refused, 'management_storage_full', 507)
    expect(refused.text).toContain('The disk of the database is full: nothing was changed.')
    expect((await read()).status).toBe(200)
    expect(store().isFull()).toBe(true)
    expect(await rejection(store().db.execute(sql`insert into collections default values`))).toBeInstanceOf(StoreFull)

    await store().db.execute(sql`drop trigger full_disk on collections`)
    expect((await write()).status).toBe(200)
    expect(store().isFull()).toBe(false)
  })
})
