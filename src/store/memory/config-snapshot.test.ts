import { beforeEach, expect, test } from 'bun:test'
import type { StoredConfig } from '../../core/ports.ts'
import { StoreUnavailable } from '../errors.ts'
import { type ConfigAt, configRows } from '../objects/configs.ts'
import { newId } from '../objects/rows.ts'
import { createOrganisation } from '../objects/tenancy.ts'
import { createWorkspace, deleteWorkspace } from '../objects/workspaces.ts'
import { configs, configVersions } from '../schema/configs.ts'
import { breakable, describeOnBothStores, emptyStore, rejection, until } from '../testing.ts'
import { type ConfigSnapshotOptions, createConfigSnapshot } from './config-snapshot.ts'

describeOnBothStores('config snapshot', (store) => {
  let organisationId = ''
  let workspaceId = ''
  let otherId = ''

  beforeEach(async () => {
    await emptyStore(store())
    organisationId = (await createOrganisation(store().db, { name: 'o' })).id
    workspaceId = (await createWorkspace(store().db, { organisationId, name: 'w', slug: 'ws-w' })).id
    otherId = (await createWorkspace(store().db, { organisationId, name: 'v', slug: 'ws-v' })).id
  })

  /** Opened by putting its sealed texts in their places. */
  const fast = (opened: string[] = []): ConfigSnapshotOptions => ({
    debounceMs: 1,
    pollIntervalMs: 60_000,
    async open({ configId, config, secrets }) {
      opened.push(configId)
      return { ...config, ...Object.fromEntries(secrets.map(({ path, sealed }) => [path, `opened ${sealed}`])) }
    },
  })

  const create = (slug: string, changes: Partial<Parameters<typeof configRows.create>[1]> = {}): Promise<ConfigAt> =>
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

  test('finds a config of its workspace by slug and id, opened', async () => {
    const secrets = [{ path: 'api_key', field: 'secret.1', sealed: 'v1' }]
    const { object: config, version: current } = await create('pc-a', {
      content: { config: { api_key: '*****' }, secrets },
    })
    await create('pc-old').then((made) => configRows.change(store().db, made, { status: 'archived', by: 'ann' }))
    const snapshot = await createConfigSnapshot(store(), fast())
    const found = snapshot.find(workspaceId, 'pc-a')
    const expected: StoredConfig = {
      id: config.id,
      slug: 'pc-a',
      versionId: current.id,
      config: { api_key: 'opened v1' },
    }
    expect(found).toEqual(expected)
    expect(snapshot.find(workspaceId, config.id.toUpperCase())).toBe(found as StoredConfig)
    for (const [place, reference] of [
      [otherId, 'pc-a'],
      [workspaceId, 'pc-none'],
      [workspaceId, 'pc-old'],
      [workspaceId, 'constructor'],
      ['__proto__', 'pc-a'],
    ] as const) {
      expect(snapshot.find(place, reference)).toBeUndefined()
    }
    await snapshot.close()
  })

  test('gives the same object until there is a new version, and opens each version once', async () => {
    const made = await create('pc-a')
    const opened: string[] = []
    const snapshot = await createConfigSnapshot(store(), fast(opened))
    const before = snapshot.find(workspaceId, 'pc-a')
    const renamed = await configRows.change(store().db, made, { name: 'new', isDefault: true, by: 'bob' })
    await until(() => snapshot.defaultOf(workspaceId) !== undefined)
    expect(snapshot.find(workspaceId, 'pc-a')).toBe(before as StoredConfig)
    expect(snapshot.defaultOf(workspaceId)).toBe(before as StoredConfig)
    expect(opened).toEqual([made.object.id])

    const content = { config: { provider: 'z' }, secrets: [] }
    const { version: current } = await configRows.change(store().db, renamed, { content, by: 'bob' })
    await until(() => snapshot.find(workspaceId, 'pc-a')?.versionId === current.id)
    expect(snapshot.find(workspaceId, 'pc-a')?.config).toEqual({ provider: 'z' })
    expect(opened).toHaveLength(2)
    await snapshot.close()
  })

  test('knows the default of each workspace, and when there is none any more', async () => {
    const made = await create('pc-a', { isDefault: true })
    await create('pc-b')
    const snapshot = await createConfigSnapshot(store(), fast())
    expect(snapshot.defaultOf(workspaceId)?.slug).toBe('pc-a')
    expect(snapshot.defaultOf(otherId)).toBeUndefined()
    await configRows.change(store().db, made, { isDefault: false, by: 'bob' })
    await until(() => snapshot.defaultOf(workspaceId) === undefined)
    await configRows.change(store().db, made, { isDefault: true, by: 'bob' })
    await until(() => snapshot.defaultOf(workspaceId) !== undefined)
    await configRows.remove(store().db, made.object.id)
    await until(() => snapshot.defaultOf(workspaceId) === undefined)
    expect(snapshot.find(workspaceId, 'pc-b')?.slug).toBe('pc-b')
    await store().db.transaction((transaction) => deleteWorkspace(transaction, workspaceId))
    await until(() => snapshot.find(workspaceId, 'pc-b') === undefined)
    await snapshot.close()
  })

  test('holds more configs than one query reads', async () => {
    const slugs = Array.from({ length: 510 }, (_, index) => `pc-${index}`)
    const rows = slugs.map((slug) => ({ id: newId(), slug }))
    const owner = { organisationId, workspaceId, ownerId: 'ann', updatedBy: 'ann' }
    await store()
      .db.insert(configs)
      .values(rows.map((row) => ({ ...row, name: row.slug, ...owner })))
    await store()
      .db.insert(configVersions)
      .values(
        rows.map(({ id, slug }) => ({
          id: newId(),
          configId: id,
          number: 1,
          config: { provider: slug },
          ownerId: 'ann',
        })),
      )
    const snapshot = await createConfigSnapshot(store(), fast())
    for (const slug of slugs) expect(snapshot.find(workspaceId, slug)?.config).toEqual({ provider: slug })
    await snapshot.close()
  })

  test('refuses every call of a config that cannot be opened, and tries again with the next change', async () => {
    const { object: config } = await create('pc-a', { isDefault: true })
    await create('pc-b')
    const errors: unknown[] = []
    let isBroken = true
    const failure = new Error('its secret cannot be read')
    const snapshot = await createConfigSnapshot(store(), {
      ...fast(),
      onError: (error) => errors.push(error),
      async open(sealed) {
        if (isBroken && sealed.configId === config.id) throw failure
        return sealed.config
      },
    })
    expect(errors).toEqual([failure])
    for (const reference of ['pc-a', config.id]) expect(() => snapshot.find(workspaceId, reference)).toThrow(failure)
    expect(() => snapshot.defaultOf(workspaceId)).toThrow(failure)
    expect(snapshot.find(workspaceId, 'pc-b')?.slug).toBe('pc-b')
    isBroken = false
    await create('pc-c')
    await until(() => snapshot.find(workspaceId, 'pc-c') !== undefined)
    expect(snapshot.find(workspaceId, 'pc-a')?.id).toBe(config.id)
    await snapshot.close()
  })

  test('follows changes, and keeps the last configs while the database is away', async () => {
    const { double, broken } = breakable(store())
    const errors: unknown[] = []
    const onError = (error: unknown) => errors.push(error)
    const snapshot = await createConfigSnapshot(double, { ...fast(), pollIntervalMs: 10, onError })
    const { version } = snapshot
    const { object: config } = await create('pc-a')
    await until(() => snapshot.find(workspaceId, 'pc-a') !== undefined)
    expect(snapshot.version).toBeGreaterThan(version)
    broken.queries = true
    // What was being read when it broke is through by then.
    await until(() => errors.length > 2)
    await configRows.remove(store().db, config.id)
    await until(() => errors.length > 5)
    expect(snapshot.find(workspaceId, 'pc-a')?.slug).toBe('pc-a')
    broken.queries = false
    await until(() => snapshot.find(workspaceId, 'pc-a') === undefined)
    await snapshot.close()
  })

  test('is an error when the database is away from the start, or while a secret is opened', async () => {
    await create('pc-a')
    const { double, broken } = breakable(store())
    broken.queries = true
    expect(await rejection(createConfigSnapshot(double, fast()))).toBeInstanceOf(StoreUnavailable)
    const open = () => Promise.reject(new StoreUnavailable('away'))
    expect(await rejection(createConfigSnapshot(store(), { ...fast(), open }))).toBeInstanceOf(StoreUnavailable)
  })
})
