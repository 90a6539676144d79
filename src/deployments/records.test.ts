import { beforeAll, expect, test } from 'bun:test'
import { createTenant, type Tenant } from '../../test/conformance/management/tenants.ts'
import { openSqliteLedger } from '../budgets/ledger/sqlite.ts'
import type { CallRecord } from '../core/records.ts'
import { ManagementForbidden, ManagementInvalid, ManagementUnavailable } from '../errors/gateway-error.ts'
import type { Actor } from '../management/actor.ts'
import { createCredentials } from '../management/deployments/credentials.ts'
import type { Delivered, Delivery } from '../records/flusher/messages.ts'
import { BatchRefused } from '../records/store.ts'
import { deploymentRows, putAllowedWorkspaces } from '../store/objects/deployments.ts'
import { describeOnBothStores, SLOW_START_MS, temporaryFolder } from '../store/testing.ts'
import { recordsRoute } from './control/records.ts'

const record = (changes: Partial<CallRecord>): CallRecord => ({
  ...{ id: 'call-1', callId: 'call-1', kind: 'call', attempt: 0, time: 1, organisationId: '', workspaceId: '' },
  ...{ traceId: 'trace', method: 'POST', path: '/v1/chat/completions', endpoint: 'chat', requestType: 'chatComplete' },
  ...{ stream: false, status: 200, outcome: 'completed', success: true, attempts: 1, retries: 0, fallback: false },
  ...{ totalUs: 5, metadata: {} },
  ...changes,
})

describeOnBothStores('records of a data plane', (store) => {
  let ours: Tenant
  let theirs: Tenant
  let actor: Actor
  const delivered: Delivery[] = []
  let answer: () => Promise<Delivered> = async () => ({ position: 20, totals: [] })

  beforeAll(async () => {
    ours = await createTenant(store().db, 'ours')
    theirs = await createTenant(store().db, 'theirs')
    const { organisationId } = ours
    const row = { organisationId, name: 'test', slug: 'test', createdBy: 'test', ...createCredentials().kept }
    const { id, username } = await deploymentRows.insert(store().db, row)
    await putAllowedWorkspaces(store().db, id, [ours.first.id])
    actor = {
      ...{ kind: 'deployment', id, name: 'test', organisationId, scopes: new Set<string>() },
      username,
    } as Actor
  }, SLOW_START_MS)

  const hand = (body: object, by = actor) => {
    const deliver = (delivery: Delivery): Promise<Delivered> => {
      delivered.push(delivery)
      return answer()
    }
    return recordsRoute({ db: store().db, deliver }).handle({ actor: by, body } as never)
  }
  const place = (workspaceId = ours.first.id, organisationId = ours.organisationId) => ({ organisationId, workspaceId })
  const batch = (row: object) => ({ spool: 'a-spool', from: 10, to: 20, records: [{ position: 12, row }] })

  test('are handed on under a spool of the deployment alone, their bodies as bytes', async () => {
    const sealed = Buffer.from('sealed').toString('base64')
    const bodies = [{ position: 11, row: { recordId: 'call-1', time: 1, ...place(), sealed } }]
    const feedback = [
      { position: 13, row: { id: 'f', time: 1, traceId: 'trace', value: 1, weight: 1, metadata: {}, ...place() } },
    ]
    expect(await hand({ ...batch(record(place())), bodies, feedback })).toEqual({ position: 20, totals: [] })
    expect(delivered.pop()).toEqual({
      spool: `${actor.id}.a-spool`,
      batch: {
        ...{ spool: `${actor.id}.a-spool`, from: 10, to: 20 },
        records: [{ position: 12, row: record(place()) }],
        bodies: [
          {
            position: 11,
            row: { recordId: 'call-1', time: 1, ...place(), sealed: new Uint8Array(Buffer.from('sealed')) },
          },
        ],
        feedback: feedback as never,
      },
      counters: [],
    })
  })

  test('of other workspaces and organisations, out of place, or no records: none is handed on', async () => {
    delivered.length = 0
    for (const body of [
      batch(record(place(ours.second.id))),
      batch(record(place(theirs.first.id, theirs.organisationId))),
      batch(record(place(ours.first.id, theirs.organisationId))),
      batch({ ...record(place()), status: '200' }),
      batch({ ...record(place()), metadata: 'none' }),
      batch({ ...record(place()), id: undefined }),
      { ...batch(record(place())), from: 13 },
      { ...batch(record(place())), to: 12 },
      { spool: 'a-spool', from: 10, to: 20, bodies: [{ position: 11, row: { ...place(), recordId: 5 } }] },
      { spool: 'a-spool', from: 10, to: 20, feedback: [{ position: 11, row: { ...place(), value: 'good' } }] },
    ]) {
      await expect(hand(body)).rejects.toThrow(ManagementInvalid)
    }
    const key: Actor = { ...actor, kind: 'organisation-service' }
    await expect(hand(batch(record(place())), key)).rejects.toThrow(ManagementForbidden)
    expect(delivered).toEqual([])
  })

  test('that the store refuses are refused; while it is away they are to be sent again', async () => {
    answer = () => Promise.reject(new BatchRefused('a row is too long'))
    await expect(hand(batch(record(place())))).rejects.toThrow(ManagementInvalid)
    answer = () => Promise.reject(new Error('it is away'))
    await expect(hand(batch(record(place())))).rejects.toThrow(ManagementUnavailable)
  })

  test('totals go back as texts, of workspaces that are allowed', async () => {
    const total = { budgetId: 'b', group: 'g', startMs: 0, type: 'cost', label: '[]', total: 2n ** 60n } as const
    const known = { ...total, workspaceId: ours.first.id, generation: 0, resetAtUs: 0 }
    answer = async () => ({ position: 20, totals: [known] })
    const wanted = { workspaceId: ours.first.id, budgetId: 'b', group: 'g', startMs: 0 }
    const counters = [wanted, { ...wanted, workspaceId: theirs.first.id }]
    expect(await hand({ spool: 'a-spool', counters })).toEqual({
      position: 20,
      totals: [{ ...known, total: '1152921504606846976' }],
    })
    expect(delivered.pop()).toMatchObject({ counters: [wanted] })
  })
})

test('a ledger takes over what is counted elsewhere, unless it has counted more by itself', async () => {
  const folder = temporaryFolder()
  const ledger = openSqliteLedger({ path: `${folder.path}/budgets.db` })
  const key = { workspaceId: 'w', budgetId: 'b', group: 'g', startMs: 0 }
  const charge = { budgetId: 'b', group: 'g', startMs: 0, type: 'cost', label: '[]', amount: 5 } as const
  await ledger.apply({ spool: 's', to: 10, charges: [{ position: 1, workspaceId: 'w', endedUs: 9, charge }] })
  expect(await ledger.running(0, 10)).toEqual([key])
  const totalOf = async () => (await ledger.find('s', [key])).totals[0]
  const told = { ...key, type: 'cost', label: '[]', total: 100n, generation: 0, resetAtUs: 0 } as const
  await ledger.adopt('s', 9, [told])
  expect(await totalOf()).toMatchObject({ total: 5n })
  await ledger.load('s', 0)
  await ledger.adopt('s', 10, [told])
  expect((await ledger.changes('s')).totals).toMatchObject([{ total: 100n, generation: 0 }])
  await ledger.adopt('s', 10, [{ ...told, total: 50n }])
  expect(await totalOf()).toMatchObject({ total: 100n })
  // Set to 0 by hand over there.
  await ledger.adopt('s', 10, [{ ...told, total: 2n, generation: 1, resetAtUs: 20 }])
  expect(await totalOf()).toMatchObject({ total: 2n, generation: 1, resetAtUs: 20 })
  await ledger.close()
  folder.remove()
})
