import { beforeAll, expect, test } from 'bun:test'
import { type ConfigSnapshot, createConfigSnapshot } from '../../store/memory/config-snapshot.ts'
import { configRows } from '../../store/objects/configs.ts'
import { newId } from '../../store/objects/rows.ts'
import { describeOnBothStores, SLOW_START_MS, until } from '../../store/testing.ts'
import { openConfig } from './secrets.ts'
import { type ConfigsScene, setConfigsScene } from './test-support.ts'

const KEY = 'sk-0123456789abcdef0123456789abcdef'

describeOnBothStores('configs for calls', (store) => {
  let scene: ConfigsScene
  beforeAll(async () => {
    scene = await setConfigsScene(store())
  }, SLOW_START_MS)

  const follow = (): Promise<ConfigSnapshot> =>
    createConfigSnapshot(store(), {
      debounceMs: 1,
      pollIntervalMs: 60_000,
      open: (sealed) => openConfig(scene.secretBox, sealed),
    })
  const place = () => scene.world.ours.first.id

  test('have their secrets in clear, from version to version, and what is stored has none', async () => {
    const snapshot = await follow()
    const { slug } = await scene.create({ config: { provider: 'openai', api_key: KEY } })
    await until(() => snapshot.find(place(), slug) !== undefined)
    expect(snapshot.find(place(), slug)?.config).toEqual({ provider: 'openai', api_key: KEY })

    const { body } = await scene.send('GET', `/configs/${slug}`)
    const { config } = body.data as { config: object }
    const changed = await scene.send('PUT', `/configs/${slug}`, { config: { ...config, name: 'second' } })
    const { version_id: second } = changed.body.data as { version_id: string }
    await until(() => snapshot.find(place(), slug)?.versionId === second)
    expect(snapshot.find(place(), slug)?.config).toEqual({ provider: 'openai', api_key: KEY, name: 'second' })
    await snapshot.close()
  })

  test('are of version 2.0, also one that was stored past the interface', async () => {
    await configRows.create(store().db, {
      id: newId(),
      organisationId: scene.world.ours.organisationId,
      workspaceId: place(),
      slug: 'pc-imported',
      name: 'imported',
      isDefault: false,
      content: { config: { mode: 'loadbalance', options: [{ virtual_key: 'a', weight: 1 }] }, secrets: [] },
      by: 'an import',
    })
    const snapshot = await follow()
    expect(snapshot.find(place(), 'pc-imported')?.config).toEqual({
      strategy: { mode: 'loadbalance' },
      targets: [{ virtual_key: 'a', weight: 1 }],
    })
    await snapshot.close()
  })

  test('whose secret was moved from another config fail every call', async () => {
    const sealed = { path: 'api_key', field: 'secret.1', sealed: '' }
    const { organisationId } = scene.world.ours
    const box = scene.secretBox
    const other = await store().db.transaction((transaction) =>
      box.seal(transaction, organisationId, newId(), sealed.field, KEY),
    )
    await configRows.create(store().db, {
      id: newId(),
      organisationId,
      workspaceId: place(),
      slug: 'pc-moved',
      name: 'moved',
      isDefault: false,
      content: { config: { provider: 'openai', api_key: '*****' }, secrets: [{ ...sealed, sealed: other }] },
      by: 'a thief',
    })
    const snapshot = await follow()
    expect(() => snapshot.find(place(), 'pc-moved')).toThrow()
    await snapshot.close()
  })
})
