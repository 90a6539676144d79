import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { insertApiKey } from './api-keys.ts'
import {
  CONFIG_SLUG_TAKEN,
  createConfig,
  deleteConfig,
  findConfig,
  findConfigVersion,
  listConfigs,
  listConfigVersions,
  type NewConfig,
  updateConfig,
} from './configs.ts'
import { findDefaultSlugs, findKeysNaming, holdDefault, releaseDefault } from './default-configs.ts'
import { isUniqueViolation } from './errors.ts'
import { createApiKey } from './key-material.ts'
import { newId } from './rows.ts'
import type { RequestDefaults } from './schema/tenancy.ts'
import { createOrganisation } from './tenancy.ts'
import { describeOnBothStores, emptyStore, rejection } from './testing.ts'
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

  const create = (slug: string, changes: Partial<NewConfig> = {}) =>
    createConfig(store().db, {
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

  const find = (reference: string) => findConfig(store().db, { workspaceId, reference })

  test('come back as they were stored, by id in either case and by slug, for their workspace alone', async () => {
    const secrets = [{ path: 'api_key', field: 'secret.1', sealed: 'v1' }]
    const made = await create('pc-a', { content: { config: { provider: 'a', api_key: '*****' }, secrets } })
    expect(made).toMatchObject({
      config: { status: 'active', version: 1, isDefault: false, ownerId: 'ann', updatedBy: 'ann' },
      current: { number: 1, config: { provider: 'a', api_key: '*****' }, secrets, ownerId: 'ann' },
    })
    for (const reference of ['pc-a', made.config.id, made.config.id.toUpperCase()]) {
      expect(await find(reference)).toEqual(made)
      expect(await findConfig(store().db, { workspaceId: otherId, reference })).toBeUndefined()
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
    const { rows, total } = await listConfigs(store().db, workspaceId, { offset: 1, limit: 1 })
    expect({ total, slugs: rows.map(({ slug }) => slug) }).toEqual({ total: 3, slugs: ['pc-b'] })
  })

  test('get a version for each new content, and keep those of before', async () => {
    const first = await create('pc-a')
    const renamed = await updateConfig(store().db, first, { name: 'new name', by: 'bob' })
    expect(renamed).toMatchObject({
      config: { name: 'new name', version: 1, updatedBy: 'bob' },
      current: first.current,
    })
    const content = { config: { provider: 'z' }, secrets: [] }
    const second = await updateConfig(store().db, renamed, { content, by: 'bob' })
    expect(second).toMatchObject({ config: { version: 2, ownerId: 'ann' }, current: { number: 2, ownerId: 'bob' } })
    expect(await find('pc-a')).toEqual(second)

    const { rows, total } = await listConfigVersions(store().db, first.config.id, ALL)
    expect({ total, rows }).toEqual({ total: 2, rows: [second.current, first.current] })
    const found = (configId: string, id: string) => findConfigVersion(store().db, { configId, id })
    expect(await found(first.config.id, first.current.id)).toEqual(first.current)
    expect(await found(first.config.id, 'no uuid')).toBeUndefined()
    const other = await create('pc-b')
    expect(await found(first.config.id, other.current.id)).toBeUndefined()
  })

  test('never change a version', async () => {
    const { current } = await create('pc-a')
    const statement = sql`update config_versions set config = '{}' where id = ${current.id}`
    expect(await rejection(Promise.resolve(store().db.execute(statement)))).toMatchObject({ sqlState: 'WE001' })
  })

  test('go with all of their versions', async () => {
    const { config, current } = await create('pc-a')
    await deleteConfig(store().db, config.id)
    expect(await find('pc-a')).toBeUndefined()
    expect(await findConfigVersion(store().db, { configId: config.id, id: current.id })).toBeUndefined()
  })

  test('changes that come at the same time make one version after the other', async () => {
    await create('pc-a')
    const change = (provider: string) =>
      store().db.transaction(async (transaction) => {
        const found = await findConfig(transaction, { workspaceId, reference: 'pc-a' }, 'change')
        if (found === undefined) throw new Error('it is gone')
        return updateConfig(transaction, found, { content: { config: { provider }, secrets: [] }, by: provider })
      })
    const saved = await Promise.all(['a', 'b', 'c', 'd'].map(change))
    expect(saved.map(({ current }) => current.number).toSorted()).toEqual([2, 3, 4, 5])
    expect((await find('pc-a'))?.config.version).toBe(5)
  })

  test('one at most is the default of a workspace, also when several want to be', async () => {
    const slugs = ['pc-a', 'pc-b', 'pc-c', 'pc-d']
    for (const slug of slugs) await create(slug)
    await create('pc-other', { workspaceId: otherId, isDefault: true })
    const choose = (slug: string) =>
      store().db.transaction(async (transaction) => {
        await holdDefault(transaction, workspaceId)
        const found = await findConfig(transaction, { workspaceId, reference: slug }, 'change')
        if (found === undefined) throw new Error('it is gone')
        await releaseDefault(transaction, workspaceId, 'bob')
        return updateConfig(transaction, found, { isDefault: true, by: 'bob' })
      })
    await Promise.all(slugs.map(choose))
    const { rows } = await listConfigs(store().db, workspaceId, ALL)
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
    const change = updateConfig(store().db, made, { status: 'archived', isDefault: true, by: 'bob' })
    expect(await rejection(change)).toMatchObject({ constraint: 'configs_default_is_active' })
  })

  test('know the keys whose default they are', async () => {
    const { config } = await create('pc-a')
    const key = async (name: string, defaults: RequestDefaults | null, changes: object = {}): Promise<void> => {
      const { publicId, hash, masked } = createApiKey()
      await insertApiKey(store().db, {
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
