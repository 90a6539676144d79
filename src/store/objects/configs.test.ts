import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { isUniqueViolation } from '../errors.ts'
import { createApiKey } from '../key-material.ts'
import type { RequestDefaults } from '../schema/tenancy.ts'
import { describeOnBothStores, emptyStore, rejection } from '../testing.ts'
import type { Db } from '../types.ts'
import { apiKeyRows } from './api-keys.ts'
import {
  CONFIG_SLUG_TAKEN,
  type ConfigAt,
  configRows,
  findDefaultSlugs,
  findKeysNaming,
  holdDefault,
  releaseDefault,
} from './configs.ts'
import { newId } from './rows.ts'
import type { RowLock } from './rows-of.ts'
import { createOrganisation } from './tenancy.ts'
import { createWorkspace } from './workspaces.ts'

const ALL = { offset: 0, limit: 100 }

describeOnBothStores('configs', (store) => {
  let organisationId = ''
  let workspaceId = ''
  let otherId = ''

  beforeEach(async () => {
    await emptyStore(store())
    organisationId = (await createOrganisation(store().db, { name: 'o' })).id
    workspaceId = (await createWorkspace(store().db, { organisationId, name: 'w', slug: 'ws-w' })).id
    otherId = (await createWorkspace(store().db, { organisationId, name: 'v', slug: 'ws-v' })).id
  })

  const create = (slug: string, changes: Partial<Parameters<typeof configRows.create>[1]> = {}) =>
    configRows.create(store().db, {
      id: newId(),
      organisationId,
      workspaceId,
      slug,
      name: slug,
      isDefault: false,
      content: { config: { provider: slug }, secrets: [] },
      by: 'ann',
      ...changes,
    })

  /** A config at its newest version. */
  const findIn = async (db: Db, reference: string, lock?: RowLock): Promise<ConfigAt | undefined> => {
    const object = await configRows.find(db, { workspaceId, reference }, lock)
    const version = object && (await configRows.findVersion(db, object.id, object.version))
    return object && version && { object, version }
  }
  const find = (reference: string) => findIn(store().db, reference)

  test('come back as they were stored, by id in either case and by slug, for their workspace alone', async () => {
    const secrets = [{ path: 'api_key', field: 'secret.1', sealed: 'v1' }]
    const made = await create('pc-a', { content: { config: { provider: 'a', api_key: '*****' }, secrets } })
    expect(made).toMatchObject({
      object: { status: 'active', version: 1, isDefault: false, ownerId: 'ann', updatedBy: 'ann' },
      version: { number: 1, config: { provider: 'a', api_key: '*****' }, secrets, ownerId: 'ann' },
    })
    for (const reference of ['pc-a', made.object.id, made.object.id.toUpperCase()]) {
      expect(await find(reference)).toEqual(made)
      expect(await configRows.find(store().db, { workspaceId: otherId, reference })).toBeUndefined()
    }
    expect(await find('pc-none')).toBeUndefined()
  })

  test('cannot share a slug in a workspace, only across', async () => {
    await create('pc-a')
    expect(isUniqueViolation(await rejection(create('pc-a')), CONFIG_SLUG_TAKEN)).toBe(true)
    await create('pc-a', { workspaceId: otherId })
  })

  test('are listed by age, a page at a time', async () => {
    for (const slug of ['pc-a', 'pc-b', 'pc-c']) await create(slug)
    await create('pc-d', { workspaceId: otherId })
    const { rows, total } = await configRows.list(store().db, { workspaceId }, { offset: 1, limit: 1 })
    expect({ total, slugs: rows.map(({ slug }) => slug) }).toEqual({ total: 3, slugs: ['pc-b'] })
  })

  test('get a version for each new content, and keep those of before', async () => {
    const first = await create('pc-a')
    const renamed = await configRows.change(store().db, first, { name: 'new name', by: 'bob' })
    expect(renamed).toMatchObject({
      object: { name: 'new name', version: 1, updatedBy: 'bob' },
      version: first.version,
    })
    const content = { config: { provider: 'z' }, secrets: [] }
    const second = await configRows.change(store().db, renamed, { content, by: 'bob' })
    expect(second).toMatchObject({ object: { version: 2, ownerId: 'ann' }, version: { number: 2, ownerId: 'bob' } })
    expect(await find('pc-a')).toEqual(second)

    const { rows, total } = await configRows.listVersions(store().db, first.object.id, ALL)
    expect({ total, rows }).toEqual({ total: 2, rows: [second.version, first.version] })
    const found = (configId: string, id: string) => configRows.findVersion(store().db, configId, id)
    expect(await found(first.object.id, first.version.id)).toEqual(first.version)
    expect(await found(first.object.id, 'no uuid')).toBeUndefined()
    const other = await create('pc-b')
    expect(await found(first.object.id, other.version.id)).toBeUndefined()
  })

  test('never change a version', async () => {
    const { version: current } = await create('pc-a')
    const statement = sql`update config_versions set config = '{}' where id = ${current.id}`
    expect(await rejection(Promise.resolve(store().db.execute(statement)))).toMatchObject({ sqlState: 'WE001' })
  })

  test('go with all of their versions', async () => {
    const { object: config, version: current } = await create('pc-a')
    await configRows.remove(store().db, config.id)
    expect(await find('pc-a')).toBeUndefined()
    expect(await configRows.findVersion(store().db, config.id, current.id)).toBeUndefined()
  })

  test('changes that come at the same time make one version after the other', async () => {
    await create('pc-a')
    const change = (provider: string) =>
      store().db.transaction(async (transaction) => {
        const found = await findIn(transaction, 'pc-a', 'change')
        if (found === undefined) throw new Error('it is gone')
        return configRows.change(transaction, found, { content: { config: { provider }, secrets: [] }, by: provider })
      })
    const saved = await Promise.all(['a', 'b', 'c', 'd'].map(change))
    expect(saved.map(({ version }) => version.number).toSorted()).toEqual([2, 3, 4, 5])
    expect((await find('pc-a'))?.object.version).toBe(5)
  })

  test('one at most is the default of a workspace, also when several want to be', async () => {
    const slugs = ['pc-a', 'pc-b', 'pc-c', 'pc-d']
    for (const slug of slugs) await create(slug)
    await create('pc-other', { workspaceId: otherId, isDefault: true })
    const choose = (slug: string) =>
      store().db.transaction(async (transaction) => {
        await holdDefault(transaction, workspaceId)
        const found = await findIn(transaction, slug, 'change')
        if (found === undefined) throw new Error('it is gone')
        await releaseDefault(transaction, workspaceId, 'bob')
        return configRows.change(transaction, found, { isDefault: true, by: 'bob' })
      })
    await Promise.all(slugs.map(choose))
    const { rows } = await configRows.list(store().db, { workspaceId }, ALL)
    const [chosen, second] = rows.filter(({ isDefault }) => isDefault)
    expect(second).toBeUndefined()
    expect(await findDefaultSlugs(store().db, [workspaceId, otherId, newId()])).toEqual(
      new Map([
        [workspaceId, chosen?.slug ?? ''],
        [otherId, 'pc-other'],
      ]),
    )
    expect(await findDefaultSlugs(store().db, [])).toEqual(new Map())
    expect(await rejection(create('pc-e', { isDefault: true }))).toMatchObject({ sqlState: '23505' })
  })

  test('an archived one cannot be the default', async () => {
    const made = await create('pc-a')
    const change = configRows.change(store().db, made, { status: 'archived', isDefault: true, by: 'bob' })
    expect(await rejection(change)).toMatchObject({ constraint: 'configs_default_is_active' })
  })

  test('know the keys whose default they are', async () => {
    const { object: config } = await create('pc-a')
    const key = async (name: string, defaults: RequestDefaults | null, changes: object = {}): Promise<void> => {
      const { publicId, hash, masked } = createApiKey()
      await apiKeyRows.insert(store().db, {
        publicId,
        hash,
        maskedKey: masked,
        name,
        kind: 'workspace-service',
        organisationId,
        workspaceId,
        scopes: [],
        defaults,
        ...changes,
      })
    }
    expect(await findKeysNaming(store().db, config)).toEqual([])
    await key('by slug', { configId: 'pc-a' })
    await key('by id', { configId: config.id, metadata: { a: 'b' } })
    await key('another', { configId: 'pc-b' })
    await key('none', null)
    await key('revoked', { configId: 'pc-a' }, { status: 'revoked' })
    await key('elsewhere', { configId: 'pc-a' }, { workspaceId: otherId })
    expect(await findKeysNaming(store().db, config)).toEqual(['by slug', 'by id'])
  })
})
