import { beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import {
  findApiKeyByPublicId,
  insertApiKey,
  listUsableApiKeys,
  type NewApiKeyRecord,
  readChangeCount,
  updateApiKey,
} from './api-keys.ts'
import { createApiKey } from './key-material.ts'
import { apiKeys } from './schema/api-keys.ts'
import { createOrganisation, createWorkspace } from './tenancy.ts'
import { describeOnBothStores, rejection } from './testing.ts'

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
    const record = await insertApiKey(store().db, full)
    expect(record).toMatchObject(visible)
    expect(record).not.toHaveProperty('hash')
    expect(record.createdAt).toBeInstanceOf(Date)
    const found = await findApiKeyByPublicId(store().db, full.publicId)
    expect(found).toEqual({ record, hash })
  })

  test('have absent parts as null and start active', async () => {
    const record = await insertApiKey(store().db, newRecord())
    expect(record).toMatchObject({
      status: 'active',
      description: null,
      defaults: null,
      rateLimits: null,
      preset: null,
    })
  })

  test('are listed in every status but revoked', async () => {
    const made = await Promise.all(
      (['active', 'exhausted', 'expired', 'revoked'] as const).map((status) =>
        insertApiKey(store().db, newRecord({ status, name: 'listed' })),
      ),
    )
    const listed = (await listUsableApiKeys(store().db)).filter(({ record }) => record.name === 'listed')
    expect(listed.map(({ record }) => record.status).sort()).toEqual(['active', 'exhausted', 'expired'])
    expect(made.map(({ id }) => id)).toEqual(expect.arrayContaining(listed.map(({ record }) => record.id)))
  })

  test('move their time of change when they are updated', async () => {
    const record = await insertApiKey(store().db, newRecord())
    await store()
      .db.update(apiKeys)
      .set({ lastUpdatedAt: new Date(0) })
      .where(eq(apiKeys.id, record.id))
    await updateApiKey(store().db, { id: record.id, name: 'renamed' })
    const changed = (await findApiKeyByPublicId(store().db, record.publicId))?.record
    expect(changed?.name).toBe('renamed')
    expect(changed?.createdAt).toEqual(record.createdAt)
    expect(changed?.lastUpdatedAt.getTime()).toBeGreaterThanOrEqual(record.createdAt.getTime())
  })

  test('cannot share a public id', async () => {
    const record = newRecord()
    await insertApiKey(store().db, record)
    expect(await rejection(insertApiKey(store().db, record))).toMatchObject({
      sqlState: '23505',
      constraint: 'api_keys_public_id',
    })
  })

  test('belong to a workspace exactly when their kind does', async () => {
    const broken = { sqlState: '23514', constraint: 'api_keys_workspace_of_kind' }
    expect(await rejection(insertApiKey(store().db, newRecord({ workspaceId: null })))).toMatchObject(broken)
    const organisationKey = newRecord({ kind: 'organisation-service' })
    expect(await rejection(insertApiKey(store().db, organisationKey))).toMatchObject(broken)
    await insertApiKey(store().db, { ...organisationKey, workspaceId: null })
  })

  test('move the change count', async () => {
    const before = await readChangeCount(store().db)
    const { id } = await insertApiKey(store().db, newRecord())
    await updateApiKey(store().db, { id, status: 'revoked' })
    expect(await readChangeCount(store().db)).toBe(before + 2)
  })
})
