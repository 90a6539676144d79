import { beforeEach, expect, test } from 'bun:test'
import { describeOnBothStores, emptyStore } from '../testing.ts'
import { createOrganisation } from './tenancy.ts'
import { countActiveUsagePolicies, usagePolicyRows } from './usage-limit-policies.ts'
import { createWorkspace, deleteWorkspace } from './workspaces.ts'

describeOnBothStores('usage limits policies', (store) => {
  let organisationId = ''
  let workspaceId = ''
  let otherId = ''

  beforeEach(async () => {
    await emptyStore(store())
    organisationId = (await createOrganisation(store().db, { name: 'o' })).id
    workspaceId = (await createWorkspace(store().db, { organisationId, name: 'w', slug: 'ws-w' })).id
    otherId = (await createWorkspace(store().db, { organisationId, name: 'v', slug: 'ws-v' })).id
  })

  const create = (changes: Partial<Parameters<typeof usagePolicyRows.insert>[1]> = {}) =>
    usagePolicyRows.insert(store().db, {
      ...{ organisationId, workspaceId, groupBy: ['api_key'], type: 'cost', creditLimit: 1 },
      conditions: [{ key: 'api_key', value: '*' }],
      schedule: { since: { startMs: 0, setAtMs: 0 } },
      ...changes,
    })

  const names = async (filter: object, offset = 0, limit = 100) => {
    const wanted = { workspaceId, status: 'active', ...filter } as const
    const { rows, total } = await usagePolicyRows.list(store().db, wanted, { offset, limit })
    return { names: rows.map(({ name }) => name), total }
  }

  test('come back as they were stored, fractions and large values too', async () => {
    const given = {
      name: 'Größe "1"',
      description: 'why',
      conditions: [{ key: 'metadata.team', value: ['a', 'b'], excludes: 'c' }],
      groupBy: ['metadata.team', 'model'],
      type: 'cost',
      creditLimit: 8_999_999.123456789,
      alertThreshold: 0.000000001,
      schedule: { every: 30, firstResetMs: 1_800_000_000_000, since: { startMs: 1, setAtMs: 1_790_000_000_001 } },
      enforcement: 'reserve',
      onUnknownPrice: 'refuse',
      mode: 'shadow',
    } as const
    const { id } = await create(given)
    expect(await usagePolicyRows.find(store().db, { organisationId, reference: id })).toMatchObject(given)
    expect(await create({ type: 'tokens', creditLimit: 1_000_000_000_000_000 })).toMatchObject({
      ...{ name: null, description: null, creditLimit: 1_000_000_000_000_000, alertThreshold: null },
      ...{ status: 'active', enforcement: 'soft', onUnknownPrice: 'allow', mode: 'enforce' },
    })
  })

  test('are listed by each filter and by page, in the order they were made', async () => {
    await create({ name: 'first' })
    await create({ name: 'tokens 100%', type: 'tokens' })
    await create({ name: 'calls', type: 'requests' })
    await create({ name: 'old', status: 'archived' })
    await create({ name: 'next door', workspaceId: otherId })
    expect(await names({})).toEqual({ names: ['first', 'tokens 100%', 'calls'], total: 3 })
    expect(await names({ status: 'archived' })).toEqual({ names: ['old'], total: 1 })
    expect(await names({ type: 'tokens' })).toEqual({ names: ['tokens 100%'], total: 1 })
    expect(await names({ search: '%' })).toEqual({ names: ['tokens 100%'], total: 1 })
    expect(await names({ workspaceId: otherId })).toEqual({ names: ['next door'], total: 1 })
    expect(await names({}, 1, 1)).toEqual({ names: ['tokens 100%'], total: 3 })
    expect(await countActiveUsagePolicies(store().db, workspaceId)).toBe(3)
  })

  test('go with their workspace', async () => {
    const { id } = await create()
    const { id: kept } = await create({ workspaceId: otherId })
    await store().db.transaction((transaction) => deleteWorkspace(transaction, workspaceId))
    expect(await usagePolicyRows.find(store().db, { organisationId, reference: id })).toBeUndefined()
    expect((await usagePolicyRows.find(store().db, { organisationId, reference: kept }))?.id).toBe(kept)
  })
})
