import { beforeAll, describe, expect, test } from 'bun:test'
import { expectError, paramOf } from '../../../test/conformance/management/expect-error.ts'
import { actorsOf, createKey } from '../../../test/conformance/management/tenants.ts'
import { createWorld, type World } from '../../../test/conformance/management/world.ts'
import { createFold } from '../../../test/support/records/fold.ts'
import { batchOf, sampleRecords } from '../../../test/support/records/samples.ts'
import type { CallRecord } from '../../core/records.ts'
import { createSeals } from '../../records/seals.ts'
import type { RecordReader } from '../../records/store.ts'
import { StoreUnavailable } from '../../store/errors.ts'
import { describeOnBothStores } from '../../store/testing.ts'
import type { LogsDeps } from './deps.ts'
import type { LogRow } from './model.ts'
import { logsRoutes } from './routes.ts'

const NOW = Date.UTC(2026, 10, 22, 18)
const MINUTE_US = 60_000_000

interface Page {
  readonly data: readonly LogRow[]
  readonly has_more: boolean
  readonly next: string | null
  readonly search?: { readonly complete: boolean; readonly looked_at: number }
}

describeOnBothStores('the list of logs', (store) => {
  let world: World
  let fold: ReturnType<typeof createFold>
  let position = 0
  const seals = createSeals({ derive: () => ({ version: 1, bytes: new Uint8Array(32).fill(7) }) })
  const [sample] = sampleRecords(1)
  const deps = (records: RecordReader): LogsDeps => ({
    records,
    seals,
    now: () => NOW,
    retentionDays: () => 30,
    readersOf: (workspaceId) => (workspaceId === world.ours.second.id ? 'caller' : 'workspace'),
    tail: { listen: () => Promise.reject(new Error('nobody listens')) },
  })

  /** A record of our first workspace, `minutes` ago. */
  const record = (minutes: number, changes: Partial<CallRecord> = {}): CallRecord => {
    const id = Bun.randomUUIDv7()
    const place = { organisationId: world.ours.organisationId, workspaceId: world.ours.first.id }
    const base = { ...(sample as CallRecord), ...place, id, callId: id, kind: 'call' as const, traceId: `trace ${id}` }
    return { ...base, time: NOW * 1000 - minutes * MINUTE_US, metadata: {}, hasBodies: undefined, ...changes }
  }
  const add = async (...records: readonly CallRecord[]): Promise<void> => {
    const batch = batchOf({ records }, { from: position })
    position = batch.to
    await fold.write(batch)
  }
  const addBody = async (of: CallRecord, body: string): Promise<void> => {
    const { id: recordId, organisationId, workspaceId, time } = of
    await seals.prepare(organisationId, workspaceId)
    const messages = [{ side: 'request', headers: {}, body: new TextEncoder().encode(body) }] as const
    const sealed = seals.seal(organisationId, workspaceId, recordId, messages)
    if (sealed === undefined) throw new Error('was prepared')
    const bodies = [{ recordId, organisationId, workspaceId, time, sealed }]
    const batch = batchOf({ bodies }, { from: position })
    position = batch.to
    await fold.write(batch)
  }

  const list = (query = '', token = world.ours.first.serviceKey) =>
    world.call({ method: 'GET', path: `/logs?${query}`, token })
  const page = async (query = '', token?: string): Promise<Page> => {
    const answer = await list(query, token)
    expect([answer.status, answer.text]).toEqual([200, answer.text])
    return answer.body as unknown as Page
  }
  const ids = async (query = '', token?: string) => (await page(query, token)).data.map(({ id }) => id)

  beforeAll(async () => {
    fold = createFold()
    world = await createWorld(store(), logsRoutes(deps(fold)))
  })

  test('shows a call as clients see it', async () => {
    const shown = record(1, {
      status: 200,
      success: true,
      outcome: 'completed',
      traceId: 'trace-shown',
      inputTokens: 12,
      outputTokens: 3,
      totalTokens: 15,
      cost: { total: 12_345_000_000, input: 12_345_000_000, output: 0, cache: 0, other: 0 },
      optionPath: 'config.targets[1].targets[0]',
      totalUs: 1_234_567,
      time: NOW * 1000 - MINUTE_US + 42,
      metadata: { _user: 'ann', team: 'blue' },
      retries: 2,
      unpriced: undefined,
    })
    await add(shown)
    const place = { organisationId: shown.organisationId, workspaceId: shown.workspaceId }
    const vote = { ...place, id: Bun.randomUUIDv7(), time: NOW * 1000, traceId: 'trace-shown', metadata: {} }
    const feedback = [
      { ...vote, value: 5, weight: 1 },
      { ...vote, time: NOW * 1000 + 1, value: -2, weight: 0.5 },
    ]
    const batch = batchOf({ feedback }, { from: position })
    position = batch.to
    await fold.write(batch)
    const { data, has_more, next } = await page('trace_id=trace-shown')
    expect({ has_more, next }).toEqual({ has_more: false, next: null })
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({
      id: shown.id,
      workspace_slug: world.ours.first.slug,
      created_at: '2026-11-22T17:59:00.000042Z',
      is_success: 1,
      response_status_code: 200,
      req_units: 12,
      total_units: 15,
      cost: 1.2345,
      unpriced: false,
      response_time: 1234.567,
      last_used_option_index: 0,
      retry_success_count: 2,
      _user: 'ann',
      metadataKey: ['_user', 'team'],
      metadataValue: ['ann', 'blue'],
      feedback: [{ id: vote.id, value: -2, weight: 0.5 }],
    })
  })

  test('a page stays where it is while records arrive', async () => {
    const before = await Promise.all([5, 4, 3, 2, 1].map(async (minutes) => record(minutes, { endpoint: 'paged' })))
    await add(...before)
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const { data, next, has_more } = await page(`endpoint=paged&limit=2${cursor}`)
      seen.push(...data.map(({ id }) => id))
      expect(has_more).toBe(next !== null)
      if (next === null) break
      cursor = `&cursor=${next}`
      await add(record(0, { endpoint: 'paged' }), record(0, { endpoint: 'paged' }))
    }
    expect(seen).toEqual(before.map(({ id }) => id).toReversed())
    expect((await ids('endpoint=paged&order=asc')).slice(0, 5)).toEqual(before.map(({ id }) => id))
  })

  test('records of the same microsecond are neither doubled nor left out', async () => {
    const same = Array.from({ length: 5 }, () => record(7, { endpoint: 'same' }))
    await add(...same)
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const { data, next } = await page(`endpoint=same&limit=2${cursor}`)
      seen.push(...data.map(({ id }) => id))
      if (next === null) break
      cursor = `&cursor=${next}`
    }
    expect(seen.toSorted()).toEqual(same.map(({ id }) => id).toSorted())
  })

  test('a key of a workspace sees its own alone, one of the organisation all or the one that it names', async () => {
    const [ours, second, theirs] = [
      record(1, { endpoint: 'places' }),
      record(2, { endpoint: 'places', workspaceId: world.ours.second.id }),
      record(3, {
        endpoint: 'places',
        organisationId: world.theirs.organisationId,
        workspaceId: world.theirs.first.id,
      }),
    ]
    await add(ours, second, theirs)
    const of = (query: string, token: string) => ids(`endpoint=places${query}`, token)
    expect(await of('', world.ours.first.serviceKey)).toEqual([ours.id])
    expect(await of(`&workspace_slug=${world.ours.second.slug}`, world.ours.first.serviceKey)).toEqual([ours.id])
    expect(await of('', world.ours.admin)).toEqual([ours.id, second.id])
    expect(await of(`&workspace_slug=${world.ours.second.id}`, world.ours.admin)).toEqual([second.id])
    expect(await of('', world.theirs.admin)).toEqual([theirs.id])
    expect(await of(`&id=${theirs.id}`, world.ours.admin)).toEqual([])
    const foreign = await list(`workspace_slug=${world.theirs.first.id}`, world.ours.admin)
    expectError(foreign, 'management_reference')
    expect(paramOf(foreign)).toBe('workspace_slug')
  })

  test('attempts are shown when they are asked for', async () => {
    const call = record(2, { endpoint: 'tries' })
    const attempt = record(1, { endpoint: 'tries', kind: 'attempt', attempt: 1, callId: call.id })
    await add(call, attempt)
    expect(await ids('endpoint=tries')).toEqual([call.id])
    expect(await ids('endpoint=tries&kind=attempt')).toEqual([attempt.id])
  })

  describe('search', () => {
    test('finds words in bodies, in either case, and says when it is not through', async () => {
      const [one, other, bare, lost] = [1, 2, 3, 4].map((minutes) =>
        record(minutes, { endpoint: 'searched', hasBodies: minutes === 3 ? undefined : true }),
      ) as [CallRecord, CallRecord, CallRecord, CallRecord]
      await add(one, other, bare, lost)
      await addBody(one, '{"content":"The Blue whale"}')
      await addBody(other, '{"content":"a whale"}')
      const found = await page('endpoint=searched&search=WHALE%20blue')
      expect(found.data.map(({ id }) => id)).toEqual([one.id])
      expect(found.search).toEqual({ complete: true, looked_at: 3 })
      const first = await page('endpoint=searched&search=whale&limit=1')
      expect([first.data.map(({ id }) => id), first.search]).toEqual([[one.id], { complete: true, looked_at: 1 }])
      const second = await page(`endpoint=searched&search=whale&limit=1&cursor=${first.next}`)
      expect(second.data.map(({ id }) => id)).toEqual([other.id])
      const third = await page(`endpoint=searched&search=whale&limit=1&cursor=${second.next}`)
      expect([third.data, third.next]).toEqual([[], null])
    })

    test('stops at its bound, and goes on from there', async () => {
      const many = Array.from({ length: 1_010 }, (_, index) =>
        record(10, { time: NOW * 1000 - index, endpoint: 'many', hasBodies: true }),
      )
      await add(...many)
      const last = many.at(-1) as CallRecord
      await addBody(last, 'needle')
      const first = await page('endpoint=many&search=needle')
      expect([first.data, first.search]).toEqual([[], { complete: false, looked_at: 1_000 }])
      const second = await page(`endpoint=many&search=needle&cursor=${first.next}`)
      expect(second.data.map(({ id }) => id)).toEqual([last.id])
      expect(second.search).toEqual({ complete: true, looked_at: 10 })
    })

    test('looks into bodies of others only where the workspace shows them', async () => {
      const { serviceKey, userKey, id: workspaceId } = world.ours.second
      const apiKeyId = (await actorsOf(world.db).find(userKey))?.id
      const called = record(1, { endpoint: 'shy', hasBodies: true, workspaceId, apiKeyId })
      await add(called)
      await addBody(called, 'needle')
      expect(await ids('endpoint=shy&search=needle', userKey)).toEqual([called.id])
      expect(await ids('endpoint=shy&search=needle', serviceKey)).toEqual([])
      expect(await ids('endpoint=shy', serviceKey)).toEqual([called.id])
    })

    test('needs the scope for bodies', async () => {
      const { organisationId, first } = world.ours
      const token = await createKey(world.db, 'workspace-user', { organisationId, workspaceId: first.id }, [
        'logs.list',
      ])
      expect((await list('', token)).status).toBe(200)
      expectError(await list('search=whale', token), 'management_forbidden')
    })
  })

  test.each([
    ['cursor', 'cursor=abc'],
    ['cursor', `cursor=${Buffer.from('99999999999999999999.a').toString('base64url')}`],
    ['limit', 'limit=501'],
    ['limit', 'limit=0'],
    ['order', 'order=up'],
    ['search', 'search=a'],
    ['cost_max', 'cost_min=2.5&cost_max=2.25'],
    ['time_of_generation_min', 'time_of_generation_min=2026-11-22T00:00:00'],
    ['time_of_generation_min', 'time_of_generation_min=2020-01-01T00:00:00Z'],
    ['colour', 'colour=blue'],
  ])('names %s when the query is %s', async (param, query) => {
    const answer = await list(query)
    expectError(answer, 'management_invalid')
    expect(paramOf(answer)).toBe(param)
  })

  test('costs of a query may have fractions', async () => {
    const cheap = record(1, { endpoint: 'priced', cost: { total: 5e9, input: 5e9, output: 0, cache: 0, other: 0 } })
    const dear = record(2, { endpoint: 'priced', cost: { total: 6e9, input: 6e9, output: 0, cache: 0, other: 0 } })
    await add(cheap, dear)
    expect(await ids('endpoint=priced&cost_max=0.5')).toEqual([cheap.id])
    expect(await ids('endpoint=priced&cost_min=0.5')).toEqual([cheap.id, dear.id])
  })

  test('a store that is away is a 503', async () => {
    const away = { ...fold, page: () => Promise.reject(new StoreUnavailable('away')) }
    const other = await createWorld(store(), logsRoutes(deps(away)))
    const answer = await other.call({ method: 'GET', path: '/logs', token: other.ours.admin })
    expectError(answer, 'management_unavailable')
  })
})
