import { beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { createApiKey } from '../key-material.ts'
import { readChangeCount } from '../memory/changes.ts'
import { apiKeys } from '../schema/api-keys.ts'
import { describeOnBothStores, rejection } from '../testing.ts'
import { apiKeyRows, findApiKeyByPublicId, type NewApiKeyRecord, rotateApiKey } from './api-keys.ts'
import { createOrganisation } from './tenancy.ts'
import { createWorkspace } from './workspaces.ts'

describeOnBothStores('API keys', (store) => {
  let organisationId = ''
  let workspaceId = ''

  beforeAll(async () => {
    organisationId = (await createOrganisation(store().db, { name: 'keys' })).id
    workspaceId = (await createWorkspace(store().db, { organisationId, name: 'keys', slug: 'ws-keys' })).id
  })

  const newRecord = (changes: Partial<NewApiKeyRecord> = {}): NewApiKeyRecord => {
    const { publicId, hash, masked } = createApiKey()
    return {
      publicId,
      hash,
      maskedKey: masked,
      name: 'a key',
      kind: 'workspace-service',
      organisationId,
      workspaceId,
      scopes: ['completions.write'],
      ...changes,
    }
  }

  test('come back as they were stored, without the hash', async () => {
    const full = newRecord({
      description: 'quotes " \' , {braces} and \\ survive',
      kind: 'workspace-user',
      userId: Bun.randomUUIDv7(),
      scopes: ['with,comma', 'with "quote"', ''],
      defaults: { metadata: { team: 'blue' }, configId: 'pc-1', allowConfigOverride: false },
      rateLimits: [{ type: 'requests', unit: 'rps', value: 0 }],
      usageLimits: { type: 'cost', creditLimit: 10 },
      status: 'exhausted',
      expiresAt: new Date('2030-01-02T03:04:05.678Z'),
    })
    const { hash, ...visible } = full
    const record = await apiKeyRows.insert(store().db, full)
    expect(record).toMatchObject(visible)
    expect(record).not.toHaveProperty('hash')
    expect(record.createdAt).toBeInstanceOf(Date)
    const found = await findApiKeyByPublicId(store().db, full.publicId)
    expect(found).toEqual({ record, hash })
  })

  test('have absent parts as null and start active', async () => {
    const record = await apiKeyRows.insert(store().db, newRecord())
    expect(record).toMatchObject({
      status: 'active',
      description: null,
      defaults: null,
      rateLimits: null,
      preset: null,
    })
  })

  test('are found and listed by what they are, a page at a time, in every status but revoked', async () => {
    const own = (await createOrganisation(store().db, { name: 'lists' })).id
    const workspace = (await createWorkspace(store().db, { organisationId: own, name: 'w', slug: 'ws-w' })).id
    const insert = (changes: Partial<NewApiKeyRecord>) =>
      apiKeyRows.insert(store().db, newRecord({ organisationId: own, workspaceId: workspace, ...changes }))
    const active = await insert({ name: 'active', expiresAt: new Date(Date.now() + 60_000) })
    const exhausted = await insert({ name: 'exhausted', status: 'exhausted', kind: 'workspace-user' })
    const late = await insert({ name: 'late', expiresAt: new Date(Date.now() - 60_000) })
    const organisationKey = await insert({ name: 'top', kind: 'organisation-service', workspaceId: null })
    const revoked = await insert({ name: 'revoked', status: 'revoked' })
    const list = async (filter: object, page = { offset: 0, limit: 10 }) => {
      const { rows, total } = await apiKeyRows.list(store().db, { organisationId: own, ...filter }, page)
      return { names: rows.map(({ name }) => name), total }
    }
    expect(await list({})).toEqual({ names: ['active', 'exhausted', 'late', 'top'], total: 4 })
    expect(await list({}, { offset: 2, limit: 1 })).toEqual({ names: ['late'], total: 4 })
    expect(await list({}, { offset: 9, limit: 1 })).toEqual({ names: [], total: 4 })
    expect((await list({ workspaceId: workspace })).names).toEqual(['active', 'exhausted', 'late'])
    expect((await list({ kinds: ['organisation-service'] })).names).toEqual(['top'])
    expect((await list({ kinds: ['workspace-user'] })).names).toEqual(['exhausted'])
    expect((await list({ status: 'active' })).names).toEqual(['active', 'top'])
    expect((await list({ status: 'exhausted' })).names).toEqual(['exhausted'])
    expect((await list({ status: 'expired' })).names).toEqual(['late'])
    for (const { id } of [active, exhausted, late, organisationKey]) {
      expect((await apiKeyRows.find(store().db, { organisationId: own, reference: id }))?.id).toBe(id)
      expect(await apiKeyRows.find(store().db, { organisationId, reference: id })).toBeUndefined()
    }
    expect(await apiKeyRows.find(store().db, { organisationId: own, reference: revoked.id })).toBeUndefined()
  })

  test('of one instant keep one order over all pages', async () => {
    const own = (await createOrganisation(store().db, { name: 'ties' })).id
    for (let index = 0; index < 9; index++) {
      await apiKeyRows.insert(
        store().db,
        newRecord({ organisationId: own, kind: 'organisation-service', workspaceId: null, name: String(index) }),
      )
    }
    await store()
      .db.update(apiKeys)
      .set({ createdAt: new Date(0) })
      .where(eq(apiKeys.organisationId, own))
    const seen: string[] = []
    for (let offset = 0; offset < 9; offset += 2) {
      const { rows } = await apiKeyRows.list(store().db, { organisationId: own }, { offset, limit: 2 })
      seen.push(...rows.map(({ name }) => name))
    }
    expect(seen).toEqual([...'012345678'])
  })

  test('have two secrets at most: a rotation waits for the end of the one before', async () => {
    const first = newRecord()
    const { id } = await apiKeyRows.insert(store().db, first)
    const rotate = (previousExpiresAt: Date) =>
      rotateApiKey(store().db, { id, next: createApiKey(), previousExpiresAt })
    const until = new Date(Date.now() + 60_000)
    const rotated = await rotate(until)
    expect(rotated).toMatchObject({ previousPublicId: first.publicId, previousExpiresAt: until })
    expect(rotated?.publicId).not.toBe(first.publicId)
    expect(rotated).not.toHaveProperty('previousHash')
    expect(await rotate(until)).toBeUndefined()
    await store().db.update(apiKeys).set({ previousExpiresAt: new Date() }).where(eq(apiKeys.id, id))
    expect(await rotate(until)).toMatchObject({ previousPublicId: rotated?.publicId })
  })

  test('are not rotated once revoked, nor when the environment presets them', async () => {
    for (const changes of [{ status: 'revoked' }, { preset: 'api' }] as const) {
      const { id } = await apiKeyRows.insert(store().db, newRecord(changes))
      const rotation = { id, next: createApiKey(), previousExpiresAt: new Date(Date.now() + 60_000) }
      expect(await rotateApiKey(store().db, rotation)).toBeUndefined()
    }
  })

  test('move their time of change when they are updated', async () => {
    const record = await apiKeyRows.insert(store().db, newRecord())
    await store()
      .db.update(apiKeys)
      .set({ lastUpdatedAt: new Date(0) })
      .where(eq(apiKeys.id, record.id))
    await apiKeyRows.update(store().db, { id: record.id, name: 'renamed' })
    const changed = (await findApiKeyByPublicId(store().db, record.publicId))?.record
    expect(changed?.name).toBe('renamed')
    expect(changed?.createdAt).toEqual(record.createdAt)
    expect(changed?.lastUpdatedAt.getTime()).toBeGreaterThanOrEqual(record.createdAt.getTime())
  })

  test('cannot share a public id', async () => {
    const record = newRecord()
    await apiKeyRows.insert(store().db, record)
    expect(await rejection(apiKeyRows.insert(store().db, record))).toMatchObject({
      sqlState: '23505',
      constraint: 'api_keys_public_id',
    })
  })

  test('belong to a workspace exactly when their kind does', async () => {
    const broken = { sqlState: '23514', constraint: 'api_keys_workspace_of_kind' }
    expect(await rejection(apiKeyRows.insert(store().db, newRecord({ workspaceId: null })))).toMatchObject(broken)
    const organisationKey = newRecord({ kind: 'organisation-service' })
    expect(await rejection(apiKeyRows.insert(store().db, organisationKey))).toMatchObject(broken)
    await apiKeyRows.insert(store().db, { ...organisationKey, workspaceId: null })
  })

  test('move the change count', async () => {
    const before = await readChangeCount(store().db)
    const { id } = await apiKeyRows.insert(store().db, newRecord())
    await apiKeyRows.update(store().db, { id, status: 'revoked' })
    expect(await readChangeCount(store().db)).toBe(before + 2)
  })
})
