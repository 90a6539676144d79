import { beforeAll, describe, expect, test } from 'bun:test'
import { expectError, paramOf } from '../../../test/conformance/management/expect-error.ts'
import { configRows } from '../../store/objects/configs.ts'
import { guardrailRows } from '../../store/objects/guardrails.ts'
import { newId } from '../../store/objects/rows.ts'
import { describeOnBothStores, SLOW_START_MS } from '../../store/testing.ts'
import { type Actor, authorOf } from '../actor.ts'
import { type ConfigsScene, REFUSED_HOST, setConfigsScene } from './test-support.ts'

const KEY = 'sk-0123456789abcdef0123456789abcdef'
const MASK = 'sk-*****def'

const NO_ACTIONS = {
  deny: false,
  async: false,
  sequential: false,
  soft_deny_200: false,
  stream_mode: 'after',
  stream_window: 200,
} as const

test('the author is the user of a key that has one, else the key', () => {
  const actor: Actor = {
    kind: 'workspace-service',
    id: 'key-1',
    name: 'key',
    organisationId: 'organisation',
    scopes: new Set(),
  }
  expect(authorOf(actor)).toBe('key-1')
  expect(authorOf({ ...actor, kind: 'workspace-user', userId: 'user-1' })).toBe('user-1')
})

describeOnBothStores('configs', (store) => {
  let scene: ConfigsScene
  beforeAll(async () => {
    scene = await setConfigsScene(store())
  }, SLOW_START_MS)

  const send: ConfigsScene['send'] = (...call) => scene.send(...call)
  const create: ConfigsScene['create'] = (changes) => scene.create(changes)
  const row = (overrides: Readonly<Record<string, unknown>>) => ({
    organisation_id: scene.world.ours.organisationId,
    workspace_id: scene.world.ours.first.id,
    status: 'active',
    is_default: 0,
    owner_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    updated_by: expect.stringMatching(/^[0-9a-f-]{36}$/),
    created_at: expect.stringMatching(/Z$/),
    last_updated_at: expect.stringMatching(/Z$/),
    object: 'config',
    ...overrides,
  })

  test('a whole life: created, read by slug and id, listed, changed, deleted', async () => {
    const config = {
      strategy: { mode: 'loadbalance' },
      targets: [{ provider: 'openai', weight: 1 }],
      retry: { attempts: 2 },
    }
    const created = await send('POST', '/configs', { name: 'Main fallback', config })
    const { id, slug, version_id } = created.body as { id: string; slug: string; version_id: string }
    expect(slug).toMatch(/^pc-mainfa-[0-9a-f]{6}$/)
    // Both the envelope of the newer interface and the flat form of the older one.
    const receipt = { id, version_id, slug }
    expect(created.body).toEqual({ success: true, data: receipt, ...receipt, object: 'config' })

    const shown = row({ id, slug, name: 'Main fallback' })
    for (const reference of [slug, id]) {
      const { body } = await send('GET', `/configs/${reference}`)
      expect(body).toEqual({
        ...shown,
        config: expect.any(String),
        format: 'json',
        type: 'ORG_CONFIG',
        version_id,
        success: true,
        data: { config },
      })
      expect(JSON.parse(String(body.config))).toEqual(config)
    }
    expect((await send('GET', '/configs')).body).toEqual({ success: true, object: 'list', total: 1, data: [shown] })

    const changed = await send('PUT', `/configs/${slug}`, { name: 'Other', config: { provider: 'openai' } })
    const second = (changed.body.data as { version_id: string }).version_id
    expect(changed.body).toEqual({ success: true, data: { version_id: second } })
    expect(second).not.toBe(version_id)
    expect((await send('GET', `/configs/${slug}`)).body).toMatchObject({
      name: 'Other',
      slug,
      version_id: second,
      data: { config: { provider: 'openai' } },
    })

    expect((await send('DELETE', `/configs/${slug}`)).body).toEqual({})
    for (const path of [`/configs/${slug}`, `/configs/${slug}/versions`, `/configs/${slug}/versions/${second}`]) {
      expectError(await send('GET', path), 'management_not_found')
    }
    expect((await send('GET', '/configs')).body).toMatchObject({ total: 0, data: [] })
  })

  test('every version stays as it was, the newest is listed first', async () => {
    const { id, slug, version_id: first } = await create({ config: { provider: 'openai' } })
    await send('PUT', `/configs/${slug}`, { name: 'new name' })
    const { body } = await send('PUT', `/configs/${slug}`, { config: '{"virtual_key":"other"}' })
    const second = (body.data as { version_id: string }).version_id
    const version = (versionId: string, config: object) => ({
      ...row({ id, slug, name: 'new name' }),
      config: JSON.stringify(config),
      format: 'json',
      type: 'ORG_CONFIG',
      version_id: versionId,
      version_created_at: expect.stringMatching(/Z$/),
      version_owner_id: expect.any(String),
    })
    const versions = [version(second, { virtual_key: 'other' }), version(first, { provider: 'openai' })]
    const list = { success: true, object: 'list', total: 2 }
    expect((await send('GET', `/configs/${slug}/versions`)).body).toEqual({ ...list, data: versions })
    const page = `/configs/${id}/versions?page_size=1&current_page=1`
    expect((await send('GET', page)).body).toEqual({ ...list, data: versions.slice(1) })
    expect((await send('GET', `/configs/${slug}/versions/${first}`)).body).toEqual({
      ...version(first, { provider: 'openai' }),
      success: true,
      data: { config: { provider: 'openai' } },
    })
    const { version_id: foreign } = await create()
    expectError(await send('GET', `/configs/${slug}/versions/${foreign}`), 'management_not_found')
    expectError(await send('GET', `/configs/${slug}/versions/1`), 'management_not_found')
  })

  test('a change may say in the body what the path says, and nothing else', async () => {
    const { slug } = await create()
    expect((await send('PUT', `/configs/${slug}`, { slug, name: 'twice' })).status).toBe(200)
    const other = await send('PUT', `/configs/${slug}`, { slug: 'pc-other-000000', name: 'other' })
    expectError(other, 'management_invalid')
    expect(paramOf(other)).toBe('slug')
    expect((await send('GET', `/configs/${slug}`)).body.name).toBe('twice')
  })

  test('who made it and who changed it last are kept', async () => {
    const { userKey, serviceKey } = scene.world.ours.first
    const made = await send('POST', '/configs', { name: 'mine', config: { provider: 'openai' } }, userKey)
    const { slug } = made.body
    const before = (await send('GET', `/configs/${slug}`)).body
    expect(before.updated_by).toBe(before.owner_id)
    await send('PUT', `/configs/${slug}`, { name: 'ours' }, serviceKey)
    const after = (await send('GET', `/configs/${slug}`)).body
    expect(after.owner_id).toBe(before.owner_id)
    expect(after.updated_by).not.toBe(before.updated_by)
  })

  test('belong to a workspace: of another one they are not there', async () => {
    const { second, first } = scene.world.ours
    const { slug, id } = await create({ workspace_id: second.slug })
    for (const token of [first.serviceKey, scene.world.theirs.admin, undefined]) {
      for (const reference of [slug, id]) {
        expectError(await send('GET', `/configs/${reference}`, undefined, token), 'management_not_found')
        expectError(await send('PUT', `/configs/${reference}`, { name: 'x' }, token), 'management_not_found')
        expectError(await send('DELETE', `/configs/${reference}`, undefined, token), 'management_not_found')
      }
    }
    expect((await send('GET', `/configs/${slug}?workspace_id=${second.id}`)).status).toBe(200)
    expect((await send('GET', `/configs/${slug}`, undefined, second.serviceKey)).status).toBe(200)
    expect((await send('PUT', `/configs/${slug}`, { name: 'x', workspace_id: second.slug })).status).toBe(200)
    const { body } = await send('GET', `/configs?workspace_id=${second.slug}`)
    expect((body.data as { slug: string }[]).map((each) => each.slug)).toEqual([slug])
  })

  describe('what is refused', () => {
    const violations = async (config: unknown) => {
      const answer = await send('POST', '/configs', { name: 'bad', config })
      expectError(answer, 'management_invalid')
      const { errors } = answer.body as { errors: { path: string; message: string }[] }
      expect(paramOf(answer)).toBe(String(errors[0]?.path))
      return errors.map(({ path }) => path)
    }

    test('every violation is listed with its path, and nothing is stored', async () => {
      const total = (await send('GET', '/configs')).body.total
      const wrong = {
        strategy: { mode: 'roundrobin' },
        targets: [{ provider: 7 }, { providr: 'openai', retry: { attempts: 'many' } }],
      }
      const paths = await violations(wrong)
      expect(paths.length).toBeGreaterThanOrEqual(4)
      for (const path of ['strategy.mode', 'targets[0].provider', 'targets[1].providr', 'targets[1].retry.attempts']) {
        expect(paths).toContain(`config.${path}`)
      }
      expect(await violations(JSON.stringify(wrong))).toEqual(paths)
      const { slug } = await create()
      const changed = await send('PUT', `/configs/${slug}`, { config: wrong })
      expectError(changed, 'management_invalid')
      expect((await send('GET', `/configs/${slug}/versions`)).body.total).toBe(1)
      expect((await send('GET', '/configs')).body.total).toBe(Number(total) + 1)
    })

    test.each([
      ['text that is no JSON', '{"provider":'],
      ['JSON that is no object', '["provider"]'],
      ['a key twice', '{"provider":"openai","provider":"openai"}'],
      ['deep nesting', `{"override_params":${'['.repeat(200)}${']'.repeat(200)}}`],
    ])('%s in place of the object', async (_, config) => {
      expect(await violations(config)).toEqual(['config'])
    })

    test('what a text could hide from the checks of the body', async () => {
      const long = 'k'.repeat(600)
      expect(await violations(JSON.stringify({ override_params: { [long]: 1 } }))).toEqual([
        `config.override_params.${'k'.repeat(32)}...`,
      ])
      expect(await violations(JSON.stringify({ override_params: { user: 'a\0' } }))).toEqual([
        'config.override_params.user',
      ])
      expect(await violations('{"override_params":{"__proto__":{"a":1}}}')).toEqual([
        expect.stringContaining('config.override_params'),
      ])
    })

    test('checks that do not run, and parameters that they do not take', async () => {
      const config = {
        inputGuardrails: [{ 'acme.noWords': { most: 'few' } }],
        targets: [{ output_guardrails: [{ checks: [{ id: 'acme.noWrods', parameters: { most: 1 } }] }] }],
      }
      expect(await violations(config)).toEqual([
        'config.inputGuardrails[0].acme.noWords.most',
        'config.targets[0].output_guardrails[0].checks[0].id',
      ])
      const kept = { input_guardrails: [{ 'acme.noWords': { most: 1 } }] }
      const { slug } = await create({ config: kept })
      expect((await send('GET', `/configs/${slug}`)).body.data).toEqual({ config: kept })
    })

    test('saved guardrails that are not there', async () => {
      const { organisationId, first, second } = scene.world.ours
      const make = (slug: string, workspaceId: string | null, target: 'llm' | 'mcp_tools' = 'llm') =>
        guardrailRows.create(store().db, {
          organisationId,
          workspaceId,
          slug,
          name: slug,
          target,
          content: { checks: [], actions: NO_ACTIONS },
          by: 'the test',
        })
      await make('pg-own', first.id)
      await make('pg-all', null)
      await make('pg-other', second.id)
      await make('pg-tools', first.id, 'mcp_tools')
      const config = (reference: string) => ({
        strategy: { mode: 'fallback' },
        targets: [{ provider: 'openai' }, { provider: 'openai', outputGuardrails: ['pg-own', { id: reference }] }],
      })
      const { slug } = await create({ config: config('pg-all') })
      const path = 'config.targets[1].outputGuardrails[1]'
      for (const [reference, code] of [
        ['pg-none', 'management_reference'],
        ['pg-other', 'management_reference'],
        ['pg-tools', 'management_invalid'],
      ] as const) {
        const changes = { name: 'bad', config: config(reference) }
        for (const answer of [
          await send('POST', '/configs', changes),
          await send('PUT', `/configs/${slug}`, changes),
        ]) {
          expectError(answer, code)
          expect(paramOf(answer)).toBe(path)
        }
      }
      expect((await send('GET', `/configs/${slug}/versions`)).body.total).toBe(1)
    })

    test('hosts that calls may not reach, in every target', async () => {
      const target = { provider: 'openai', custom_host: `${REFUSED_HOST}/v1` }
      const { custom_host: customHost, ...rest } = target
      const config = {
        strategy: { mode: 'fallback' },
        targets: [target, { ...rest, customHost }, { ...target, custom_host: 'https://public.example' }],
      }
      expect(await violations(config)).toEqual(['config.targets[0].custom_host', 'config.targets[1].customHost'])
    })

    test('a default that contradicts itself', async () => {
      const answer = await send('POST', '/configs', {
        name: 'bad',
        config: { provider: 'openai' },
        isDefault: true,
        is_default: 0,
      })
      expectError(answer, 'management_invalid')
      expect(paramOf(answer)).toBe('is_default')
    })
  })

  describe('version 1.0', () => {
    const old = {
      mode: 'fallback',
      options: [{ provider: 'openai', virtual_key: 'a', retry: 2 }, { virtual_key: 'b' }],
    }
    const current = {
      strategy: { mode: 'fallback' },
      targets: [{ virtual_key: 'a', retry: { attempts: 2 } }, { virtual_key: 'b' }],
    }
    const configOf = async (slug: unknown) => (await send('GET', `/configs/${slug}`)).body.data

    test('is stored as version 2.0, and the answer says so', async () => {
      const created = await send('POST', '/configs', { name: 'old', config: old })
      expect(created.body).toMatchObject({ success: true, migrated: true })
      expect(await configOf(created.body.slug)).toEqual({ config: current })

      const { slug } = await create()
      const changed = await send('PUT', `/configs/${slug}`, { config: JSON.stringify(old) })
      expect(changed.body).toMatchObject({ success: true, migrated: true })
      expect(await configOf(slug)).toEqual({ config: current })
    })

    test('that was stored past this interface is shown as version 2.0, its secrets masked', async () => {
      const { id: workspaceId } = scene.world.ours.first
      await configRows.create(store().db, {
        id: newId(),
        organisationId: scene.world.ours.organisationId,
        workspaceId,
        slug: 'pc-imported',
        name: 'imported',
        isDefault: false,
        content: { config: { mode: 'single', options: [{ provider: 'openai', api_key: KEY }] }, secrets: [] },
        by: 'an import',
      })
      expect(await configOf('pc-imported')).toEqual({
        config: { strategy: { mode: 'single' }, targets: [{ provider: 'openai', api_key: MASK }] },
      })
    })
  })

  describe('secrets', () => {
    test('are shown masked everywhere, and a mask that is sent back stands for its secret', async () => {
      const { slug, version_id } = await create({ config: { provider: 'openai', api_key: KEY } })
      const shown = (await send('GET', `/configs/${slug}`)).body.data as { config: Record<string, unknown> }
      expect(shown.config).toEqual({ provider: 'openai', api_key: MASK })
      const changed = await send('PUT', `/configs/${slug}`, { config: { ...shown.config, retry: { attempts: 1 } } })
      expect(changed.status).toBe(200)
      const paths = [`/configs/${slug}`, `/configs/${slug}/versions`, `/configs/${slug}/versions/${version_id}`]
      for (const path of paths) {
        const { text } = await send('GET', path)
        expect(text).toContain(MASK)
        expect(text).not.toContain(KEY.slice(4, -4))
      }
    })

    test('do not go to another host with their mask', async () => {
      const { slug } = await create({ config: { provider: 'openai', api_key: KEY } })
      const config = { provider: 'openai', api_key: MASK, custom_host: 'https://mine.example' }
      const refused = await send('PUT', `/configs/${slug}`, { config })
      expectError(refused, 'management_invalid')
      expect(paramOf(refused)).toBe('config.api_key')
      expect((await send('PUT', `/configs/${slug}`, { config: { ...config, api_key: KEY } })).status).toBe(200)
    })
  })
})
