import { beforeEach, expect, test } from 'bun:test'
import type { LimitPolicy } from '../../limits/match/policy.ts'
import { StoreUnavailable } from '../errors.ts'
import { policyRows } from '../objects/rate-limit-policies.ts'
import { createOrganisation } from '../objects/tenancy.ts'
import { createWorkspace, deleteWorkspace } from '../objects/workspaces.ts'
import { breakable, describeOnBothStores, emptyStore, rejection, until } from '../testing.ts'
import { createPolicySnapshot } from './policy-snapshot.ts'

const FAST = { debounceMs: 1, pollIntervalMs: 60_000 }

describeOnBothStores('policy snapshot', (store) => {
  let organisationId = ''
  let workspaceId = ''
  let otherId = ''

  beforeEach(async () => {
    await emptyStore(store())
    organisationId = (await createOrganisation(store().db, { name: 'o' })).id
    workspaceId = (await createWorkspace(store().db, { organisationId, name: 'w', slug: 'ws-w' })).id
    otherId = (await createWorkspace(store().db, { organisationId, name: 'v', slug: 'ws-v' })).id
  })

  const create = (changes: Partial<Parameters<typeof policyRows.insert>[1]> = {}) =>
    policyRows.insert(store().db, {
      organisationId,
      workspaceId,
      conditions: [{ key: 'api_key', value: '*' }],
      groupBy: ['api_key'],
      type: 'requests',
      unit: 'rpm',
      value: 10,
      ...changes,
    })

  test('holds the active policies of each workspace as calls need them, in the order they were made', async () => {
    const { id } = await create({ name: 'first' })
    await create({ status: 'archived' })
    const { id: second } = await create({ target: 'mcp_tools', groupBy: [], mode: 'shadow' })
    const { id: other } = await create({ workspaceId: otherId })
    const snapshot = await createPolicySnapshot(store(), FAST)
    // What the limiter takes: this must not need a conversion.
    const policies: readonly LimitPolicy[] = snapshot.list(workspaceId)
    expect(policies.map((policy) => policy.id)).toEqual([id, second])
    expect(policies[0]).toEqual({
      id,
      organisationId,
      workspaceId,
      name: 'first',
      target: 'llm',
      conditions: [{ key: 'api_key', value: '*' }],
      groupBy: ['api_key'],
      type: 'requests',
      unit: 'rpm',
      value: 10,
      onStoreFailure: 'local',
      reservation: 'bounded',
      mode: 'enforce',
    })
    expect(snapshot.list(otherId).map((policy) => policy.id)).toEqual([other])
    for (const unknown of ['none', '__proto__', organisationId]) expect(snapshot.list(unknown)).toEqual([])
    await snapshot.close()
  })

  test('gives the same array until something of that workspace changes', async () => {
    const { id } = await create()
    await create({ workspaceId: otherId })
    const snapshot = await createPolicySnapshot(store(), FAST)
    const [ours, theirs, none] = [snapshot.list(workspaceId), snapshot.list(otherId), snapshot.list('none')]

    const { id: added } = await create({ workspaceId: otherId })
    await until(() => snapshot.list(otherId).length === 2)
    expect(snapshot.list(workspaceId)).toBe(ours)
    expect(snapshot.list(otherId)).not.toBe(theirs)
    expect(snapshot.list('none')).toBe(none)

    await policyRows.update(store().db, { id, value: 11 })
    await until(() => snapshot.list(workspaceId)[0]?.value === 11)
    expect(snapshot.list(workspaceId)).not.toBe(ours)

    const kept = snapshot.list(workspaceId)
    await policyRows.update(store().db, { id: added, status: 'archived' })
    await until(() => snapshot.list(otherId).length === 1)
    expect(snapshot.list(workspaceId)).toBe(kept)
    await policyRows.update(store().db, { id: added, status: 'active' })
    await until(() => snapshot.list(otherId).length === 2)
    await store().db.transaction((transaction) => deleteWorkspace(transaction, otherId))
    await until(() => snapshot.list(otherId).length === 0)
    expect(snapshot.list(workspaceId)).toBe(kept)
    await snapshot.close()
  })

  test('follows changes, and keeps the last policies while the database is away', async () => {
    const { double, broken } = breakable(store())
    const errors: unknown[] = []
    const onError = (error: unknown) => errors.push(error)
    const snapshot = await createPolicySnapshot(double, { debounceMs: 1, pollIntervalMs: 10, onError })
    const { version } = snapshot
    const { id } = await create()
    await until(() => snapshot.list(workspaceId).length === 1)
    expect(snapshot.version).toBeGreaterThan(version)
    broken.queries = true
    // What was being read when it broke is through by then.
    await until(() => errors.length > 2)
    await policyRows.update(store().db, { id, status: 'archived' })
    await until(() => errors.length > 5)
    expect(snapshot.list(workspaceId).map((policy) => policy.id)).toEqual([id])
    broken.queries = false
    await until(() => snapshot.list(workspaceId).length === 0)
    await snapshot.close()
  })

  test('is an error when the database is away from the start', async () => {
    const { double, broken } = breakable(store())
    broken.queries = true
    expect(await rejection(createPolicySnapshot(double))).toBeInstanceOf(StoreUnavailable)
  })
})
