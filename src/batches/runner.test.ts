import { afterEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { memoryFiles } from '../../test/support/own-files.ts'
import { eventually } from '../../test/support/start-process.ts'
import { fromPieces, nextPiece } from '../core/bodies/ready-stream.ts'
import { Cancellation } from '../core/cancellation.ts'
import { ShuttingDown } from '../errors/gateway-error.ts'
import type { InnerRequest } from '../http/inner-call.ts'
import type { BatchObject } from '../kit/own-batches.ts'
import type { FoundKey } from '../kit/plugin.ts'
import { MasterKey } from '../secrets/master-key.ts'
import { openSecretBox } from '../secrets/secret-box.ts'
import { newId } from '../store/objects/rows.ts'
import { ownBatches } from '../store/schema/own-batches.ts'
import { organisations, workspaces } from '../store/schema/tenancy.ts'
import { describeOnBothStores } from '../store/testing.ts'
import type { BatchBounds, BatchesContext } from './context.ts'
import { createOwnBatches } from './own-batches.ts'
import { type BatchRunner, createBatchRunner } from './runner.ts'

const BOUNDS: BatchBounds = {
  ...{ parallel: 4, retries: 2, reserve: 0.2, maxLines: 1_000, maxLineBytes: 1_000 },
  ...{ workspaceBatches: 3, retentionDays: 90 },
}
const TIMES = { busyMs: 20, idleMs: 40, claimMs: 900 }
const silent = () => undefined
const encoder = new TextEncoder()

const answer = (status: number, fields: Record<string, string> = {}) => ({
  status,
  headers: new Headers({ 'x-request-id': 'r', ...fields }),
  body: encoder.encode(JSON.stringify({ said: status })),
})

const idOf = ({ body }: InnerRequest): string => JSON.parse(Buffer.from(body).toString()).id

interface Answered {
  readonly custom_id: string
  readonly response: { readonly status_code: number } | null
  readonly error: { readonly code: string } | null
}

describeOnBothStores('batches that run', (store) => {
  const runners: BatchRunner[] = []
  afterEach(async () => {
    for (const runner of runners.splice(0)) await runner.close()
    await store().db.update(ownBatches).set({ status: 'failed', asked: '' })
  })

  const world = async (ask: BatchesContext['ask'], more: Partial<BatchBounds> = {}) => {
    const [organisationId, workspaceId] = [newId(), newId()]
    await store().db.insert(organisations).values({ id: organisationId, name: 'o' })
    await store()
      .db.insert(workspaces)
      .values({ id: workspaceId, organisationId, name: 'w', slug: `ws-${newId()}` })
    const caller: FoundKey = {
      principal: {
        ...{ keyId: 'key', keyName: 'k', kind: 'workspace-service', organisationId, workspaceId, scopes: new Set() },
      },
    }
    const files = memoryFiles()
    const context: BatchesContext = {
      ...{ store: store(), files, ask, bounds: { ...BOUNDS, ...more }, randomId: newId, random: () => 0 },
      secretBox: await openSecretBox(store().db, { current: new MasterKey(Buffer.alloc(32, 7)) }),
      findKey: async (id) => (id === 'key' ? caller : undefined),
      clock: { now: Date.now },
      log: { info: silent, warn: silent, error: silent },
      isStopping: () => false,
    }
    const run = (changes: Partial<BatchesContext> = {}): BatchRunner => {
      const runner = createBatchRunner({ ...context, ...changes }, TIMES)
      runners.push(runner)
      return runner
    }
    const batches = createOwnBatches(context, silent)
    const begin = async (text: string, window: 'immediate' | '24h' = 'immediate'): Promise<BatchObject> => {
      const file = await files.create(
        { organisationId, workspaceId, filename: 'in.jsonl', purpose: 'batch' },
        fromPieces([encoder.encode(text)]),
        new Cancellation(),
      )
      return await batches.create({
        ...{ caller, inputFileId: file.id, endpoint: '/v1/chat/completions', completionWindow: window },
        ...{ metadata: null, headers: { 'x-gateway-metadata': '{"team":"a"}' } },
      })
    }
    const find = async (id: string): Promise<BatchObject> => {
      const found = await batches.find(workspaceId, id)
      if (found === undefined) throw new Error('the batch is gone')
      return found
    }
    const ended = async (id: string): Promise<BatchObject> => {
      const isOver = async () => ['completed', 'failed', 'expired', 'cancelled'].includes((await find(id)).status)
      if (!(await eventually(isOver, 15_000))) throw new Error(`the batch is still ${(await find(id)).status}`)
      return await find(id)
    }
    const read = async (id: string | null): Promise<readonly Answered[]> => {
      const file = id === null ? undefined : await files.find(workspaceId, id)
      if (file === undefined) return []
      const pieces: Uint8Array[] = []
      const stream = files.open(file)
      for (let piece = await nextPiece(stream); piece !== undefined; piece = await nextPiece(stream)) pieces.push(piece)
      return Buffer.concat(pieces)
        .toString()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    }
    return { batches, begin, ended, find, read, run, workspaceId }
  }

  const lines = (count: number): string =>
    Array.from({ length: count }, (_, number) =>
      JSON.stringify({ custom_id: `id-${number}`, url: '/v1/chat/completions', body: { id: `id-${number}` } }),
    ).join('\n')

  test('are asked line by line, each once, by two processes', async () => {
    const asked: string[] = []
    const { begin, ended, read, run } = await world(async (request) => {
      asked.push(idOf(request))
      expect(JSON.parse(request.headers['x-gateway-metadata'] ?? '')).toMatchObject({
        team: 'a',
        _batch: expect.stringMatching(/^batch_weir_/),
      })
      await Bun.sleep(1)
      return answer(200)
    })
    run()
    run()
    const { id } = await begin(lines(120))
    const done = await ended(id)
    expect(done).toMatchObject({ status: 'completed', request_counts: { total: 120, completed: 120, failed: 0 } })
    expect(new Set(asked).size).toBe(120)
    expect(asked).toHaveLength(120)
    expect((await read(done.output_file_id)).map(({ custom_id }) => custom_id)).toEqual(
      Array.from({ length: 120 }, (_, number) => `id-${number}`),
    )
  })

  test('ask again for what may pass, so many times, and not for the rest', async () => {
    const tries = new Map<string, number>()
    const { begin, ended, read, run } = await world(async (request) => {
      const id = idOf(request)
      const before = tries.get(id) ?? 0
      tries.set(id, before + 1)
      if (id === 'id-0') return answer(before === 0 ? 503 : 200)
      return answer(id === 'id-1' ? 500 : 400)
    })
    run()
    const done = await ended((await begin(lines(3))).id)
    expect(Object.fromEntries(tries)).toEqual({ 'id-0': 2, 'id-1': 3, 'id-2': 1 })
    expect((await read(done.error_file_id)).map(({ response }) => response?.status_code)).toEqual([500, 400])
    expect((await read(done.output_file_id)).map(({ custom_id }) => custom_id)).toEqual(['id-0'])
  })

  test('of 24 hours wait for a limit however long it takes, others do not', async () => {
    let refusals = 0
    const { begin, ended, run } = await world(async () => {
      refusals++
      return refusals <= 6 ? answer(429, { 'retry-after': '0.05' }) : answer(200)
    })
    run()
    expect(await ended((await begin(lines(1), '24h')).id)).toMatchObject({
      request_counts: { completed: 1, failed: 0 },
    })
    refusals = 0
    expect(await ended((await begin(lines(1))).id)).toMatchObject({ request_counts: { completed: 0, failed: 1 } })
  })

  test('of 24 hours leave what is for others: no more lines begin while limits have little left', async () => {
    const moments: number[] = []
    const { begin, ended, run } = await world(
      async () => {
        moments.push(performance.now())
        const limits = { 'x-ratelimit-limit-requests': '10', 'x-ratelimit-remaining-requests': '1' }
        return answer(200, { ...limits, 'x-ratelimit-reset-requests': '10s' })
      },
      { parallel: 1 },
    )
    run()
    await ended((await begin(lines(2), '24h')).id)
    const [first = 0, second = 0] = moments
    // A tenth of ten seconds: what is missing of the reserve.
    expect(second - first).toBeGreaterThan(900)
  })

  test('go on where a process has died: its lines are taken over, and what it says then is not heard', async () => {
    const stuck = Promise.withResolvers<void>()
    const { begin, ended, read, run } = await world(async () => answer(200))
    // Asks, and then is gone: it renews nothing.
    const dead = run({
      ask: async () => {
        await stuck.promise
        return answer(418)
      },
    })
    const { id } = await begin(lines(4))
    await Bun.sleep(300)
    void dead.close()
    run()
    const done = await ended(id)
    stuck.resolve()
    await Bun.sleep(100)
    expect(done.request_counts).toEqual({ total: 4, completed: 4, failed: 0 })
    expect((await read(done.output_file_id)).map(({ response }) => response?.status_code)).toEqual([200, 200, 200, 200])
  })

  test('give lines back when their process stops', async () => {
    const { begin, ended, run } = await world(async () => answer(200))
    const stopping = run({
      ask: () => Promise.reject(new ShuttingDown('The gateway is stopping.')),
    })
    const { id } = await begin(lines(3))
    await Bun.sleep(100)
    await stopping.close()
    run()
    expect(await ended(id)).toMatchObject({ request_counts: { total: 3, completed: 3, failed: 0 } })
  })

  test('that have not come to their end in time say so for each line that was not asked', async () => {
    let asked = 0
    const never = Promise.withResolvers<never>()
    const { begin, ended, find, read, run } = await world(() => {
      asked++
      return asked <= 2 ? Promise.resolve(answer(200)) : never.promise
    })
    run()
    const { id } = await begin(lines(6), '24h')
    expect(await eventually(async () => (await find(id)).request_counts.completed === 2, 10_000)).toBeTrue()
    await store()
      .db.update(ownBatches)
      .set({ expiresAt: sql`now()` as never })
    const done = await ended(id)
    expect(done).toMatchObject({ status: 'expired', request_counts: { total: 6, completed: 2, failed: 4 } })
    expect((await read(done.error_file_id)).map(({ error }) => error?.code)).toEqual(Array(4).fill('batch_expired'))
  })

  test('are told what is wrong with a line that is too long, without reading it whole', async () => {
    const { begin, ended, run } = await world(async () => answer(200))
    run()
    const done = await ended((await begin(`${lines(1)}\n${'x'.repeat(5_000)}`)).id)
    expect(done).toMatchObject({ status: 'failed', errors: { data: [{ code: 'line_too_long', line: 2 }] } })
  })

  test('may have so many lines and no more', async () => {
    const { begin, ended, run } = await world(async () => answer(200), { maxLines: 2 })
    run()
    expect(await ended((await begin(lines(3))).id)).toMatchObject({
      errors: { data: [{ code: 'too_many_tasks', line: 3 }] },
    })
  })

  test('are no more than a workspace may run', async () => {
    const { begin, batches, workspaceId } = await world(async () => answer(200))
    for (let number = 0; number < 3; number++) await begin(lines(1))
    await expect(begin(lines(1))).rejects.toMatchObject({ code: 'batch_quota_exceeded' })
    const page = await batches.list(workspaceId, { limit: 2 })
    expect([page.batches.length, page.hasMore]).toEqual([2, true])
    const rest = await batches.list(workspaceId, { limit: 2, after: page.batches[1]?.id })
    expect([rest.batches.length, rest.hasMore]).toEqual([1, false])
  })

  test('that are cancelled before they begin ask for nothing', async () => {
    let asked = 0
    const { begin, batches, ended, run, workspaceId } = await world(async () => {
      asked++
      return answer(200)
    })
    const { id } = await begin(lines(5))
    expect((await batches.cancel(workspaceId, id))?.status).toBe('cancelling')
    run()
    expect(await ended(id)).toMatchObject({ status: 'cancelled', output_file_id: null, error_file_id: null })
    expect(asked).toBe(0)
  })
})
