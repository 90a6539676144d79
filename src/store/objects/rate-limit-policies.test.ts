import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { describeOnBothStores, emptyStore } from '../testing.ts'
import type { Db } from '../types.ts'
import { countActivePolicies, lockPoliciesOf, policyRows } from './rate-limit-policies.ts'
import { createOrganisation } from './tenancy.ts'
import { createWorkspace, deleteWorkspace } from './workspaces.ts'

describeOnBothStores('rate limits policies', (store) => {
  let organisationId = ''
  let workspaceId = ''
  let otherId = ''

  beforeEach(async () => {
    await emptyStore(store())
    organisationId = (await createOrganisation(store().db, { name: 'o' })).id
    workspaceId = (await createWorkspace(store().db, { organisationId, name: 'w', slug: 'ws-w' })).id
    otherId = (await createWorkspace(store().db, { organisationId, name: 'v', slug: 'ws-v' })).id
  })

  const create = (changes: Partial<Parameters<typeof policyRows.insert>[1]> = {}, db = store().db) =>
    policyRows.insert(db, {
      organisationId,
      workspaceId,
      conditions: [{ key: 'api_key', value: '*' }],
      groupBy: ['api_key'],
      type: 'requests',
      unit: 'rpm',
      value: 10,
      ...changes,
    })

  const names = async (filter: object, offset = 0, limit = 100) => {
    const wanted = { workspaceId, status: 'active', ...filter } as const
    const { rows, total } = await policyRows.list(store().db, wanted, { offset, limit })
    return { names: rows.map(({ name }) => name), total }
  }

  test('come back as they were stored, large values and texts too', async () => {
    const given = {
      name: 'Größe "1"',
      description: 'why',
      conditions: [{ key: 'metadata.team', value: ['a', 'b'], excludes: 'c' }],
      groupBy: ['metadata.team', 'model'],
      type: 'tokens',
      unit: 'rpw',
      value: 1_000_000_000_000,
      target: 'mcp_tools',
      onStoreFailure: 'closed',
      reservation: 'max',
      mode: 'shadow',
    } as const
    const { id } = await create(given)
    expect(await policyRows.find(store().db, { organisationId, reference: id })).toMatchObject(given)
    const plain = await create()
    expect(plain).toMatchObject({
      name: null,
      description: null,
      target: 'llm',
      status: 'active',
      onStoreFailure: 'local',
      reservation: 'bounded',
      mode: 'enforce',
    })
  })

  test('are found in their organisation, workspace and status alone', async () => {
    const { id } = await create()
    const { id: elsewhere } = await createOrganisation(store().db, { name: 'p' })
    const find = async (changes: object) =>
      (await policyRows.find(store().db, { organisationId, reference: id, ...changes }))?.id
    expect(await find({})).toBe(id)
    expect(await find({ workspaceId, status: 'active', reference: id.toUpperCase() })).toBe(id)
    expect(await find({ workspaceId: otherId })).toBeUndefined()
    expect(await find({ organisationId: elsewhere })).toBeUndefined()
    expect(await find({ status: 'archived' })).toBeUndefined()
    expect(await find({ reference: 'no uuid' })).toBeUndefined()
    await policyRows.update(store().db, { id, status: 'archived' })
    expect(await find({ status: 'archived' })).toBe(id)
    expect(await find({ status: 'active' })).toBeUndefined()
  })

  test('are listed by each filter and by page, in the order they were made', async () => {
    await create({ name: 'first' })
    await create({ name: 'tokens 100%', type: 'tokens' })
    await create({ name: 'hourly', unit: 'rph' })
    await create({ name: 'tools', target: 'mcp_tools' })
    await create({ name: 'old', status: 'archived' })
    await create({ name: 'next door', workspaceId: otherId })
    const all = ['first', 'tokens 100%', 'hourly', 'tools']
    expect(await names({})).toEqual({ names: all, total: 4 })
    expect(await names({ status: 'archived' })).toEqual({ names: ['old'], total: 1 })
    expect(await names({ type: 'tokens' })).toEqual({ names: ['tokens 100%'], total: 1 })
    expect(await names({ unit: 'rph' })).toEqual({ names: ['hourly'], total: 1 })
    expect(await names({ target: 'mcp_tools' })).toEqual({ names: ['tools'], total: 1 })
    expect(await names({ search: 'TO' })).toEqual({ names: ['tokens 100%', 'tools'], total: 2 })
    expect(await names({ search: '%' })).toEqual({ names: ['tokens 100%'], total: 1 })
    expect(await names({ workspaceId: otherId })).toEqual({ names: ['next door'], total: 1 })
    expect(await names({}, 2, 1)).toEqual({ names: ['hourly'], total: 4 })
    expect(await names({}, 0, 0)).toEqual({ names: [], total: 4 })
  })

  test('change in what is given, and in their time', async () => {
    const before = await create({ name: 'before' })
    const after = await policyRows.update(store().db, { id: before.id, value: 11, name: null })
    expect(after).toEqual({ ...before, value: 11, name: null, lastUpdatedAt: expect.any(Date) })
    expect(after?.lastUpdatedAt.getTime()).toBeGreaterThanOrEqual(before.lastUpdatedAt.getTime())
    expect(await policyRows.update(store().db, { id: otherId, value: 11 })).toBeUndefined()
  })

  test('are counted one transaction after the other, so that a bound holds', async () => {
    await create({ status: 'archived' })
    const count = async (transaction: Db) => {
      await lockPoliciesOf(transaction, workspaceId)
      return countActivePolicies(transaction, workspaceId)
    }
    // Both connections are open from here on, so that neither is late for that.
    await Promise.all([store().db.transaction(count), store().db.transaction(count)])
    let second: Promise<number> | undefined
    const first = await store().db.transaction(async (transaction) => {
      const counted = await count(transaction)
      await create({}, transaction)
      second = store().db.transaction(count)
      // Time for the other one to come and count what is committed, if nothing made it wait.
      for (let trip = 0; trip < 100; trip++) await transaction.execute(sql`select 1`)
      return counted
    })
    expect([first, await second]).toEqual([0, 1])
  })

  test('go with their workspace', async () => {
    const { id } = await create()
    const { id: kept } = await create({ workspaceId: otherId })
    await store().db.transaction((transaction) => deleteWorkspace(transaction, workspaceId))
    expect(await policyRows.find(store().db, { organisationId, reference: id })).toBeUndefined()
    expect((await policyRows.find(store().db, { organisationId, reference: kept }))?.id).toBe(kept)
  })
})
