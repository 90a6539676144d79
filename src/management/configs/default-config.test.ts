import { beforeAll, describe, expect, test } from 'bun:test'
import { expectError, paramOf } from '../../../test/conformance/management/expect-error.ts'
import type { TestAnswer } from '../../../test/conformance/management/world.ts'
import { describeOnBothStores, SLOW_START_MS } from '../../store/testing.ts'
import { type ConfigsScene, setConfigsScene } from './test-support.ts'

const messageOf = ({ body }: TestAnswer): string => String((body.error as { message?: unknown }).message)

describeOnBothStores('default configs', (store) => {
  let scene: ConfigsScene
  beforeAll(async () => {
    scene = await setConfigsScene(store())
  }, SLOW_START_MS)

  const send: ConfigsScene['send'] = (...call) => scene.send(...call)
  const create: ConfigsScene['create'] = (changes) => scene.create(changes)
  /** A workspace of its own for a test. */
  const newWorkspace = async (): Promise<string> =>
    String((await send('POST', '/workspaces', { name: crypto.randomUUID() })).body.slug)
  const defaultOf = async (workspace: string): Promise<readonly string[]> => {
    const { body } = await send('GET', `/configs?workspace_id=${workspace}`)
    return (body.data as { slug: string; is_default: number }[])
      .filter((row) => row.is_default === 1)
      .map((row) => row.slug)
  }
  const newKey = (workspace: string, configId: string) =>
    send('POST', '/api-keys/service', {
      name: 'billing',
      scopes: ['completions.write'],
      workspace_id: workspace,
      defaults: { config_id: configId, allow_config_override: false },
    })

  describe('of a workspace', () => {
    test('is the one that was chosen last, under either name of the field', async () => {
      const workspace = await newWorkspace()
      const first = await create({ workspace_id: workspace, isDefault: true })
      expect(await defaultOf(workspace)).toEqual([first.slug])
      const second = await create({ workspace_id: workspace, is_default: 1 })
      expect(await defaultOf(workspace)).toEqual([second.slug])
      await send('PUT', `/configs/${first.slug}`, { isDefault: true, workspace_id: workspace })
      expect(await defaultOf(workspace)).toEqual([first.slug])
      await send('PUT', `/configs/${first.slug}`, { is_default: 0, workspace_id: workspace })
      expect(await defaultOf(workspace)).toEqual([])
    })

    test('is one, also when many choose at the same time', async () => {
      const workspace = await newWorkspace()
      const made = await Promise.all([1, 2, 3, 4].map(() => create({ workspace_id: workspace })))
      const answers = await Promise.all([
        ...made.map(({ slug }) => send('PUT', `/configs/${slug}`, { isDefault: true, workspace_id: workspace })),
        ...made.map(({ id }) => send('PUT', `/workspaces/${workspace}`, { defaults: { config_id: id } })),
        create({ workspace_id: workspace, isDefault: true }).then(() => ({ status: 200 })),
      ])
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      expect(await defaultOf(workspace)).toHaveLength(1)
    })

    test('is a field of the workspace too', async () => {
      const workspace = await newWorkspace()
      const path = `/workspaces/${workspace}`
      const { slug, id } = await create({ workspace_id: workspace })
      expect((await send('GET', path)).body.defaults).toBeNull()
      const chosen = await send('PUT', path, { defaults: { metadata: { team: 'blue' }, config_id: id } })
      expect(chosen.body.defaults).toEqual({ metadata: { team: 'blue' }, config_id: slug })
      expect(await defaultOf(workspace)).toEqual([slug])
      const { body } = await send('GET', '/workspaces?page_size=1000')
      const listed = (body.data as { slug: string; defaults: unknown }[]).find((row) => row.slug === workspace)
      expect(listed?.defaults).toEqual(chosen.body.defaults)

      const kept = await send('PUT', path, { defaults: { metadata: {} } })
      expect(kept.body.defaults).toEqual({ metadata: {}, config_id: slug })
      expect((await send('PUT', path, { name: 'new' })).body.defaults).toEqual(kept.body.defaults)
      const cleared = await send('PUT', path, { defaults: { config_id: null } })
      expect(cleared.body.defaults).toEqual({ metadata: {} })
      expect(await defaultOf(workspace)).toEqual([])

      await send('PUT', path, { defaults: { config_id: slug } })
      expect((await send('PUT', path, { defaults: null })).body.defaults).toBeNull()
      expect(await defaultOf(workspace)).toEqual([])
    })

    test('must be a config of the workspace that is in use', async () => {
      const workspace = await newWorkspace()
      const { slug } = await create({ workspace_id: workspace })
      await send('PUT', `/configs/${slug}`, { status: 'archived', workspace_id: workspace })
      const { slug: foreign } = await create()
      const path = `/workspaces/${workspace}`
      for (const reference of [slug, foreign, 'pc-none']) {
        const refused = await send('PUT', path, { name: 'changed', defaults: { config_id: reference } })
        expectError(refused, 'management_reference')
        expect(paramOf(refused)).toBe('defaults.config_id')
      }
      expect((await send('GET', path)).body.name).not.toBe('changed')
      const refused = await send('POST', '/workspaces', { name: 'new', defaults: { config_id: foreign } })
      expectError(refused, 'management_reference')
      const archived = await send('PUT', `/configs/${slug}`, { isDefault: true, workspace_id: workspace })
      expectError(archived, 'management_invalid')
      expect(paramOf(archived)).toBe('isDefault')
    })
  })

  describe('of a key', () => {
    test('is named by id or slug of a config of its workspace that is in use', async () => {
      const workspace = await newWorkspace()
      const { slug, id } = await create({ workspace_id: workspace })
      for (const [reference, shown] of [
        [slug, slug],
        [id, id],
        [id.toUpperCase(), id],
      ] as const) {
        const made = await newKey(workspace, reference)
        expect(made.status).toBe(200)
        const { body } = await send('GET', `/api-keys/${made.body.id}`)
        expect(body.defaults).toEqual({ config_id: shown, allow_config_override: false })
      }
    })

    test('must exist, at the creation and at a change', async () => {
      const workspace = await newWorkspace()
      const { slug: archived } = await create({ workspace_id: workspace })
      await send('PUT', `/configs/${archived}`, { status: 'archived', workspace_id: workspace })
      const { slug: foreign } = await create()
      const { slug } = await create({ workspace_id: workspace })
      const { id } = (await newKey(workspace, slug)).body
      for (const reference of [archived, foreign, 'pc-none']) {
        const change = send('PUT', `/api-keys/${id}`, { name: 'changed', defaults: { config_id: reference } })
        for (const refused of [await newKey(workspace, reference), await change]) {
          expectError(refused, 'management_reference')
          expect(paramOf(refused)).toBe('defaults.config_id')
        }
      }
      expect((await send('GET', `/api-keys/${id}`)).body).toMatchObject({
        name: 'billing',
        defaults: { config_id: slug },
      })
    })

    test('is not for keys of the organisation', async () => {
      const { slug } = await create()
      const key = { name: 'admin', scopes: ['configs.read'], defaults: { config_id: slug } }
      const refused = await send('POST', '/api-keys/organisation/service', key)
      expectError(refused, 'management_invalid')
      expect(paramOf(refused)).toBe('defaults.config_id')
    })
  })

  describe('a config that is the default', () => {
    const ends = (slug: string, workspace: string) => [
      () => send('DELETE', `/configs/${slug}?workspace_id=${workspace}`),
      () => send('PUT', `/configs/${slug}`, { status: 'archived', workspace_id: workspace }),
    ]

    test('of keys or of its workspace is neither deleted nor archived: the refusal says whose it is', async () => {
      const workspace = await newWorkspace()
      const { slug } = await create({ workspace_id: workspace, isDefault: true })
      for (const end of ends(slug, workspace)) {
        const refused = await end()
        expectError(refused, 'management_conflict')
        expect(messageOf(refused)).toContain('while it is the default of its workspace.')
      }
      const keys = []
      for (let count = 0; count < 6; count++) keys.push((await newKey(workspace, slug)).body.id)
      for (const end of ends(slug, workspace)) {
        const refused = await end()
        expectError(refused, 'management_conflict')
        expect(messageOf(refused)).toContain("its workspace, the key 'billing', ")
        expect(messageOf(refused)).toEndWith(', other keys.')
      }
      for (const id of keys) await send('DELETE', `/api-keys/${id}`)
      await send('PUT', `/configs/${slug}`, { isDefault: false, workspace_id: workspace })
      expect((await send('DELETE', `/configs/${slug}?workspace_id=${workspace}`)).body).toEqual({})
    })

    test('of nobody is archived, and comes back', async () => {
      const workspace = await newWorkspace()
      const { slug } = await create({ workspace_id: workspace, isDefault: true })
      const put = (body: object) => send('PUT', `/configs/${slug}`, { ...body, workspace_id: workspace })
      expect((await put({ status: 'archived', isDefault: false })).status).toBe(200)
      const path = `/configs/${slug}?workspace_id=${workspace}`
      expect((await send('GET', path)).body).toMatchObject({ status: 'archived', is_default: 0 })
      expect((await put({ status: 'active', isDefault: true })).status).toBe(200)
      expect((await send('GET', path)).body).toMatchObject({ status: 'active', is_default: 1 })
    })

    test('is never left to a key when both happen at the same time', async () => {
      const workspace = await newWorkspace()
      for (let round = 0; round < 5; round++) {
        const { slug } = await create({ workspace_id: workspace })
        const [made, deleted] = await Promise.all([
          newKey(workspace, slug),
          send('DELETE', `/configs/${slug}?workspace_id=${workspace}`),
        ])
        expect([
          [200, 409],
          [404, 200],
        ]).toContainEqual([made.status, deleted.status])
      }
    })
  })

  test('a workspace with configs is only deleted by force, and they go with it', async () => {
    const workspace = await newWorkspace()
    await create({ workspace_id: workspace, isDefault: true })
    const { name } = (await send('GET', `/workspaces/${workspace}`)).body
    const refused = await send('DELETE', `/workspaces/${workspace}`, { name })
    expectError(refused, 'management_conflict')
    expect(messageOf(refused)).toContain('1 configs')
    expect((await send('DELETE', `/workspaces/${workspace}`, { name, force_delete: true })).body).toEqual({})
  })
})
