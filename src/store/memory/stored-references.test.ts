import { expect, test } from 'bun:test'
import { putAllowedWorkspaces, secretReferenceRows } from '../objects/secret-references.ts'
import { createOrganisation } from '../objects/tenancy.ts'
import { createWorkspace } from '../objects/workspaces.ts'
import { describeOnBothStores, until } from '../testing.ts'
import { createProviderSnapshot } from './provider-snapshot.ts'

describeOnBothStores('secret references in memory', (store) => {
  test('follows what references say and who may use them, each by itself', async () => {
    const { db } = store()
    const { id: organisationId } = await createOrganisation(db, { name: 'o' })
    const { id: stranger } = await createOrganisation(db, { name: 's' })
    const { id: blue } = await createWorkspace(db, { organisationId, name: 'b', slug: 'ws-b' })
    const { id: red } = await createWorkspace(db, { organisationId, name: 'r', slug: 'ws-r' })
    const common = { organisationId, name: 'n', managerType: 'environment' as const, createdBy: 'me' }
    const one = await secretReferenceRows.insert(db, { ...common, slug: 'one', secretPath: 'ONE' })
    // Looks like the id of the first, and does not take its place.
    const other = await secretReferenceRows.insert(db, { ...common, slug: one.id, secretPath: 'TWO' })
    const snapshot = await createProviderSnapshot(store(), { debounceMs: 1, pollIntervalMs: 60_000 })
    const find = (name: string) => snapshot.findReference(organisationId, name)
    const first = find('one')?.reference
    expect(first).toMatchObject({ id: one.id, secretPath: 'ONE', managerType: 'environment' })
    expect(find(one.id)?.reference).toBe(first as never)
    expect(find(other.id)?.reference.secretPath).toBe('TWO')
    expect([snapshot.findReference(stranger, 'one'), find('none')]).toEqual([undefined, undefined])
    const uses = () => [blue, red].map((id) => find('one')?.isFor(id))
    expect(uses()).toEqual([true, true])

    await secretReferenceRows.update(db, { id: one.id, allowAllWorkspaces: false })
    await putAllowedWorkspaces(db, one.id, [red])
    await until(() => find('one')?.isFor(blue) === false && find('one')?.isFor(red) === true)
    // The same object: what was read for it stays.
    expect(find('one')?.reference).toBe(first as never)

    await secretReferenceRows.update(db, { id: one.id, secretPath: 'THREE' })
    await until(() => find('one')?.reference.secretPath === 'THREE')
    await secretReferenceRows.remove(db, one.id)
    await until(() => find('one') === undefined)
    expect([...snapshot.references()].map(({ id }) => id)).toEqual([other.id])
    await snapshot.close()
  })
})
