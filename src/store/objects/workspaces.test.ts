import { beforeAll, expect, test } from 'bun:test'
import { isUniqueViolation } from '../errors.ts'
import { createApiKey } from '../key-material.ts'
import { guardrails } from '../schema/guardrails.ts'
import { promptPartials } from '../schema/prompt-partials.ts'
import { describeOnBothStores, promptContent, rejection } from '../testing.ts'
import { apiKeyRows } from './api-keys.ts'
import { collectionRows, defaultCollection } from './collections.ts'
import { configRows } from './configs.ts'
import { integrationRows } from './integrations.ts'
import { labelRows } from './labels.ts'
import { promptRows, setVersionLabel } from './prompts.ts'
import { providerRows } from './providers.ts'
import { newId } from './rows.ts'
import { createOrganisation } from './tenancy.ts'
import {
  countWorkspaceDependants,
  createWorkspace,
  deleteWorkspace,
  WORKSPACE_SLUG_TAKEN,
  workspaceRows,
} from './workspaces.ts'

describeOnBothStores('workspaces', (store) => {
  let organisationId = ''
  let otherId = ''

  beforeAll(async () => {
    organisationId = (await createOrganisation(store().db, { name: 'one' })).id
    otherId = (await createOrganisation(store().db, { name: 'other' })).id
  })

  const create = (slug: string, name = slug) => createWorkspace(store().db, { organisationId, name, slug })

  test('come back as they were stored, by id in either case and by slug, for their organisation alone', async () => {
    const input = {
      organisationId,
      name: 'full',
      slug: 'ws-full',
      description: 'all of it',
      status: 'archived' as const,
      defaults: { metadata: { team: 'blue' } },
      usageLimits: [{ type: 'cost' as const, creditLimit: 5 }],
      rateLimits: [{ type: 'tokens' as const, unit: 'rpm' as const, value: 0 }],
    }
    const created = await createWorkspace(store().db, input)
    expect(created).toMatchObject(input)
    for (const reference of [created.id, created.id.toUpperCase(), 'ws-full']) {
      expect(await workspaceRows.find(store().db, { organisationId, reference })).toEqual(created)
      expect(await workspaceRows.find(store().db, { organisationId: otherId, reference })).toBeUndefined()
    }
    for (const reference of ['', 'ws-none', "'; drop table workspaces", crypto.randomUUID()]) {
      expect(await workspaceRows.find(store().db, { organisationId, reference })).toBeUndefined()
    }
  })

  test('are found by id even where that is the slug of another', async () => {
    const first = await create('ws-first')
    await create(first.id, 'impostor')
    expect((await workspaceRows.find(store().db, { organisationId, reference: first.id }))?.name).toBe('ws-first')
  })

  test('cannot share a slug in an organisation', async () => {
    await create('ws-twice')
    const error = await rejection(create('ws-twice'))
    expect(isUniqueViolation(error, WORKSPACE_SLUG_TAKEN)).toBe(true)
    expect(isUniqueViolation(error, 'another_constraint')).toBe(false)
    expect(isUniqueViolation(new Error(error.message), WORKSPACE_SLUG_TAKEN)).toBe(false)
    await createWorkspace(store().db, { organisationId: otherId, name: 'same', slug: 'ws-twice' })
  })

  test('are listed by name and status, a page at a time', async () => {
    const own = (await createOrganisation(store().db, { name: 'lists' })).id
    const make = (name: string, status: 'active' | 'archived' = 'active') =>
      createWorkspace(store().db, { organisationId: own, name, slug: `ws-${newId()}`, status })
    const [first] = [await make('Team 100%'), await make('team blue'), await make('gone', 'archived')]
    const list = async (filter: object, page = { offset: 0, limit: 10 }) => {
      const { rows, total } = await workspaceRows.list(store().db, { organisationId: own, ...filter }, page)
      return [total, ...rows.map(({ name }) => name)]
    }
    expect(await list({})).toEqual([3, 'Team 100%', 'team blue', 'gone'])
    expect(await list({}, { offset: 1, limit: 1 })).toEqual([3, 'team blue'])
    expect(await list({ name: 'TEAM' })).toEqual([2, 'Team 100%', 'team blue'])
    expect(await list({ name: '%' })).toEqual([1, 'Team 100%'])
    expect(await list({ exact_name: 'team blue' })).toEqual([1, 'team blue'])
    expect(await list({ exact_name: 'team' })).toEqual([0])
    expect(await list({ status: 'archived' })).toEqual([1, 'gone'])
    expect(await list({ workspaceId: first.id })).toEqual([1, 'Team 100%'])
  })

  test('are changed field by field', async () => {
    const { id } = await create('ws-changed')
    expect(await workspaceRows.update(store().db, { id, description: 'new' })).toMatchObject({
      slug: 'ws-changed',
      description: 'new',
    })
    expect(await workspaceRows.update(store().db, { id, description: null })).toMatchObject({ description: null })
    expect(await workspaceRows.update(store().db, { id })).toMatchObject({ slug: 'ws-changed' })
    expect(await workspaceRows.update(store().db, { id: crypto.randomUUID(), name: 'none' })).toBeUndefined()
  })

  test('go with all that depends on them, which is counted first', async () => {
    const { id: workspaceId } = await create('ws-deleted')
    const key = (status: 'active' | 'revoked') => {
      const { publicId, hash, masked } = createApiKey()
      return apiKeyRows.insert(store().db, {
        publicId,
        hash,
        maskedKey: masked,
        name: status,
        kind: 'workspace-service',
        organisationId,
        workspaceId,
        scopes: [],
        status,
      })
    }
    await key('active')
    await key('revoked')
    const integration = await integrationRows.insert(store().db, {
      organisationId,
      workspaceId,
      slug: 'of-deleted',
      name: 'of deleted',
      aiProviderId: 'openai',
    })
    await providerRows.insert(store().db, { workspaceId, integrationId: integration.id, slug: 'p', name: 'p' })
    await configRows.create(store().db, {
      id: crypto.randomUUID(),
      organisationId,
      workspaceId,
      slug: 'pc-c',
      name: 'c',
      isDefault: true,
      content: { config: {}, secrets: [] },
      by: 'somebody',
    })
    const place = { organisationId, workspaceId }
    await store()
      .db.insert(guardrails)
      .values({ id: newId(), ...place, slug: 'pg-g', name: 'g', ownerId: 'somebody', updatedBy: 'somebody' })
    const { id: parentCollectionId } = await defaultCollection(store().db, { workspaceId, organisationId })
    const nested = { ...place, slug: 'c', name: 'c', parentCollectionId }
    const { id: collectionId } = await collectionRows.insert(store().db, nested)
    const { object: prompt } = await promptRows.create(store().db, {
      ...place,
      collectionId,
      slug: 'pp-p',
      name: 'p',
      content: promptContent('Hello'),
      by: 'somebody',
    })
    const label = await labelRows.find(store().db, { workspaceId, reference: 'production' })
    await setVersionLabel(store().db, { promptId: prompt.id, number: 1 }, label?.id ?? 'none')
    await store()
      .db.insert(promptPartials)
      .values({ id: newId(), ...place, slug: 'pl-p', name: 'p', ownerId: 'somebody', updatedBy: 'somebody' })
    await store().db.transaction(async (transaction) => {
      expect(await countWorkspaceDependants(transaction, workspaceId)).toEqual({
        apiKeys: 1,
        providers: 1,
        integrations: 1,
        configs: 1,
        guardrails: 1,
        prompts: 1,
        promptPartials: 1,
      })
      await deleteWorkspace(transaction, workspaceId)
    })
    expect(await workspaceRows.find(store().db, { organisationId, reference: workspaceId })).toBeUndefined()
  })
})
