import { beforeEach, expect, test } from 'bun:test'
import { StoreUnavailable } from '../errors.ts'
import { putIntegrationModels } from '../objects/integration-models.ts'
import { deleteOtherIntegrationWorkspaces, putIntegrationWorkspaces } from '../objects/integration-workspaces.ts'
import { integrationRows, type NewIntegration } from '../objects/integrations.ts'
import { providerRows } from '../objects/providers.ts'
import { createOrganisation } from '../objects/tenancy.ts'
import { createWorkspace } from '../objects/workspaces.ts'
import { breakable, describeOnBothStores, emptyStore, rejection, until } from '../testing.ts'
import { createProviderSnapshot } from './provider-snapshot.ts'
import { isModelAllowed } from './stored-providers.ts'

const FAST = { debounceMs: 1, pollIntervalMs: 60_000 }

describeOnBothStores('provider snapshot', (store) => {
  let organisationId = ''
  let workspaceId = ''
  let otherId = ''

  beforeEach(async () => {
    await emptyStore(store())
    organisationId = (await createOrganisation(store().db, { name: 'o' })).id
    workspaceId = (await createWorkspace(store().db, { organisationId, name: 'w', slug: 'ws-w' })).id
    otherId = (await createWorkspace(store().db, { organisationId, name: 'v', slug: 'ws-v' })).id
  })

  const integrate = (slug: string, changes: Partial<NewIntegration> = {}) =>
    integrationRows.insert(store().db, { organisationId, slug, name: slug, aiProviderId: 'openai', ...changes })

  test('finds a provider with its integration, its models and its sealed secrets', async () => {
    const { id: integrationId } = await integrate('main', {
      workspaceId,
      configurations: { openai_project: 'p' },
      secrets: { key: 'v1.1.a.b' },
      masked: { key: 'sk*****yz' },
      allowAllModels: false,
    })
    const models = [
      { slug: 'gpt', enabled: true },
      { slug: 'old', enabled: false },
      { slug: 'mine', enabled: true, isCustom: true, baseModelSlug: 'gpt', configurations: { custom_host: 'h' } },
    ]
    await putIntegrationModels(store().db, { integrationId, models })
    const expiresAt = new Date('2030-01-01T00:00:00Z')
    await providerRows.insert(store().db, { workspaceId, integrationId, slug: 'prod', name: 'P', expiresAt })
    const snapshot = await createProviderSnapshot(store(), FAST)
    const found = snapshot.find(workspaceId, 'prod')
    expect(found).toMatchObject({ slug: 'prod', status: 'active', expiresAt, isGranted: true, grantedUsageLimits: [] })
    expect(found?.integration).toMatchObject({
      slug: 'main',
      aiProviderId: 'openai',
      configurations: { openai_project: 'p' },
      secrets: { key: 'v1.1.a.b' },
    })
    expect(JSON.stringify(found)).not.toContain('*****')
    expect(found?.integration.models.bySlug.get('mine')).toMatchObject({ baseModelSlug: 'gpt', isCustom: true })
    const allowed = ['gpt', 'old', 'mine', 'other'].map((model) => found && isModelAllowed(found.integration, model))
    expect(allowed).toEqual([true, false, true, false])
    expect(snapshot.find(otherId, 'prod')).toBeUndefined()
    expect(snapshot.find(workspaceId, 'none')).toBeUndefined()
    expect(snapshot.find('__proto__', 'prod')).toBeUndefined()
    await snapshot.close()
  })

  test('knows what the integration gives the workspace, and what is the own of the provider', async () => {
    const { id: integrationId } = await integrate('shared', {
      globalWorkspaceAccess: { enabled: true, rateLimits: [{ type: 'requests', unit: 'rpm', value: 1 }] },
    })
    await providerRows.insert(store().db, { workspaceId, integrationId, slug: 'p', name: 'P' })
    const snapshot = await createProviderSnapshot(store(), FAST)
    const found = () => snapshot.find(workspaceId, 'p')
    expect(found()).toMatchObject({ isGranted: true, rateLimits: [{ value: 1 }] })
    const usageLimits = [{ type: 'cost' as const, creditLimit: 7 }]
    await putIntegrationWorkspaces(store().db, { integrationId, grants: [{ workspaceId, enabled: true, usageLimits }] })
    await until(() => found()?.grantedUsageLimits.length === 1)
    expect(found()).toMatchObject({ usageLimits: null, grantedUsageLimits: usageLimits, rateLimits: [] })
    await providerRows.update(store().db, { id: found()?.id ?? '', usageLimits: { type: 'tokens', creditLimit: 100 } })
    await until(() => found()?.usageLimits?.type === 'tokens')
    // A budget of its own does not free the provider from that of the workspace.
    expect(found()).toMatchObject({ grantedUsageLimits: usageLimits })
    await putIntegrationWorkspaces(store().db, { integrationId, grants: [{ workspaceId, enabled: false }] })
    await until(() => found()?.isGranted === false)
    await deleteOtherIntegrationWorkspaces(store().db, { integrationId, keepIds: [] })
    await until(() => found()?.isGranted === true)
    await integrationRows.update(store().db, { id: integrationId, globalWorkspaceAccess: null })
    await until(() => found()?.isGranted === false)
    await snapshot.close()
  })

  test('follows changes, and keeps the last providers while the database is away', async () => {
    const { double, broken } = breakable(store())
    const errors: unknown[] = []
    const onError = (error: unknown) => errors.push(error)
    const snapshot = await createProviderSnapshot(double, { debounceMs: 1, pollIntervalMs: 10, onError })
    const { version } = snapshot
    const { id: integrationId } = await integrate('main')
    const { id } = await providerRows.insert(store().db, { workspaceId, integrationId, slug: 'p', name: 'P' })
    await until(() => snapshot.find(workspaceId, 'p') !== undefined)
    expect(snapshot.version).toBeGreaterThan(version)
    broken.queries = true
    // What was being read when it broke is through by then.
    await until(() => errors.length > 2)
    await providerRows.remove(store().db, id)
    await until(() => errors.length > 5)
    expect(snapshot.find(workspaceId, 'p')?.slug).toBe('p')
    broken.queries = false
    await until(() => snapshot.find(workspaceId, 'p') === undefined)
    await snapshot.close()
  })

  test('is an error when the database is away from the start', async () => {
    const { double, broken } = breakable(store())
    broken.queries = true
    expect(await rejection(createProviderSnapshot(double))).toBeInstanceOf(StoreUnavailable)
  })
})
