import { beforeAll, expect, test } from 'bun:test'
import { isForeignKeyViolation, isUniqueViolation } from '../errors.ts'
import { describeOnBothStores, rejection } from '../testing.ts'
import {
  deleteCustomModels,
  findIntegrationModels,
  listIntegrationModels,
  putIntegrationModels,
} from './integration-models.ts'
import {
  deleteOtherIntegrationWorkspaces,
  listIntegrationWorkspaces,
  putIntegrationWorkspaces,
} from './integration-workspaces.ts'
import { INTEGRATION_SLUG_TAKEN, integrationRows, type NewIntegration } from './integrations.ts'
import { countIntegrationProviders, PROVIDER_SLUG_TAKEN, providerRows } from './providers.ts'
import { newId } from './rows.ts'
import { createOrganisation } from './tenancy.ts'
import { createWorkspace } from './workspaces.ts'

const ALL = { offset: 0, limit: 100 }

describeOnBothStores('integrations', (store) => {
  let organisationId = ''
  let otherId = ''
  let workspaceId = ''
  let secondWorkspaceId = ''

  beforeAll(async () => {
    organisationId = (await createOrganisation(store().db, { name: 'one' })).id
    otherId = (await createOrganisation(store().db, { name: 'other' })).id
    workspaceId = (await createWorkspace(store().db, { organisationId, name: 'w', slug: 'ws-w' })).id
    secondWorkspaceId = (await createWorkspace(store().db, { organisationId, name: 'v', slug: 'ws-v' })).id
  })

  const create = (slug: string, changes: Partial<NewIntegration> = {}) =>
    integrationRows.insert(store().db, { organisationId, slug, name: slug, aiProviderId: 'openai', ...changes })

  test('come back as they were stored, under the id the caller chose', async () => {
    const input: NewIntegration = {
      id: newId(),
      organisationId,
      workspaceId,
      slug: 'full',
      name: 'full',
      description: 'all of it',
      aiProviderId: 'azure-openai',
      status: 'archived',
      configurations: { azure_resource_name: 'r', azure_deployment_config: [{ alias: 'a' }] },
      secrets: { key: 'v1.1.a.b' },
      masked: { key: 'sk*****yz' },
      secretMappings: [{ targetField: 'key', secretReferenceId: 'ref' }],
      pricingAdjustments: { multiplier: { default: 0.8 } },
      allowAllModels: false,
      globalWorkspaceAccess: { enabled: true, usageLimits: [{ type: 'cost', creditLimit: 1 }] },
    }
    const created = await integrationRows.insert(store().db, input)
    expect(created).toMatchObject(input)
    for (const reference of [created.id, 'full']) {
      expect(await integrationRows.find(store().db, { organisationId, reference })).toEqual(created)
      expect(await integrationRows.find(store().db, { organisationId: otherId, reference })).toBeUndefined()
    }
  })

  test('cannot share a slug, and are changed field by field', async () => {
    const { id } = await create('twice')
    expect(isUniqueViolation(await rejection(create('twice')), INTEGRATION_SLUG_TAKEN)).toBe(true)
    const changed = await integrationRows.update(store().db, { id, name: 'renamed', secrets: { key: 'sealed' } })
    expect(changed).toMatchObject({ name: 'renamed', slug: 'twice', secrets: { key: 'sealed' }, allowAllModels: true })
    expect(await integrationRows.update(store().db, { id: newId(), name: 'none' })).toBeUndefined()
  })

  test('are listed by type, and by what a workspace may use', async () => {
    const own = (await createOrganisation(store().db, { name: 'lists' })).id
    const workspace = (await createWorkspace(store().db, { organisationId: own, name: 'w', slug: 'ws-w' })).id
    const foreign = (await createWorkspace(store().db, { organisationId: own, name: 'f', slug: 'ws-f' })).id
    const make = (slug: string, changes: Partial<NewIntegration> = {}) =>
      create(slug, { organisationId: own, ...changes })
    const granted = await make('granted')
    const refused = await make('refused', { globalWorkspaceAccess: { enabled: true } })
    await make('global', { globalWorkspaceAccess: { enabled: true } })
    await make('closed', { globalWorkspaceAccess: { enabled: false } })
    await make('nobody')
    await make('own', { workspaceId: workspace })
    await make('foreign', { workspaceId: foreign })
    for (const [integration, enabled] of [
      [granted, true],
      [refused, false],
    ] as const) {
      const grants = [{ workspaceId: workspace, enabled }]
      await putIntegrationWorkspaces(store().db, { integrationId: integration.id, grants })
    }
    const list = async (filter: object, page = ALL) => {
      const { rows, total } = await integrationRows.list(store().db, { organisationId: own, ...filter }, page)
      return [total, ...rows.map(({ slug }) => slug)]
    }
    expect(await list({}, { offset: 1, limit: 2 })).toEqual([7, 'refused', 'global'])
    expect(await list({ type: 'workspace' })).toEqual([2, 'own', 'foreign'])
    expect(await list({ type: 'organisation' })).toEqual([5, 'granted', 'refused', 'global', 'closed', 'nobody'])
    expect(await list({ workspaceId: workspace })).toEqual([3, 'granted', 'global', 'own'])
    expect(await list({ workspaceId: workspace, type: 'organisation' })).toEqual([2, 'granted', 'global'])
    expect(await list({ workspaceId: foreign, type: 'all' })).toEqual([3, 'refused', 'global', 'foreign'])
  })

  test('have models that are written one by one, of which only custom ones can be deleted', async () => {
    const { id: integrationId } = await create('models')
    const put = (models: Parameters<typeof putIntegrationModels>[1]['models']) =>
      putIntegrationModels(store().db, { integrationId, models })
    await put([])
    await put([
      { slug: 'b', enabled: true, isCustom: true, baseModelSlug: 'a', secrets: { header: 'sealed' } },
      { slug: 'a', enabled: false, pricingConfig: { type: 'static' } },
    ])
    await put([{ slug: 'a', enabled: true }])
    expect(await listIntegrationModels(store().db, integrationId)).toMatchObject([
      { slug: 'a', enabled: true, isCustom: false, pricingConfig: null },
      { slug: 'b', enabled: true, isCustom: true, baseModelSlug: 'a', secrets: { header: 'sealed' } },
    ])
    const slugs = ['a', 'b', 'none']
    expect(await findIntegrationModels(store().db, { integrationId, slugs })).toHaveLength(2)
    expect(await deleteCustomModels(store().db, { integrationId, slugs })).toEqual(['b'])
    expect(await findIntegrationModels(store().db, { integrationId, slugs })).toHaveLength(1)
  })

  test('are granted to workspaces one by one, or to these and no others', async () => {
    const { id: integrationId } = await create('grants')
    const put = (grants: Parameters<typeof putIntegrationWorkspaces>[1]['grants']) =>
      putIntegrationWorkspaces(store().db, { integrationId, grants })
    await put([])
    await put([{ workspaceId, enabled: false, usageLimits: [{ type: 'cost', creditLimit: 1 }] }])
    await put([
      { workspaceId, enabled: true, rateLimits: [{ type: 'requests', unit: 'rpm', value: 1 }] },
      { workspaceId: secondWorkspaceId, enabled: false },
    ])
    expect(await listIntegrationWorkspaces(store().db, integrationId)).toMatchObject([
      { workspaceId, enabled: true, usageLimits: null, rateLimits: [{ value: 1 }] },
      { workspaceId: secondWorkspaceId, enabled: false },
    ])
    await deleteOtherIntegrationWorkspaces(store().db, { integrationId, keepIds: [secondWorkspaceId] })
    const [kept, ...others] = await listIntegrationWorkspaces(store().db, integrationId)
    expect([kept?.workspaceId, others]).toEqual([secondWorkspaceId, []])
    await deleteOtherIntegrationWorkspaces(store().db, { integrationId, keepIds: [] })
    expect(await listIntegrationWorkspaces(store().db, integrationId)).toEqual([])
    expect(isForeignKeyViolation(await rejection(put([{ workspaceId: newId(), enabled: true }])))).toBe(true)
  })

  test('are used by providers, without which they go with their models and grants', async () => {
    const integration = await create('used')
    const integrationId = integration.id
    await putIntegrationModels(store().db, { integrationId, models: [{ slug: 'm', enabled: true }] })
    await putIntegrationWorkspaces(store().db, { integrationId, grants: [{ workspaceId, enabled: true }] })
    const input = {
      workspaceId,
      integrationId,
      slug: 'prod',
      name: 'Production',
      note: 'careful',
      status: 'exhausted' as const,
      usageLimits: { type: 'tokens' as const, creditLimit: 100 },
      rateLimits: [{ type: 'requests' as const, unit: 'rph' as const, value: 9 }],
      expiresAt: new Date('2030-01-02T03:04:05.678Z'),
    }
    const provider = await providerRows.insert(store().db, input)
    expect(provider).toMatchObject(input)
    expect(isUniqueViolation(await rejection(providerRows.insert(store().db, input)), PROVIDER_SLUG_TAKEN)).toBe(true)
    const second = await providerRows.insert(store().db, { ...input, workspaceId: secondWorkspaceId })
    for (const reference of ['prod', provider.id]) {
      expect(await providerRows.find(store().db, { workspaceId, reference })).toMatchObject({
        ...provider,
        integration: { slug: 'used', aiProviderId: 'openai', workspaceId: null },
      })
    }
    expect(
      await providerRows.find(store().db, { workspaceId: secondWorkspaceId, reference: provider.id }),
    ).toBeUndefined()
    await providerRows.insert(store().db, {
      workspaceId,
      integrationId: (await create('idle')).id,
      slug: 'idle',
      name: 'i',
    })
    const { rows, total } = await providerRows.list(store().db, { workspaceId }, { offset: 1, limit: 1 })
    expect([total, rows[0]?.slug]).toEqual([2, 'idle'])
    expect((await providerRows.list(store().db, { workspaceId, integrationId }, ALL)).total).toBe(1)
    expect(await countIntegrationProviders(store().db, integrationId)).toBe(2)
    expect(await providerRows.update(store().db, { id: provider.id, status: 'active', note: null })).toMatchObject({
      status: 'active',
      note: null,
      slug: 'prod',
    })
    expect(isForeignKeyViolation(await rejection(integrationRows.remove(store().db, integrationId)))).toBe(true)
    await providerRows.remove(store().db, provider.id)
    await providerRows.remove(store().db, second.id)
    await integrationRows.remove(store().db, integrationId)
    expect(await integrationRows.find(store().db, { organisationId, reference: 'used' })).toBeUndefined()
    expect(await listIntegrationModels(store().db, integrationId)).toEqual([])
  })
})
