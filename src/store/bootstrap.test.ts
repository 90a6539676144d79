import { beforeEach, describe, expect, test } from 'bun:test'
import { ne } from 'drizzle-orm'
import { privateDatabase } from '../../test/support/services.ts'
import { bootstrap } from './bootstrap.ts'
import { openStore } from './db.ts'
import { PresetKeyRefused } from './errors.ts'
import { createApiKey, describeKey } from './key-material.ts'
import { type ApiKeyRecord, apiKeyRows, findApiKeyByPublicId } from './objects/api-keys.ts'
import { apiKeys } from './schema/api-keys.ts'
import { organisations, workspaces } from './schema/tenancy.ts'
import { CALLER_SCOPES, ORGANISATION_SCOPES, WORKSPACE_SERVICE_SCOPES } from './scopes.ts'
import { describeOnBothStores, emptyStore, rejection } from './testing.ts'

const presetKey = (name: string) => `${name}-key-chosen-by-the-operator-0001`

describeOnBothStores('bootstrap', (store) => {
  beforeEach(() => emptyStore(store()))

  const find = async (key: string): Promise<ApiKeyRecord | undefined> =>
    (await findApiKeyByPublicId(store().db, describeKey(key).publicId))?.record
  const usable = () => store().db.select().from(apiKeys).where(ne(apiKeys.status, 'revoked'))

  test('makes an organisation, a workspace and two keys, and shows the keys once', async () => {
    const { created } = await bootstrap(store().db, {})
    const [workspace] = await store().db.select().from(workspaces)
    expect(workspace).toMatchObject({ name: 'default', slug: 'ws-default' })
    expect(await find(created?.adminKey ?? presetKey('none'))).toMatchObject({
      kind: 'organisation-service',
      workspaceId: null,
      scopes: [...ORGANISATION_SCOPES],
      preset: null,
      status: 'active',
      creationMode: 'auto',
    })
    expect(await find(created?.apiKey ?? presetKey('none'))).toMatchObject({
      kind: 'workspace-service',
      workspaceId: workspace?.id ?? '',
      scopes: [...CALLER_SCOPES],
    })
    expect(await bootstrap(store().db, {})).toEqual({})
    expect(await store().db.select().from(organisations)).toHaveLength(1)
    expect(await usable()).toHaveLength(2)
  })

  test('stores preset keys in place of made ones and never shows them', async () => {
    const presets = { adminKey: presetKey('admin'), apiKey: presetKey('api') }
    expect(await bootstrap(store().db, presets)).toEqual({})
    expect(await find(presets.adminKey)).toMatchObject({ kind: 'organisation-service', preset: 'admin' })
    expect(await find(presets.apiKey)).toMatchObject({ kind: 'workspace-service', preset: 'api' })
    expect(await bootstrap(store().db, presets)).toEqual({})
    expect(await usable()).toHaveLength(2)
  })

  test('makes only the key that is not preset', async () => {
    const { created } = await bootstrap(store().db, { adminKey: presetKey('admin') })
    expect(Object.keys(created ?? {})).toEqual(['apiKey'])
  })

  test('a new preset ends the one before, leaves made keys alone, and can be taken back', async () => {
    const { created } = await bootstrap(store().db, {})
    const [first, second] = [presetKey('first'), presetKey('second')]
    await bootstrap(store().db, { apiKey: first })
    await bootstrap(store().db, { apiKey: second, adminKey: presetKey('admin') })
    expect((await find(first))?.status).toBe('revoked')
    expect((await find(second))?.status).toBe('active')
    expect((await find(created?.apiKey ?? presetKey('none')))?.status).toBe('active')
    await bootstrap(store().db, { apiKey: first })
    expect((await find(first))?.status).toBe('active')
    expect((await find(second))?.status).toBe('revoked')
    expect((await find(presetKey('admin')))?.status).toBe('active')
  })

  test('leaves a key that is stored the scopes that it has, also as a preset', async () => {
    const { created } = await bootstrap(store().db, {})
    const key = created?.apiKey ?? presetKey('none')
    const scopes = [...WORKSPACE_SERVICE_SCOPES]
    await apiKeyRows.update(store().db, { id: (await find(key))?.id ?? '', scopes })
    await bootstrap(store().db, { apiKey: key })
    expect(await find(key)).toMatchObject({ scopes })
  })

  test('takes a made key as a preset without marking it as one', async () => {
    const { created } = await bootstrap(store().db, {})
    const key = created?.apiKey ?? presetKey('none')
    await bootstrap(store().db, { apiKey: key })
    expect(await find(key)).toMatchObject({ preset: null, status: 'active' })
    await bootstrap(store().db, { apiKey: presetKey('other') })
    expect((await find(key))?.status).toBe('active')
  })

  test('does not bring back a made key that was revoked', async () => {
    const { created } = await bootstrap(store().db, {})
    const key = created?.apiKey ?? presetKey('none')
    const record = await find(key)
    await apiKeyRows.update(store().db, { id: record?.id ?? '', status: 'revoked' })
    expect((await rejection(bootstrap(store().db, { apiKey: key }))).message).toContain('WEIR_API_KEY')
    expect((await find(key))?.status).toBe('revoked')
  })

  describe('refuses a preset, naming the variable and not the value,', () => {
    const { key: ours } = createApiKey()
    const cases: Record<string, [Parameters<typeof bootstrap>[1], string]> = {
      'that is short': [{ adminKey: 'hunter2' }, 'WEIR_ADMIN_KEY'],
      'that is long': [{ apiKey: 'hunter2'.repeat(100) }, 'WEIR_API_KEY'],
      'with a space in it': [{ apiKey: `hunter2 ${presetKey('api')}` }, 'WEIR_API_KEY'],
      'that is empty': [{ adminKey: '' }, 'WEIR_ADMIN_KEY'],
      'given twice': [{ adminKey: ours, apiKey: ours }, 'WEIR_ADMIN_KEY and WEIR_API_KEY'],
    }
    test.each(Object.entries(cases))('%s', async (_title, [presets, variable]) => {
      const error = await rejection(bootstrap(store().db, presets))
      expect(error).toBeInstanceOf(PresetKeyRefused)
      expect(error.message).toContain(variable)
      for (const value of ['hunter2', ours]) expect(error.message).not.toContain(value)
      expect(await store().db.select().from(organisations)).toEqual([])
    })

    test('of another kind than the stored key', async () => {
      await bootstrap(store().db, { adminKey: presetKey('admin') })
      const error = await rejection(bootstrap(store().db, { apiKey: presetKey('admin') }))
      expect(error.message).toContain('WEIR_API_KEY')
    })

    test('that has the public part of a stored key and another secret', async () => {
      const { created } = await bootstrap(store().db, {})
      const forged = (created?.apiKey ?? '').replace(/.{43}$/, 'z'.repeat(43))
      expect((await rejection(bootstrap(store().db, { apiKey: forged }))).message).toContain('WEIR_API_KEY')
    })
  })
})

test('processes that start together on one Postgres make one organisation', async () => {
  const database = await privateDatabase()
  const open = () => openStore({ databaseUrl: database.url, dataDir: 'unused' })
  const stores = await Promise.all([open(), open(), open()])
  const results = await Promise.all(stores.map((store) => bootstrap(store.db, {})))
  expect(results.filter(({ created }) => created !== undefined)).toHaveLength(1)
  const [first] = stores
  expect(await first?.db.select().from(organisations)).toHaveLength(1)
  expect(await first?.db.select().from(workspaces)).toHaveLength(1)
  await Promise.all(stores.map((store) => store.close()))
  await database.drop()
}, 30_000)
