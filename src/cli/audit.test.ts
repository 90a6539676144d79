import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { copyEmbeddedDatabase } from '../../test/support/embedded-database.ts'
import { privateDatabase } from '../../test/support/services.ts'
import { openStore, type Store } from '../store/db.ts'
import { appendAudit } from '../store/objects/audit-log.ts'
import { SLOW_START_MS, temporaryFolder } from '../store/testing.ts'
import { auditVerifyCommand } from './audit.ts'
import type { Environment } from './terminal/environment.ts'

const ORGANISATION = '0198c5d2-0000-7000-8000-00000000000a'

const addRows = async (store: Store, count: number): Promise<void> => {
  for (let index = 0; index < count; index++) {
    await store.db.transaction((transaction) =>
      appendAudit(transaction, {
        organisationId: ORGANISATION,
        actorKind: 'cli',
        actorId: 'cli',
        actorName: 'weir',
        action: 'workspaces.create',
        objectKind: 'workspace',
        objectId: `workspace ${index}`,
        after: { name: `name ${index}` },
      }),
    )
  }
}

const verify = async (env: Environment['env'], folder: string) => {
  const texts = { out: '', error: '' }
  const code = await auditVerifyCommand({
    arguments: [],
    env,
    folder,
    out: async (text) => {
      texts.out += text
    },
    error: (text) => {
      texts.error += text
    },
    readInput: () => Promise.resolve(''),
    onSignal: () => undefined,
  })
  return { code, ...texts }
}

test(
  'a log that nobody touched is intact, and the embedded database is left as it was',
  async () => {
    const folder = temporaryFolder()
    try {
      await copyEmbeddedDatabase(`${folder.path}/.weir`)
      const store = await openStore({ dataDir: `${folder.path}/.weir` })
      await addRows(store, 3)
      await store.close()
      for (const _ of [1, 2]) {
        expect(await verify({}, folder.path)).toEqual({
          code: 0,
          out: 'The audit log is intact: 1 organisation(s) checked.\n',
          error: '',
        })
      }
    } finally {
      folder.remove()
    }
  },
  SLOW_START_MS,
)

test.each([
  [
    'changed',
    'was changed after it was written',
    (id: string) => sql`update audit_log set after = '{}' where id = ${id}`,
  ],
  ['taken away', 'does not follow the row before it', (id: string) => sql`delete from audit_log where id = ${id}`],
])(
  'a row that was %s breaks the chain, and the first row that does not fit is named',
  async (kind, problem, tamper) => {
    const database = await privateDatabase()
    const folder = temporaryFolder()
    const store = await openStore({ dataDir: folder.path, databaseUrl: database.url })
    try {
      await addRows(store, 4)
      const rows = await store.db
        .select({ id: sql<string>`id::text`, sequence: sql<string>`sequence::text` })
        .from(sql`audit_log`)
        .orderBy(sql`sequence`)
      const [, second, third] = rows
      const named = kind === 'changed' ? second : third
      await store.db.execute(sql`alter table audit_log disable trigger weir_append_only`)
      await store.db.execute(tamper(second?.id ?? ''))
      const { code, out, error } = await verify({ DATABASE_URL: database.url }, folder.path)
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(error).toBe(
        `weir: the audit log is broken: organisation ${ORGANISATION}, row ${named?.id} (sequence ${named?.sequence}) ${problem}\n`,
      )
    } finally {
      await store.close()
      await database.drop()
      folder.remove()
    }
  },
  SLOW_START_MS,
)

test('nothing is changed by hand while the trigger is there', async () => {
  const database = await privateDatabase()
  const folder = temporaryFolder()
  const store = await openStore({ dataDir: folder.path, databaseUrl: database.url })
  try {
    await addRows(store, 1)
    for (const attempt of [
      sql`update audit_log set after = '{}'`,
      sql`delete from audit_log`,
      sql`truncate audit_log`,
    ]) {
      await expect((async () => store.db.execute(attempt))()).rejects.toThrow('WE001')
    }
  } finally {
    await store.close()
    await database.drop()
    folder.remove()
  }
})
