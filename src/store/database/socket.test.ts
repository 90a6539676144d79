import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { copyEmbeddedDatabase } from '../../../test/support/embedded-database.ts'
import { type CommandStore, openStore, openStoreForCommand, type Store } from '../db.ts'
import { isForeignKeyViolation, QueryFailed, StoreUnavailable } from '../errors.ts'
import { createOrganisation } from '../objects/tenancy.ts'
import { organisations, workspaces } from '../schema/tenancy.ts'
import { rejection, SLOW_START_MS, temporaryFolder, until } from '../testing.ts'
import { lockFolder } from './folder-lock.ts'
import { joinStore } from './socket-client.ts'
import { answeredIn, frameOf, greetingFrame, messagesOf, socketIn, toFrame } from './socket-messages.ts'

setDefaultTimeout(SLOW_START_MS)

const folder = temporaryFolder()
// Longer than the 108 bytes that the system has for the address of a socket.
const dataDir = join(folder.path, 'a-long-name-of-a-folder'.repeat(6))
let store: Store
let joined: CommandStore
const unshared: string[] = []

beforeAll(async () => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  await copyEmbeddedDatabase(dataDir)
  // As a process leaves it that was killed.
  writeFileSync(socketIn(dataDir), '')
  store = await openStore({ dataDir, onUnshared: (reason) => unshared.push(reason) })
  joined = await openStoreForCommand({ dataDir })
})
afterAll(async () => {
  await joined.close()
  await store.close()
  expect(existsSync(socketIn(dataDir))).toBe(false)
  folder.remove()
})

const addOrganisation = async ({ db }: Pick<Store, 'db'>, name: string): Promise<string> =>
  (await createOrganisation(db, { name })).id

const names = async (like: string): Promise<readonly string[]> =>
  (
    await store.db
      .select({ name: organisations.name })
      .from(organisations)
      .where(sql`${organisations.name} like ${`${like}%`}`)
      .orderBy(organisations.name)
  ).map(({ name }) => name)

/** A connection to the socket, as a stranger could make it. */
const dial = (path = socketIn(dataDir)) => {
  const socket = connect(path)
  socket.on('error', () => undefined)
  const hears = (event: 'data' | 'close') => new Promise<void>((resolve) => socket.once(event, () => resolve()))
  return { socket, greeted: hears('data'), closed: hears('close') }
}

test('the socket is for its owner alone, and in the place of one that was left', () => {
  const found = lstatSync(socketIn(dataDir))
  expect([unshared, found.isSocket(), (found.mode & 0o777).toString(8)]).toEqual([[], true, '600'])
  expect((lstatSync(dataDir).mode & 0o777).toString(8)).toBe('700')
})

describe('a command that works through the socket', () => {
  test('reads every kind of value as the process itself does', async () => {
    const values = {
      text: sql`'ü\n🙂'::text`,
      number: sql`42::int4`,
      large: sql`9007199254740993::int8`,
      exact: sql`1.10::numeric`,
      truth: sql`true`,
      nothing: sql`null::text`,
      bytes: sql`decode('00ff10', 'hex')`,
      json: sql`'{"a":["1",null,{"b":2}]}'::jsonb`,
      string: sql`'"12"'::jsonb`,
      time: sql`'2026-11-25T10:00:00Z'::timestamptz`,
      list: sql`array['a', null, 'c,"d"']`,
    }
    const [asOwner, asCommand] = await Promise.all(
      [store, joined].map(({ db }) =>
        db
          .select({ ...values, id: organisations.id })
          .from(organisations)
          .rightJoin(sql`(select 1) as one`, sql`true`),
      ),
    )
    expect(asOwner?.[0]).toMatchObject({ number: 42, large: 9007199254740993n, bytes: Uint8Array.of(0, 255, 16) })
    expect(asCommand).toEqual(asOwner as NonNullable<typeof asOwner>)
  })

  test('writes what the process reads, and it hears of it', async () => {
    const heard: string[] = []
    const stop = await store.onChange((table) => heard.push(table))
    const id = await addOrganisation(joined, 'written')
    const workspace = {
      id: crypto.randomUUID(),
      organisationId: id,
      name: 'w',
      slug: 'w',
      defaults: { metadata: { team: '"a"' } },
    }
    await joined.db.transaction(async (transaction) => {
      await transaction.insert(workspaces).values(workspace)
    })
    const [row] = await store.db.select().from(workspaces).where(eq(workspaces.organisationId, id))
    expect(row).toMatchObject(workspace)
    const [same] = await joined.db.select().from(workspaces).where(eq(workspaces.organisationId, id))
    expect(same).toEqual(row as NonNullable<typeof row>)
    await until(() => heard.includes('workspaces'))
    await stop()
  })

  test('changes all or nothing', async () => {
    const failure = new Error('of the command')
    const failed = joined.db.transaction(async (transaction) => {
      await addOrganisation({ db: transaction }, 'undone')
      throw failure
    })
    expect(await rejection(failed)).toBe(failure)
    await joined.db.transaction(async (transaction) => {
      await addOrganisation({ db: transaction }, 'done-1')
      const inner = transaction.transaction(async (nested) => {
        await addOrganisation({ db: nested }, 'undone inside')
        throw failure
      })
      expect(await rejection(inner)).toBe(failure)
      await addOrganisation({ db: transaction }, 'done-2')
    })
    expect([await names('undone'), await names('done')]).toEqual([[], ['done-1', 'done-2']])
  })

  test('is told what the database refused, and none of its values', async () => {
    const id = await addOrganisation(joined, 'refusing')
    const row = { id: crypto.randomUUID(), organisationId: id, name: 'w', slug: 'secret-slug' }
    await joined.db.insert(workspaces).values(row)
    const again = await rejection(joined.db.insert(workspaces).values(row).execute())
    expect(again).toMatchObject({ sqlState: '23505', constraint: expect.stringContaining('workspaces') })
    const orphan = { ...row, id: crypto.randomUUID(), organisationId: crypto.randomUUID() }
    expect(isForeignKeyViolation(await rejection(joined.db.insert(workspaces).values(orphan).execute()))).toBe(true)
    const wrong = await rejection(joined.db.execute(sql`select * from nowhere where x = ${'secret-slug'}`))
    expect(wrong).toEqual(new QueryFailed('42P01', undefined))
    expect(again.message + wrong.message).not.toContain('secret-slug')
    // A transaction that meets a refusal and is committed all the same has changed nothing.
    const broken = joined.db.transaction(async (transaction) => {
      await addOrganisation({ db: transaction }, 'broken')
      await transaction
        .insert(workspaces)
        .values(row)
        .execute()
        .catch(() => undefined)
    })
    expect(await rejection(broken)).toBeInstanceOf(QueryFailed)
    expect(await names('broken')).toEqual([])
  })

  test('takes turns with others and with the process: no change is lost, and none is in the transaction of another', async () => {
    const id = await addOrganisation(store, '0')
    const second = await openStoreForCommand({ dataDir })
    const increment = ({ db }: Pick<Store, 'db'>) =>
      db.transaction(async (transaction) => {
        const [row] = await transaction.select().from(organisations).where(eq(organisations.id, id))
        await transaction
          .update(organisations)
          .set({ name: String(Number(row?.name) + 1) })
          .where(eq(organisations.id, id))
      })
    const undone = ({ db }: Pick<Store, 'db'>) =>
      rejection(
        db.transaction(async (transaction) => {
          await transaction.update(organisations).set({ name: 'lost' }).where(eq(organisations.id, id))
          throw new Error('undone')
        }),
      )
    await Promise.all(
      Array.from({ length: 10 }, () =>
        [joined, second, store].flatMap((each) => [increment(each), undone(each)]),
      ).flat(),
    )
    const [row] = await store.db.select().from(organisations).where(eq(organisations.id, id))
    expect(row?.name).toBe('30')
    await second.close()
  })

  test('sends and gets what is large', async () => {
    const large = 'ü🙂'.repeat(500_000)
    const id = await addOrganisation(joined, large)
    const [row] = await joined.db.select().from(organisations).where(eq(organisations.id, id))
    expect(row?.name === large).toBe(true)
    await joined.db.delete(organisations).where(eq(organisations.id, id))
  })
})

describe('the process behind the socket', () => {
  test('undoes what a command began that was killed', async () => {
    await addOrganisation(store, 'not killed')
    const socket = connect(socketIn(dataDir))
    const messages = messagesOf(socket)
    const statement = `update organisations set name = 'killed' where name = 'not killed'`
    socket.write(greetingFrame())
    socket.write(toFrame({ kind: 'begin' }))
    socket.write(toFrame({ kind: 'query', sql: statement, params: [], rowMode: 'object', asText: [] }))
    const [, , updated] = [await messages.next(), await messages.next(), await messages.next()]
    expect(answeredIn(updated?.value ?? Buffer.of())).toEqual({ ok: true, rows: [], affectedRows: 1 })
    socket.destroy()
    expect([await names('killed'), await names('not killed')]).toEqual([[], ['not killed']])
  })

  test.each<readonly [string, readonly (string | Buffer)[]]>([
    ['another version', [frameOf(Buffer.from('weir of another time'))]],
    ['a web browser', ['GET / HTTP/1.1\r\nhost: x\r\n\r\n']],
    ['a message of 4 GB', [greetingFrame(), Buffer.from([255, 255, 255, 255])]],
    ['a message that is none', [greetingFrame(), frameOf(Buffer.from('nonsense'))]],
    ['an end without a beginning', [greetingFrame(), toFrame({ kind: 'commit' })]],
    ['a beginning in a beginning', [greetingFrame(), toFrame({ kind: 'begin' }), toFrame({ kind: 'begin' })]],
  ])('hangs up on %s, and goes on', async (_, pieces) => {
    const { socket, closed } = dial()
    for (const piece of pieces) socket.write(piece)
    await closed
    await store.ping()
    await joined.ping()
  })
})

test('a hundred who are silent keep others out for a while only', async () => {
  const crowd = Array.from({ length: 100 }, () => dial())
  await Promise.all(crowd.map(({ greeted }) => greeted))
  expect(await joinStore({ dataDir, queryTimeoutMs: 5_000 })).toBeUndefined()
  await store.ping()
  for (const { socket } of crowd) socket.destroy()
  await until(async () => (await joinStore({ dataDir, queryTimeoutMs: 5_000 })) !== undefined)
})

describe('with a short deadline', () => {
  const other = temporaryFolder()
  const place = { dataDir: join(other.path, 'data'), queryTimeoutMs: 1_500 }
  let owner: Store
  beforeAll(async () => {
    await copyEmbeddedDatabase(place.dataDir)
    owner = await openStore({ ...place, onUnshared: (reason) => unshared.push(reason) })
  })
  afterAll(async () => {
    await owner.close()
    other.remove()
  })

  test('a folder is not that of another one', async () => {
    const command = await openStoreForCommand(place)
    await addOrganisation(command, 'only here')
    expect(await names('only here')).toEqual([])
  })

  test('who is silent, or dawdles in a transaction, is cut off, and the others go on', async () => {
    const patient = await joinStore({ ...place, queryTimeoutMs: 30_000 })
    const late = patient?.db.transaction(async (transaction) => {
      await addOrganisation({ db: transaction }, 'late')
      // Came later, so it has more time.
      await dial(socketIn(place.dataDir)).closed
      await addOrganisation({ db: transaction }, 'later')
    })
    expect((await rejection(late ?? Promise.resolve())).message).toContain('hung up before it answered')
    const rows = await owner.db.select({ name: organisations.name }).from(organisations)
    expect(rows.map(({ name }) => name)).toEqual(['only here'])
  })
})

describe('without a process that answers', () => {
  const other = temporaryFolder()
  const place = { dataDir: other.path }
  afterAll(() => other.remove())

  test('a command waits for the folder, and says so in the end', async () => {
    const unlock = lockFolder(other.path)
    const error = await rejection(openStoreForCommand(place, 100))
    expect(error).toBeInstanceOf(StoreUnavailable)
    expect(error.message).toContain(
      `(process ${process.pid}). Stop that one, or choose another folder. It takes no commands now`,
    )
    await copyEmbeddedDatabase(other.path)
    const waiting = openStoreForCommand(place)
    unlock()
    const store = await waiting
    await store.ping()
    expect(existsSync(socketIn(other.path))).toBe(false)
    await store.close()
  })

  test('one of another version is named as what it is', async () => {
    const unlock = lockFolder(other.path)
    const server = createServer((socket) => socket.write(frameOf(Buffer.from('weir of another time'))))
    await new Promise<void>((resolve) => {
      server.listen(socketIn(other.path), resolve)
    })
    const error = await rejection(openStoreForCommand(place))
    expect(error.message).toContain('is another version than this command')
    server.close()
    unlock()
  })

  test('a gateway whose socket cannot be made runs all the same, and says why', async () => {
    rmSync(socketIn(other.path), { force: true })
    mkdirSync(join(socketIn(other.path), 'something'), { recursive: true })
    const reasons: string[] = []
    const store = await openStore({ ...place, onUnshared: (reason) => reasons.push(reason) })
    await store.ping()
    expect(reasons).toHaveLength(1)
    await store.close()
  })
})
