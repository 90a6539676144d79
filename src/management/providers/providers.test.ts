import { beforeAll, expect, test } from 'bun:test'
import { providerRows } from '../../store/objects/providers.ts'
import { describeOnBothStores } from '../../store/testing.ts'
import { integrationsRoutes } from '../integrations/routes.ts'
import { createFixture, errorOf, type Fixture } from '../integrations/test-support.ts'
import { providersRoutes } from './routes.ts'

describeOnBothStores('providers', (store) => {
  let our: Fixture
  beforeAll(async () => {
    our = await createFixture(store(), (deps) => [...integrationsRoutes(deps), ...providersRoutes(deps)])
    const body = { name: 'Main', ai_provider_id: 'openai', slug: 'main' }
    await our.call('admin', 'POST', '/integrations', body)
    await our.call('admin', 'PUT', '/integrations/main/workspaces', {
      global_workspace_access: { enabled: true },
    })
  })
  const NEW = { name: 'Team Blüe', integration_id: 'main' }

  test('are made, shown, changed and deleted', async () => {
    const made = await our.call('blue', 'POST', '/providers', {
      ...NEW,
      note: 'for tests',
      usage_limits: { type: 'tokens', credit_limit: 1000, alert_threshold: 900, periodic_reset_days: 7 },
      rate_limits: [{ type: 'requests', unit: 'rpm', value: 0 }],
      expires_at: '2031-02-03T04:05:06+02:00',
    })
    const slug = String(made.body.slug)
    expect([made.status, Object.keys(made.body)]).toEqual([200, ['id', 'slug']])
    expect(slug).toMatch(/^team-blue-[0-9a-f]{6}$/)
    const shown = (await our.call('blue', 'GET', `/providers/${slug}`)).body
    expect(shown).toMatchObject({
      name: 'Team Blüe',
      integration_id: 'main',
      ai_provider_id: 'openai',
      workspace_id: our.blue,
      note: 'for tests',
      status: 'active',
      usage_limits: { type: 'tokens', credit_limit: 1000, alert_threshold: 900, periodic_reset_days: 7 },
      rate_limits: [{ type: 'requests', unit: 'rpm', value: 0 }],
      expires_at: '2031-02-03T02:05:06.000Z',
      slug,
      object: 'provider',
    })
    expect((await our.call('admin', 'GET', `/providers/${shown.id}`)).body).toEqual(shown)

    const change = { name: 'renamed', note: null, usage_limits: null, rate_limits: null, expires_at: null }
    expect((await our.call('blue', 'PUT', `/providers/${slug}`, change)).body).toEqual({ id: shown.id, slug })
    expect((await our.call('blue', 'GET', `/providers/${slug}`)).body).toMatchObject(change)
    expect(await our.call('blue', 'DELETE', `/providers/${slug}`)).toEqual({ status: 200, body: {} })
    expect(errorOf(await our.call('blue', 'GET', `/providers/${slug}`))).toEqual([404, 'AB08', null])
    const audit = (await our.audit()).slice(0, 3)
    expect(audit.map(({ action }) => action)).toEqual(['providers.delete', 'providers.update', 'providers.create'])
    expect(audit[1]).toMatchObject({ before: { name: 'Team Blüe' }, after: { name: 'renamed' } })
  })

  test('have a budget of money where it does not say of what', async () => {
    const usage_limits = { credit_limit: 10, alert_threshold: 9 }
    const made = await our.call('blue', 'POST', '/providers', { ...NEW, slug: 'plain-budget', usage_limits })
    expect(made.status).toBe(200)
    const { body } = await our.call('blue', 'GET', '/providers/plain-budget')
    expect(body.usage_limits).toMatchObject({ type: 'cost', ...usage_limits, enforcement: 'soft' })
  })

  test('belong to the workspace of the key, or to the one that an organisation key names', async () => {
    const make = (token: string, slug: string, workspace?: string) =>
      our.call(token, 'POST', '/providers', { ...NEW, slug, ...(workspace && { workspace_id: workspace }) })
    expect((await make('admin', 'where')).status).toBe(200)
    expect((await make('admin', 'where', 'ws-red')).status).toBe(200)
    const place = async (query: string) =>
      (await our.call('admin', 'GET', `/providers/where${query}`)).body.workspace_id
    expect(await place('')).toBe(our.blue)
    expect(await place('?workspace_id=ws-red')).toBe(our.red)
    expect(await place(`?workspace_id=${our.red.toUpperCase()}`)).toBe(our.red)
    expect((await our.call('red', 'GET', '/providers/where?workspace_id=ws-red')).status).toBe(200)
    expect(errorOf(await our.call('red', 'GET', '/providers/where?workspace_id=ws-default'))).toEqual([
      403,
      'AB03',
      'workspace_id',
    ])
    expect(errorOf(await make('red', 'x', our.blue))).toEqual([403, 'AB03', 'workspace_id'])
    expect(errorOf(await make('admin', 'x', 'ws-none'))).toEqual([404, 'AB02', 'workspace_id'])
    expect(errorOf(await our.call('stranger', 'GET', `/providers?workspace_id=${our.red}`))).toEqual([
      404,
      'AB02',
      'workspace_id',
    ])
    const elsewhere = { name: 'gone', workspace_id: 'ws-red' }
    expect((await our.call('admin', 'PUT', '/providers/where', elsewhere)).status).toBe(200)
    expect((await our.call('red', 'GET', '/providers/where')).body.name).toBe('gone')
    expect((await our.call('blue', 'GET', '/providers/where')).body.name).not.toBe('gone')
  })

  test('are listed in the order they were made, by page', async () => {
    for (const slug of ['page-1', 'page-2', 'page-3']) await our.call('red', 'POST', '/providers', { ...NEW, slug })
    const all = (await our.call('red', 'GET', '/providers')).body
    const slugs = (body: Record<string, unknown>) => (body.data as { slug: string }[]).map(({ slug }) => slug)
    expect(all.object).toBe('list')
    expect(slugs(all).slice(-3)).toEqual(['page-1', 'page-2', 'page-3'])
    const total = Number(all.total)
    const last = (await our.call('red', 'GET', `/providers?page_size=1&current_page=${total - 1}`)).body
    expect([last.total, slugs(last)]).toEqual([total, ['page-3']])
    expect((await our.call('red', 'GET', '/providers?current_page=9')).body).toEqual({
      object: 'list',
      total,
      data: [],
    })
    for (const query of ['page_size=0', 'page_size=1001', 'current_page=-1', 'page_size=x', 'size=1']) {
      const answer = await our.call('red', 'GET', `/providers?${query}`)
      expect(errorOf(answer)).toEqual([400, 'AB01', query.split('=')[0]])
    }
  })

  test('whose time has passed are expired, and exhausted ones can be reset', async () => {
    const made = await our.call('blue', 'POST', '/providers', { ...NEW, slug: 'spent' })
    const id = String(made.body.id)
    await providerRows.update(store().db, { id, expiresAt: new Date(our.deps.now()), status: 'exhausted' })
    const status = async () => (await our.call('blue', 'GET', '/providers/spent')).body.status
    expect(await status()).toBe('expired')
    await our.call('blue', 'PUT', '/providers/spent', { expires_at: null })
    expect(await status()).toBe('exhausted')
    await our.call('blue', 'PUT', '/providers/spent', { reset_usage: true })
    expect(await status()).toBe('active')
  })

  test('that are wrong are refused, and nothing is stored', async () => {
    await our.call('blue', 'POST', '/providers', { ...NEW, slug: 'taken' })
    const { total } = (await our.call('blue', 'GET', '/providers')).body
    const limit = { type: 'cost', credit_limit: 5 }
    for (const [changes, expected] of [
      [{ slug: 'taken' }, [409, 'AB07', 'slug']],
      [{ integration_id: 'none' }, [404, 'AB02', 'integration_id']],
      [{ integration_id: undefined }, [400, 'AB01', 'integration_id']],
      [{ name: 7 }, [400, 'AB01', 'name']],
      [{ expires_at: '2029-01-01T00:00:00Z' }, [400, 'AB01', 'expires_at']],
      [{ expires_at: '2031-02-30T00:00:00Z' }, [400, 'AB01', 'expires_at']],
      [{ expires_at: 'soon' }, [400, 'AB01', 'expires_at']],
      [{ usage_limits: { ...limit, alert_threshold: 6 } }, [400, 'AB01', 'usage_limits.alert_threshold']],
      [{ usage_limits: { type: 'tokens', credit_limit: 99 } }, [400, 'AB01', 'usage_limits.credit_limit']],
      [{ usage_limits: { ...limit, type: 'euros' } }, [400, 'AB01', 'usage_limits.type']],
      [{ rate_limits: [{ type: 'requests', unit: 'rps', value: 1 }] }, [400, 'AB01', 'rate_limits[0].unit']],
      [{ rate_limits: [{ type: 'requests', unit: 'rpm', value: -1 }] }, [400, 'AB01', 'rate_limits[0].value']],
      [{ note: 'x'.repeat(1_000_000) }, [400, 'AB01', 'note']],
      [{ note: 'a\u0000b' }, [400, 'AB01', 'note']],
    ] as const) {
      expect(errorOf(await our.call('blue', 'POST', '/providers', { ...NEW, ...changes }))).toEqual([...expected])
    }
    expect(errorOf(await our.call('blue', 'PUT', '/providers/taken', {}))).toEqual([400, 'AB01', null])
    expect(errorOf(await our.call('blue', 'PUT', '/providers/taken', { slug: 'x' }))).toEqual([400, 'AB01', 'slug'])
    expect((await our.call('blue', 'GET', '/providers')).body.total).toBe(total)
    expect(errorOf(await our.call('blue:providers.list', 'POST', '/providers', NEW))).toEqual([403, 'AB03', null])
  })
})
