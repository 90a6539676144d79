import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { expectError, paramOf } from '../../../test/conformance/management/expect-error.ts'
import { actorsOf, createKey } from '../../../test/conformance/management/tenants.ts'
import { caller, createWorld, type World } from '../../../test/conformance/management/world.ts'
import { createFold } from '../../../test/support/records/fold.ts'
import { batchOf, sampleRecords } from '../../../test/support/records/samples.ts'
import type { CallRecord } from '../../core/records.ts'
import { createSeals } from '../../records/seals.ts'
import type { RecordReader } from '../../records/store.ts'
import { parseMasterKey } from '../../secrets/master-key.ts'
import { openSecretBox } from '../../secrets/secret-box.ts'
import { StoreUnavailable } from '../../store/errors.ts'
import { createDatabaseFiles, createFolderFiles, type FileStore } from '../../store/files.ts'
import { listAudit } from '../../store/objects/audit-log.ts'
import { logExportRows } from '../../store/objects/log-exports.ts'
import { describeOnBothStores, temporaryFolder, until } from '../../store/testing.ts'
import { silentLog } from '../tokens/test-support.ts'
import type { LogExportsDeps } from './deps.ts'
import { createExportFiles } from './files.ts'
import { createExportLinks, LINK_MS } from './links.ts'
import { logExportsRoutes } from './routes.ts'
import { createExportRunner, type ExportRunnerOptions } from './runner.ts'

/** Exports run in the background: what takes a moment takes longer on a busy machine. */
setDefaultTimeout(30_000)

const NOW = Date.now()
const folder = temporaryFolder()
afterAll(() => folder.remove())

describeOnBothStores('log exports', (store) => {
  let world: World
  let deps: LogExportsDeps
  let fold: ReturnType<typeof createFold>
  let files: FileStore
  let position = 0
  let linkNowMs = NOW
  let reader: RecordReader
  let options: ExportRunnerOptions
  let isShy = false
  const seals = createSeals({ derive: () => ({ version: 1, bytes: new Uint8Array(32).fill(7) }) })
  const [sample] = sampleRecords(1)

  const record = (index: number, changes: Partial<CallRecord> = {}): CallRecord => {
    const id = Bun.randomUUIDv7()
    const place = { organisationId: world.ours.organisationId, workspaceId: world.ours.first.id }
    const time = NOW * 1000 - (index + 1) * 1000
    return { ...(sample as CallRecord), ...place, id, callId: id, kind: 'call', time, metadata: {}, ...changes }
  }
  const add = async (rows: Parameters<typeof batchOf>[0]): Promise<void> => {
    const batch = batchOf(rows, { from: position })
    position = batch.to
    await fold.write(batch)
  }

  beforeAll(async () => {
    const secretBox = await openSecretBox(store().db, {
      current: parseMasterKey('a passphrase for tests, long enough to be one', 'the key of the tests'),
    })
    files = store().kind === 'postgres' ? createDatabaseFiles(store().db) : createFolderFiles(folder.path)
    const exportFiles = createExportFiles({ ...files, write: (...given) => files.write(...given) }, secretBox)
    const readersOf = () => (isShy ? ('caller' as const) : ('workspace' as const))
    const links = createExportLinks(secretBox, () => linkNowMs)
    const forward: Pick<RecordReader, 'ask'> = { ask: (question) => fold.ask(question) }
    deps = {
      records: { ...createFold(), ...forward },
      now: () => NOW,
      retentionDays: () => 30,
      exports: { files: exportFiles, links, basePath: '/llm', wake: () => undefined },
    }
    world = await createWorld(store(), logExportsRoutes(deps))
    options = {
      store: store(),
      records: { ...createFold(), page: (...given) => reader.page(...given), bodies: (rows) => fold.bodies(rows) },
      seals,
      readersOf,
      files: exportFiles,
      log: silentLog,
      randomId: () => crypto.randomUUID(),
      pollMs: 10,
      claimMs: 300,
    }
  })

  beforeEach(() => {
    fold = createFold()
    reader = fold
    isShy = false
    linkNowMs = NOW
  })

  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown, token = world.ours.admin) =>
    world.call({ method, path: `/logs/exports${path}`, token, ...(body !== undefined && { body }) })
  const make = async (changes: object = {}, token?: string): Promise<string> => {
    const answer = await call('POST', '', { filters: {}, requested_data: ['id'], ...changes }, token)
    expect([answer.status, answer.text]).toEqual([200, answer.text])
    return String(answer.body.id)
  }
  const show = async (id: string) => (await call('GET', `/${id}`)).body
  const start = async (id: string) => expect((await call('POST', `/${id}/start`)).status).toBe(200)
  const ended = async (id: string) => {
    await until(async () => (await show(id)).status !== 'in_progress')
    return show(id)
  }
  const fetchFile = async (id: string, change = (path: string) => path) => {
    const { signed_url: url } = (await call('GET', `/${id}/download`)).body
    expect(String(url)).toStartWith(`/llm/v1/logs/exports/${id}/file?`)
    return world.call({ method: 'GET', path: change(String(url).slice('/llm/v1'.length)) })
  }
  const exported = async (changes: object = {}, runner: Partial<ExportRunnerOptions> = {}) => {
    const id = await make(changes)
    const running = createExportRunner({ ...options, ...runner })
    await start(id)
    const shown = await ended(id)
    await running.close()
    expect(shown).toMatchObject({ status: 'success', error: null })
    return { id, shown, file: await fetchFile(id) }
  }
  const idsOf = (text: string): unknown[] =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => (JSON.parse(line) as { id: string }).id)

  test('writes what fits, the newest first, and gives a link to it', async () => {
    const records = Array.from({ length: 1_234 }, (_, index) => record(index, { success: index % 2 === 0 }))
    await add({ records })
    await add({ records: [record(0, { workspaceId: world.ours.second.id })] })
    const { id, shown, file } = await exported({ filters: { is_success: true }, description: 'half' })
    expect(shown).toMatchObject({ total: 617, rows: 617, description: 'half', object: 'export' })
    expect(idsOf(file.text)).toEqual(records.filter(({ success }) => success).map((each) => each.id))
    expect(Buffer.byteLength(file.text)).toBe(Number(shown.bytes))
    expect(file.headers.get('content-type')).toBe('application/jsonl')
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="logs-${id}.jsonl"`)
    expect(file.headers.get('cache-control')).toBe('private, no-store')
  })

  test('is a page of so many rows', async () => {
    const records = Array.from({ length: 1_100 }, (_, index) => record(index))
    await add({ records })
    const second = await exported({ filters: { page_size: 510, current_page: 1 } })
    expect(idsOf(second.file.text)).toEqual(records.slice(510, 1_020).map(({ id }) => id))
    expect(second.shown.total).toBe(510)
    const third = await exported({ filters: { page_size: 510, current_page: 2 } })
    expect(idsOf(third.file.text)).toHaveLength(80)
    const fourth = await exported({ filters: { page_size: 510, current_page: 3 } })
    expect([fourth.file.text, fourth.shown.total]).toEqual(['', 0])
  })

  test('has bodies where they are asked for, and a head as CSV', async () => {
    const [one, bare] = [record(0, { hasBodies: true, metadata: { a: '=1,"x"' } }), record(1)]
    await add({ records: [one, bare] })
    await seals.prepare(one.organisationId, one.workspaceId)
    const message = { side: 'request', headers: { a: 'b' }, body: new TextEncoder().encode('{"model":"m"}') } as const
    const sealed = seals.seal(one.organisationId, one.workspaceId, one.id, [message])
    if (sealed === undefined) throw new Error('was prepared')
    const { organisationId, workspaceId, time } = one
    await add({ bodies: [{ recordId: one.id, organisationId, workspaceId, time, sealed }] })
    const wanted = { requested_data: ['id', 'request', 'response', 'metadata'] }
    const lines = (await exported(wanted)).file.text.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { id: one.id, request: { headers: { a: 'b' }, body: { model: 'm' } }, response: null, metadata: one.metadata },
      { id: bare.id, request: null, response: null, metadata: {} },
    ])
    const csv = (await exported({ requested_data: ['id', 'metadata', 'cost'], format: 'csv' })).file
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(csv.text.split('\r\n')[0]).toBe('id,metadata,cost')
    expect(csv.text).toContain(`${one.id},"{""a"":""=1,\\""x\\""""}",`)
    isShy = true
    expect(JSON.parse((await exported(wanted)).file.text.split('\n')[0] ?? '')).toMatchObject({ request: null })
  })

  test('goes on after a process was killed, in another one, and doubles no row', async () => {
    const records = Array.from({ length: 3_000 }, (_, index) => record(index, { errorMessage: 'x'.repeat(2_000) }))
    await add({ records })
    const id = await make({ requested_data: ['id', 'metadata', 'request_url'], filters: {} })
    const wide = records.map((each) => ({ ...each, metadata: { filler: 'y'.repeat(2_000) } }))
    const long = createFold()
    await long.write(batchOf({ records: wide }))
    reader = long
    // The first process stops for good while it writes its third part: kept on disk, and known to nobody.
    let parts = 0
    const write = files.write
    files.write = async (...given) => {
      await write(...given)
      if (++parts === 3) await new Promise(() => undefined)
    }
    const first = createExportRunner(options)
    await start(id)
    await until(() => parts === 3)
    files.write = write
    expect(await show(id)).toMatchObject({ status: 'in_progress' })
    expect(Number((await show(id)).rows)).toBeGreaterThan(0)
    const second = createExportRunner(options)
    expect(await ended(id)).toMatchObject({ status: 'success', rows: 3_000 })
    expect(idsOf((await fetchFile(id)).text)).toEqual(records.map((each) => each.id))
    await second.close()
    void first
  }, 30_000)

  test('of two processes one runs it', async () => {
    await add({ records: Array.from({ length: 200 }, (_, index) => record(index)) })
    // The embedded database has but one process: its jobs are free when that starts.
    const shared = { db: store().db, kind: 'postgres' } as const
    const runners = [1, 2, 3].map(() => createExportRunner({ ...options, store: shared, claimMs: 30_000 }))
    const ids = await Promise.all([1, 2, 3, 4].map(() => make()))
    let pages = 0
    reader = {
      ...fold,
      page: (...given) => {
        pages++
        return fold.page(...given)
      },
    }
    await Promise.all(ids.map(start))
    for (const id of ids) expect(await ended(id)).toMatchObject({ status: 'success', rows: 200 })
    expect(pages).toBe(4)
    for (const runner of runners) await runner.close()
  })

  test('waits for a store that is away', async () => {
    await add({ records: [record(0)] })
    let failures = 0
    reader = {
      ...fold,
      page: async (...given) => {
        if (++failures < 3) throw new StoreUnavailable('away')
        return fold.page(...given)
      },
    }
    const { shown } = await exported()
    expect(shown.rows).toBe(1)
  })

  test('fails in words that say nothing of the inside', async () => {
    await add({ records: [record(0)] })
    reader = { ...fold, page: () => Promise.reject(new Error('secret-inside')) }
    const id = await make()
    const running = createExportRunner(options)
    await start(id)
    expect(await ended(id)).toMatchObject({ status: 'failed', error: 'The export failed for a reason of ours.' })
    await running.close()
    expectError(await call('GET', `/${id}/download`), 'management_conflict')
    reader = fold
    const again = createExportRunner(options)
    await start(id)
    expect(await ended(id)).toMatchObject({ status: 'success', rows: 1, error: null })
    await again.close()
  })

  test('can be cancelled while it runs, and its file goes', async () => {
    await add({ records: Array.from({ length: 100 }, (_, index) => record(index, { hasBodies: true })) })
    const id = await make({ requested_data: ['request'] })
    let isHeld = true
    let pages = 0
    reader = {
      ...fold,
      page: async (...given) => {
        pages++
        await until(() => !isHeld)
        return fold.page(...given)
      },
    }
    const running = createExportRunner({ ...options, sweepMs: 20 })
    await start(id)
    await until(() => pages === 1)
    expect((await call('POST', `/${id}/cancel`)).body).toEqual({
      message: 'The export was cancelled.',
      object: 'export',
    })
    isHeld = false
    expect(await show(id)).toMatchObject({ status: 'stopped' })
    await until(async () => {
      const wanted = new Set(
        (await logExportRows.list(world.db, world.ours, { limit: 100, offset: 0 })).rows.map(({ fileId }) => fileId),
      )
      return (await files.list()).every((file) => wanted.has(file))
    })
    expect(await show(id)).toMatchObject({ status: 'stopped' })
    expectError(await call('POST', `/${id}/cancel`), 'management_conflict')
    await running.close()
  })

  test('a file is removed when its time is over', async () => {
    await add({ records: [record(0)] })
    const { id } = await exported({}, { keepMs: 0 })
    const running = createExportRunner({ ...options, sweepMs: 10 })
    await until(async () => (await logExportRows.find(world.db, { ...world.ours, reference: id }))?.fileId === null)
    await running.close()
    expectError(await call('GET', `/${id}/download`), 'management_conflict')
  })

  describe('a link', () => {
    test('is signed with a key that may have to be asked for, and that it was given is written down', async () => {
      await add({ records: [record(0)] })
      const { id } = await exported()
      const asked = createExportLinks(
        {
          // As the secret box does for an organisation that it has not met: in a transaction this would never end.
          async derive() {
            await store().db.execute(sql`select 1`)
            return { version: 1, bytes: new Uint8Array(32) }
          },
        },
        () => linkNowMs,
      )
      const routes = logExportsRoutes({ ...deps, exports: { ...deps.exports, links: asked } })
      const callAsking = caller(store(), routes, [], {})
      const path = `/logs/exports/${id}/download`
      const answer = await callAsking({ method: 'GET', path, token: world.ours.admin })
      expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('signature=')])
      const { organisationId } = world.ours
      const { rows } = await listAudit(world.db, { organisationId }, { offset: 0, limit: 1 })
      expect(rows).toMatchObject([{ action: 'log_exports.download', objectId: id, before: { id }, after: { id } }])
    })

    test('that was changed, or is too old, is refused', async () => {
      await add({ records: [record(0)] })
      const { id } = await exported()
      const other = (await exported()).id
      const changes: ((path: string) => string)[] = [
        (path) => path.replace(id, other),
        (path) => path.replace(id, crypto.randomUUID()),
        (path) => path.replace(id, 'none'),
        (path) => path.replace(/expires=(\d+)/, (_, at) => `expires=${Number(at) + 1}`),
        (path) => path.replace(/signature=./, (start) => (start.endsWith('A') ? 'signature=B' : 'signature=A')),
        (path) => path.replace(/signature=.*/, 'signature=AAAA'),
      ]
      for (const change of changes) expectError(await fetchFile(id, change), 'management_forbidden')
      expect((await fetchFile(id)).status).toBe(200)
      const late = await fetchFile(id, (path) => {
        linkNowMs += LINK_MS
        return path
      })
      expectError(late, 'management_forbidden')
    })
  })

  describe('only those who may', () => {
    test('see it: others find nothing', async () => {
      const id = await make()
      for (const token of [world.theirs.admin, world.ours.second.serviceKey, world.theirs.first.serviceKey]) {
        for (const [method, path, body] of [
          ['GET', '', undefined],
          ['PUT', '', { description: 'x' }],
          ['DELETE', '', undefined],
          ['POST', '/start', {}],
          ['POST', '/cancel', {}],
          ['GET', '/download', undefined],
        ] as const) {
          expectError(await call(method, `/${id}${path}`, body, token), 'management_not_found')
        }
        const { data } = (await call('GET', '', undefined, token)).body as { data: readonly { id: string }[] }
        expect(data.some((each) => each.id === id)).toBe(false)
      }
      const foreign = await call('POST', '', {
        filters: {},
        requested_data: ['id'],
        workspace_id: world.theirs.first.id,
      })
      expectError(foreign, 'management_reference')
    })

    test('have bodies in it', async () => {
      const { organisationId, first } = world.ours
      const owner = { organisationId, workspaceId: first.id }
      const token = await createKey(world.db, 'workspace-user', owner, ['logs.export'])
      const id = await make({}, token)
      const body = { filters: {}, requested_data: ['request'] }
      expectError(await call('POST', '', body, token), 'management_forbidden')
      expectError(await call('PUT', `/${id}`, { requested_data: ['response'] }, token), 'management_forbidden')
      const other = await make({ requested_data: ['request'] })
      expectError(await call('POST', `/${other}/start`, {}, token), 'management_forbidden')
      expect((await actorsOf(world.db).find(token))?.scopes.has('logs.view')).toBe(false)
    })
  })

  test('is changed only while it does not run', async () => {
    const id = await make()
    expect((await call('PUT', `/${id}`, { format: 'csv', description: null })).status).toBe(200)
    await start(id)
    for (const [method, path, body] of [
      ['PUT', '', { format: 'jsonl' }],
      ['DELETE', '', undefined],
      ['POST', '/start', {}],
      ['GET', '/download', undefined],
    ] as const) {
      expectError(await call(method, `/${id}${path}`, body), 'management_conflict')
    }
    expect((await call('POST', `/${id}/cancel`)).status).toBe(200)
    expect((await call('DELETE', `/${id}`)).status).toBe(200)
    expectError(await call('GET', `/${id}`), 'management_not_found')
  })

  test.each([
    ['filters.page_size', { filters: { page_size: 100_000 } }],
    ['filters.page_size', { filters: { page_size: 0 } }],
    ['filters.time_of_generation_min', { filters: { time_of_generation_min: '2026-11-01T00:00:00' } }],
    ['filters.time_of_generation_min', { filters: { time_of_generation_min: '2001-01-01T00:00:00Z' } }],
    ['filters.cost_max', { filters: { cost_min: 1.5, cost_max: 1 } }],
    ['filters.metadata', { filters: { metadata: '[]' } }],
    ['filters.colour', { filters: { colour: 'blue' } }],
    ['requested_data', { requested_data: [] }],
    ['requested_data[1]', { requested_data: ['id', 'colour'] }],
    ['format', { format: 'xml' }],
  ])('names %s when the body has %j', async (param, changes) => {
    const answer = await call('POST', '', { filters: {}, requested_data: ['id'], ...changes })
    expectError(answer, 'management_invalid')
    expect(paramOf(answer)).toBe(param)
  })
})
