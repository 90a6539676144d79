import { beforeEach, expect, test } from 'bun:test'
import type { BudgetPolicySource } from '../../budgets/policy.ts'
import { StoreUnavailable } from '../errors.ts'
import { createOrganisation } from '../objects/tenancy.ts'
import { usagePolicyRows } from '../objects/usage-limit-policies.ts'
import { createWorkspace } from '../objects/workspaces.ts'
import { breakable, describeOnBothStores, emptyStore, rejection, until } from '../testing.ts'
import { createBudgetPolicySnapshot } from './budget-policy-snapshot.ts'

const FAST = { debounceMs: 1, pollIntervalMs: 60_000 }
const schedule = { every: 'week', since: { startMs: 1, setAtMs: 2 } } as const

describeOnBothStores('budget policy snapshot', (store) => {
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
      organisationId,
      workspaceId,
      conditions: [{ key: 'api_key', value: '*' }],
      groupBy: ['api_key'],
      type: 'cost',
      creditLimit: 0.1,
      schedule,
      ...changes,
    })

  test('holds the active policies of each workspace as calls need them, in the order they were made', async () => {
    const { id } = await create({ name: 'first', alertThreshold: 0.07 })
    await create({ status: 'archived' })
    const { id: second } = await create({
      ...{ type: 'tokens', creditLimit: 1_000_000_000_000_000, alertThreshold: 5, groupBy: [] },
      ...{ enforcement: 'reserve', onUnknownPrice: 'refuse', mode: 'shadow', schedule: { since: schedule.since } },
    })
    const { id: other } = await create({ workspaceId: otherId, type: 'requests', creditLimit: 0 })
    const snapshot = await createBudgetPolicySnapshot(store(), FAST)
    // What the engine takes: this must not need a conversion.
    const source: BudgetPolicySource = snapshot
    const shared = { organisationId, workspaceId, conditions: [{ key: 'api_key', value: '*' }] }
    expect(source.list(workspaceId)).toEqual([
      {
        ...{ ...shared, id, name: 'first', groupBy: ['api_key'], type: 'cost', schedule },
        ...{ limit: 100_000_000, alertThreshold: 70_000_000 },
        ...{ enforcement: 'soft', onUnknownPrice: 'allow', mode: 'enforce' },
      },
      {
        ...{ ...shared, id: second, name: null, groupBy: [], type: 'tokens', schedule: { since: schedule.since } },
        ...{ limit: 1_000_000_000_000_000, alertThreshold: 5 },
        ...{ enforcement: 'reserve', onUnknownPrice: 'refuse', mode: 'shadow' },
      },
    ])
    const theirs = source.list(otherId).map((policy) => [policy.id, policy.limit, 'alertThreshold' in policy])
    expect(theirs).toEqual([[other, 0, false]])
    for (const unknown of ['none', '__proto__', organisationId]) expect(snapshot.list(unknown)).toEqual([])
    await snapshot.close()
  })

  test('follows changes, and gives the same array until something of that workspace changes', async () => {
    const { id } = await create()
    const { id: elsewhere } = await create({ workspaceId: otherId })
    const snapshot = await createBudgetPolicySnapshot(store(), FAST)
    const kept = snapshot.list(workspaceId)
    await usagePolicyRows.update(store().db, { id: elsewhere, creditLimit: 2 })
    await until(() => snapshot.list(otherId)[0]?.limit === 2_000_000_000)
    expect(snapshot.list(workspaceId)).toBe(kept)
    await usagePolicyRows.update(store().db, { id, status: 'archived' })
    await until(() => snapshot.list(workspaceId).length === 0)
    await usagePolicyRows.update(store().db, { id, status: 'active' })
    await until(() => snapshot.list(workspaceId)[0]?.id === id)
    await snapshot.close()
  })

  test('is an error when the database is away from the start', async () => {
    const { double, broken } = breakable(store())
    broken.queries = true
    expect(await rejection(createBudgetPolicySnapshot(double))).toBeInstanceOf(StoreUnavailable)
  })
})
