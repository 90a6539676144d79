import { beforeAll, expect, test } from 'bun:test'
import { integrationRows } from '../../store/objects/integrations.ts'
import { providerRows } from '../../store/objects/providers.ts'
import { describeOnBothStores } from '../../store/testing.ts'
import { modelsRoutes } from '../models/routes.ts'
import { providersRoutes } from '../providers/routes.ts'
import { workspacesRoutes } from '../workspaces/routes.ts'
import { integrationsRoutes } from './routes.ts'
import { createFixture, errorOf, type Fixture } from './test-support.ts'

describeOnBothStores('models and workspaces of an integration', (store) => {
  let our: Fixture
  let count = 0
  beforeAll(async () => {
    our = await createFixture(store(), (deps) => [
      ...integrationsRoutes(deps),
      ...providersRoutes(deps),
      ...modelsRoutes(deps),
      ...workspacesRoutes(deps),
    ])
  })
  const make = async (): Promise<string> => {
    const slug = `integration-${++count}`
    const body = { name: 'Main', ai_provider_id: 'openai', slug, key: 'sk-0123456789abcdef' }
    expect((await our.call('admin', 'POST', '/integrations', body)).status).toBe(200)
    return slug
  }
  const models = async (slug: string) => (await our.call('admin', 'GET', `/integrations/${slug}/models`)).body
  const workspaces = async (slug: string) => (await our.call('admin', 'GET', `/integrations/${slug}/workspaces`)).body
  const grant = (slug: string, body: unknown) => our.call('admin', 'PUT', `/integrations/${slug}/workspaces`, body)
  const providerSlugs = async (workspace: string) => {
    const { body } = await our.call('admin', 'GET', `/providers?workspace_id=${workspace}&page_size=1000`)
    return (body.data as { slug: string }[]).map(({ slug }) => slug)
  }

  test('models: those of the provider are there, others are added, changed and removed', async () => {
    const slug = await make()
    expect(await models(slug)).toEqual({
      total: 1,
      models: [{ slug: 'gpt-listed', name: 'gpt-listed', enabled: true, pricing_config: null }],
    })
    const pricing = { type: 'static', pay_as_you_go: { request_token: { price: 0.1 } } }
    const body = {
      allow_all_models: false,
      models: [
        { slug: 'ours', enabled: true, is_custom: true, base_model_slug: 'gpt-listed', pricing_config: pricing },
        { slug: 'org/fine-tune', enabled: true, is_custom: true, is_finetune: true },
        {
          slug: 'hosted',
          enabled: true,
          configurations: { custom_host: 'https://other.example/v1/', custom_headers: { 'X-Route': 'header-secret' } },
        },
      ],
    }
    expect(await our.call('admin', 'PUT', `/integrations/${slug}/models`, body)).toEqual({ status: 200, body: {} })
    const all = await models(slug)
    expect(all.total).toBe(4)
    expect(all.models).toMatchObject([
      { slug: 'gpt-listed', enabled: false },
      {
        slug: 'hosted',
        is_custom: false,
        configurations: { custom_host: 'https://other.example/v1', masked_custom_headers: 'X-Route' },
      },
      { slug: 'org/fine-tune', is_custom: true, is_finetune: true },
      { slug: 'ours', enabled: true, is_custom: true, base_model_slug: 'gpt-listed', pricing_config: pricing },
    ])
    expect(JSON.stringify([all, await our.audit()])).not.toContain('header-secret')
    expect((await our.call('admin', 'GET', `/integrations/${slug}`)).body.allow_all_models).toBe(false)

    await our.call('admin', 'PUT', `/integrations/${slug}/models`, { models: [{ slug: 'ours', enabled: false }] })
    expect((await models(slug)).models).toContainEqual(
      expect.objectContaining({ slug: 'ours', enabled: false, is_custom: true, pricing_config: pricing }),
    )
    const removal = `/integrations/${slug}/models?slugs=${encodeURIComponent('ours,org/fine-tune')}`
    expect(await our.call('admin', 'DELETE', removal)).toEqual({ status: 200, body: {} })
    expect((await models(slug)).total).toBe(2)
  })

  test('models: what is wrong is refused as a whole', async () => {
    const slug = await make()
    const put = (body: unknown) => our.call('admin', 'PUT', `/integrations/${slug}/models`, body)
    const remove = (query: string) => our.call('admin', 'DELETE', `/integrations/${slug}/models${query}`)
    const good = { slug: 'good', enabled: true }
    expect(errorOf(await put({ models: [good, good] }))).toEqual([400, 'AB01', 'models[1].slug'])
    expect(errorOf(await put({ models: [good, { slug: 'x' }] }))).toEqual([400, 'AB01', 'models[1].enabled'])
    const hosted = { slug: 'x', enabled: true, configurations: { custom_host: 'http://private' } }
    expect(errorOf(await put({ models: [good, hosted] }))).toEqual([
      400,
      'AB01',
      'models[1].configurations.custom_host',
    ])
    const headed = { slug: 'x', enabled: true, configurations: { custom_headers: { 'content-length': '1' } } }
    expect(errorOf(await put({ models: [headed] }))).toEqual([
      400,
      'AB01',
      'models[0].configurations.custom_headers.content-length',
    ])
    expect((await models(slug)).total).toBe(1)
    expect(errorOf(await remove(''))).toEqual([400, 'AB01', 'slugs'])
    expect(errorOf(await remove('?slugs=,'))).toEqual([400, 'AB01', 'slugs'])
    expect(errorOf(await remove('?slugs=none'))).toEqual([404, 'AB02', 'slugs'])
    await put({ models: [good, { slug: 'own', enabled: true, is_custom: true }] })
    expect(errorOf(await remove('?slugs=own,good'))).toEqual([400, 'AB01', 'slugs'])
    expect((await models(slug)).total).toBe(3)
  })

  test('one model is shown and deleted by its id', async () => {
    const slug = await make()
    await grant(slug, { workspaces: [{ id: our.blue, enabled: true, default_provider_slug: `of-${slug}` }] })
    const own = { slug: 'org/own', enabled: true, is_custom: true }
    await our.call('admin', 'PUT', `/integrations/${slug}/models`, { models: [own] })
    const at = (id: string) => `/models/${encodeURIComponent(id)}`
    const id = `@of-${slug}/org/own`
    expect((await our.call('blue', 'GET', at(id))).body).toMatchObject({ id, object: 'model', owned_by: 'openai' })
    expect((await our.call('blue', 'GET', at(`@of-${slug}/gpt-listed`))).status).toBe(200)
    expect((await our.call('blue', 'GET', at('gpt-listed'))).body).toEqual({
      id: '@openai/gpt-listed',
      object: 'model',
      created: 0,
      owned_by: 'openai',
    })
    expect((await our.call('blue', 'GET', at('@openai/gpt-listed'))).status).toBe(200)
    for (const unknown of [`@of-${slug}/none`, '@none/gpt-listed', 'none']) {
      expect(errorOf(await our.call('blue', 'GET', at(unknown)))).toEqual([404, 'AB08', null])
    }
    expect(errorOf(await our.call('red', 'GET', at(id)))).toEqual([404, 'AB08', null])
    expect(errorOf(await our.call('blue', 'DELETE', at(id)))).toEqual([403, 'AB03', null])
    expect(errorOf(await our.call('admin', 'DELETE', at(`@of-${slug}/gpt-listed`)))).toEqual([404, 'AB08', null])
    expect((await our.call('admin', 'DELETE', at(id))).body).toEqual({ id, object: 'model', deleted: true })
    expect(errorOf(await our.call('admin', 'GET', at(id)))).toEqual([404, 'AB08', null])
  })

  test('access for all gives each workspace a provider, later ones too', async () => {
    const slug = await make()
    await grant(slug, { workspaces: [{ id: our.red, enabled: false }] })
    const all = { global_workspace_access: { enabled: true }, default_provider_slug: `all-${slug}` }
    expect((await grant(slug, all)).status).toBe(200)
    expect(await providerSlugs(our.blue)).toContain(`all-${slug}`)
    expect(await providerSlugs(our.red)).not.toContain(`all-${slug}`)
    expect((await our.audit())[0]?.after).toMatchObject({ default_providers: [`all-${slug}`] })
    const { body: later } = await our.call('admin', 'POST', '/workspaces', { name: 'later' })
    expect(await providerSlugs(String(later.id))).toContain(`all-${slug}`)

    // Written again it makes nothing anew, and a slug that is taken in one of them gets a suffix.
    await grant(slug, all)
    expect((await our.audit())[0]?.after).toMatchObject({ default_providers: [] })
    const other = await make()
    await grant(other, { global_workspace_access: { enabled: true }, default_provider_slug: `all-${slug}` })
    expect((await providerSlugs(our.blue)).filter((name) => name.startsWith(`all-${slug}-`))).toHaveLength(1)

    const without = await make()
    await grant(without, { global_workspace_access: { enabled: true }, create_default_provider: false })
    const { body: last } = await our.call('admin', 'POST', '/workspaces', { name: 'last' })
    expect((await providerSlugs(String(last.id))).filter((name) => name.includes(without))).toEqual([])
    expect(await providerSlugs(our.blue)).not.toContain(without)
    for (const { id, name } of [later, last]) {
      await our.call('admin', 'DELETE', `/workspaces/${id}`, { name, force_delete: true })
    }
    for (const name of [slug, other, without]) await our.call('admin', 'DELETE', `/integrations/${name}`)
  })

  test('workspaces: the older spelling of the override works too', async () => {
    const slug = await make()
    await grant(slug, { workspaces: [{ id: our.red, enabled: true }] })
    await grant(slug, { workspaces: [{ id: our.blue, enabled: true }], override_existing_workspaces_access: true })
    expect(await workspaces(slug)).toMatchObject({ total: 1, workspaces: [{ id: our.blue }] })
  })

  test('workspaces: a list is merged, or replaces what was there', async () => {
    const slug = await make()
    const limits = {
      usage_limits: [{ type: 'cost', credit_limit: 10, periodic_reset: 'monthly' }],
      rate_limits: [{ type: 'requests', unit: 'rpm', value: 5 }],
    }
    await grant(slug, { workspaces: [{ id: 'ws-red', enabled: true, ...limits }] })
    await grant(slug, { workspaces: [{ id: our.blue, enabled: true }] })
    expect(await workspaces(slug)).toEqual({
      total: 2,
      workspaces: [
        {
          id: our.red,
          enabled: true,
          ...limits,
          usage_limits: [expect.objectContaining(limits.usage_limits[0] ?? {})],
        },
        { id: our.blue, enabled: true, usage_limits: null, rate_limits: null },
      ],
    })
    expect((await our.call('admin', 'GET', `/integrations/${slug}`)).body.workspace_count).toBe(2)
    await grant(slug, { workspaces: [{ id: our.red, enabled: false, usage_limits: null }] })
    expect((await workspaces(slug)).workspaces).toMatchObject([
      { id: our.red, enabled: false, usage_limits: null, rate_limits: limits.rate_limits },
      { id: our.blue, enabled: true },
    ])
    const override = { workspaces: [{ id: our.blue, enabled: false }], override_existing_workspace_access: true }
    await grant(slug, override)
    expect((await workspaces(slug)).workspaces).toMatchObject([{ id: our.blue, enabled: false }])
  })

  test('workspaces: global access reaches all that have no word of their own, later ones too', async () => {
    const slug = await make()
    const use = { name: 'x', integration_id: slug }
    expect(errorOf(await our.call('red', 'POST', '/providers', use))).toEqual([404, 'AB02', 'integration_id'])
    const global = { enabled: true, rate_limits: [{ type: 'tokens', unit: 'rph', value: 0 }] }
    await grant(slug, { global_workspace_access: global, workspaces: [{ id: our.blue, enabled: false }] })
    const shown = (await our.call('admin', 'GET', `/integrations/${slug}`)).body
    expect(shown.workspace_count).toBe(1)
    expect(shown.global_workspace_access_settings).toEqual({ ...global, usage_limits: null })
    expect((await our.call('red', 'POST', '/providers', use)).status).toBe(200)
    expect(errorOf(await our.call('blue', 'POST', '/providers', use))).toEqual([404, 'AB02', 'integration_id'])
    await grant(slug, { global_workspace_access: null })
    expect((await our.call('admin', 'GET', `/integrations/${slug}`)).body.workspace_count).toBe(0)
  })

  test('workspaces: whoever gains access gets a provider, once', async () => {
    const slug = await make()
    await grant(slug, { workspaces: [{ id: our.red, enabled: true }] })
    expect(await providerSlugs('ws-red')).toContain(slug)
    const before = await providerSlugs('ws-red')
    await grant(slug, { workspaces: [{ id: our.red, enabled: true }] })
    expect(await providerSlugs('ws-red')).toEqual(before)
    await grant(slug, { workspaces: [{ id: our.blue, enabled: true }], create_default_provider: false })
    expect(await providerSlugs('ws-default')).not.toContain(slug)

    const other = await make()
    const taken = { workspaces: [{ id: our.red, enabled: true, default_provider_slug: slug }] }
    expect(errorOf(await grant(other, taken))).toEqual([400, 'AB01', 'workspaces[0].default_provider_slug'])
    expect((await workspaces(other)).total).toBe(0)
    await grant(other, { workspaces: [{ id: our.red, enabled: true }], default_provider_slug: 'chosen' })
    expect(await providerSlugs('ws-red')).toContain('chosen')
  })

  test('workspaces: exhausted providers get another chance', async () => {
    const slug = await make()
    await grant(slug, { workspaces: [{ id: our.red, enabled: true }] })
    const shown = async () => (await our.call('red', 'GET', `/providers/${slug}`)).body
    const { id } = await shown()
    await providerRows.update(store().db, { id: String(id), status: 'exhausted' })
    expect((await shown()).status).toBe('exhausted')
    await grant(slug, { workspaces: [{ id: our.red, enabled: true, reset_usage: true }] })
    expect((await shown()).status).toBe('active')
  })

  test('workspaces: what is wrong is refused as a whole', async () => {
    const slug = await make()
    const red = { id: our.red, enabled: true }
    const both = { type: 'cost', credit_limit: 5, periodic_reset: 'weekly', periodic_reset_days: 3 }
    for (const [body, expected] of [
      [{}, [400, 'AB01', null]],
      [{ workspaces: [red, { id: 'ws-none', enabled: true }] }, [404, 'AB02', 'workspaces[1].id']],
      [{ workspaces: [red, { ...red, id: 'ws-red' }] }, [400, 'AB01', 'workspaces[1].id']],
      [{ workspaces: [{ id: our.red }] }, [400, 'AB01', 'workspaces[0].enabled']],
      [
        { workspaces: [{ ...red, usage_limits: [both] }] },
        [400, 'AB01', 'workspaces[0].usage_limits[0].periodic_reset_days'],
      ],
      [{ global_workspace_access: {} }, [400, 'AB01', 'global_workspace_access.enabled']],
      [
        { global_workspace_access: { enabled: true, usage_limits: [both, both] } },
        [400, 'AB01', 'global_workspace_access.usage_limits'],
      ],
    ] as const) {
      expect(errorOf(await grant(slug, body))).toEqual([...expected])
    }
    expect((await workspaces(slug)).total).toBe(0)
    const own = { name: 'own', ai_provider_id: 'openai', slug: 'own-of-red' }
    await our.call('red', 'POST', '/integrations', own)
    expect(errorOf(await grant('own-of-red', { workspaces: [red] }))).toEqual([400, 'AB01', 'workspaces'])
    expect((await workspaces('own-of-red')).workspaces).toMatchObject([{ id: our.red, enabled: true }])
    expect(
      await integrationRows.find(store().db, { organisationId: our.organisationId, reference: slug }),
    ).toMatchObject({
      globalWorkspaceAccess: null,
    })
  })
})
