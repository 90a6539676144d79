import { beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { expectError, paramOf } from '../../../test/conformance/management/expect-error.ts'
import { createKey } from '../../../test/conformance/management/tenants.ts'
import { createWorld, type World } from '../../../test/conformance/management/world.ts'
import { configRows } from '../../store/objects/configs.ts'
import { integrationRows } from '../../store/objects/integrations.ts'
import { providerRows } from '../../store/objects/providers.ts'
import { deleteWorkspace, workspaceRows } from '../../store/objects/workspaces.ts'
import { auditLog } from '../../store/schema/audit-log.ts'
import { WORKSPACE_SERVICE_SCOPES } from '../../store/scopes.ts'
import { describeOnBothStores } from '../../store/testing.ts'
import { createFakeBudgets } from '../test-support/fake-budgets.ts'
import { workspacesRoutes } from './routes.ts'

describeOnBothStores('workspaces', (store) => {
  let world: World
  beforeAll(async () => {
    const now = () => Date.now()
    world = await createWorld(
      store(),
      workspacesRoutes({ ...createFakeBudgets(), randomId: () => crypto.randomUUID(), now }),
    )
  })

  const admin = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
    world.call({ method, path, token: world.ours.admin, body })

  const made = async (body: Readonly<Record<string, unknown>>) => {
    const answer = await admin('POST', '/workspaces', body)
    expect(answer.status).toBe(200)
    return answer.body as { id: string; slug: string; name: string }
  }

  test('a whole life: created, read by id and slug, changed, cleared, deleted', async () => {
    const created = await made({
      name: 'Größe & Co',
      description: 'one',
      defaults: { metadata: { team: 'blue' } },
      usage_limits: [{ type: 'cost', credit_limit: 10, alert_threshold: 5, periodic_reset: 'monthly' }],
      rate_limits: [{ type: 'requests', unit: 'rpm', value: 60 }],
    })
    expect(created.slug).toMatch(/^ws-gro-e-co-[0-9a-f]{6}$/)
    expect(created).toMatchObject({
      organisation_id: world.ours.organisationId,
      status: 'active',
      is_default: false,
      description: 'one',
      defaults: { metadata: { team: 'blue' } },
      usage_limits: [{ type: 'cost', credit_limit: 10, alert_threshold: 5, periodic_reset: 'monthly' }],
      rate_limits: [{ type: 'requests', unit: 'rpm', value: 60 }],
      object: 'workspace',
    })
    for (const path of [`/workspaces/${created.slug}`, `/admin/workspaces/${created.id}`]) {
      expect((await admin('GET', path)).body).toEqual(created)
    }
    const path = `/workspaces/${created.slug}`
    const renamed = await admin('PUT', path, { name: 'Other', description: null, usage_limits: null })
    expect(renamed.body).toMatchObject({
      name: 'Other',
      description: null,
      slug: created.slug,
      usage_limits: [],
      rate_limits: [{ type: 'requests', unit: 'rpm', value: 60 }],
    })
    expect((await admin('DELETE', path, { name: 'Other' })).body).toEqual({})
    expectError(await admin('GET', path), 'management_not_found')
    expectError(await admin('DELETE', path, { name: 'Other' }), 'management_not_found')
  })

  test('lists are paged and filtered by name and status', async () => {
    const names = ['alpha 100%', 'alpha_1', 'Alphabet']
    for (const name of names) await made({ name })
    const list = async (query: string) => {
      const { body } = await admin('GET', `/workspaces?${query}`)
      return { total: body.total, names: (body.data as { name: string }[]).map(({ name }) => name) }
    }
    expect(await list('name=ALPHA')).toEqual({ total: 3, names })
    expect(await list('name=alpha_')).toEqual({ total: 1, names: ['alpha_1'] })
    expect(await list('name=100%25')).toEqual({ total: 1, names: ['alpha 100%'] })
    expect(await list('exact_name=Alphabet')).toEqual({ total: 1, names: ['Alphabet'] })
    expect(await list('exact_name=alphabet')).toEqual({ total: 0, names: [] })
    expect(await list('name=alpha&page_size=2&current_page=1')).toEqual({ total: 3, names: ['Alphabet'] })
    expect(await list('name=alpha&status=archived')).toEqual({ total: 0, names: [] })
    expectError(await admin('GET', '/workspaces?status=gone'), 'management_invalid')
  })

  test('a workspace key sees its own workspace alone', async () => {
    const { first, second } = world.ours
    const asKey = (method: 'GET' | 'PUT', path: string, body?: unknown) =>
      world.call({ method, path, token: first.serviceKey, body })
    const { body } = await asKey('GET', '/workspaces')
    expect(body).toMatchObject({ total: 1, data: [{ id: first.id, is_default: true }] })
    expect((await asKey('GET', `/workspaces/${first.slug}`)).status).toBe(200)
    expectError(await asKey('GET', `/workspaces/${second.slug}`), 'management_not_found')
    expectError(await asKey('PUT', `/workspaces/${second.id}`, { name: 'mine' }), 'management_not_found')
  })

  test('one that is deleted while it is being changed or deleted is not there any more', async () => {
    for (const [method, body] of [
      ['PUT', { description: 'late' }],
      ['DELETE', { name: 'going' }],
    ] as const) {
      const { id, slug } = await made({ name: 'going' })
      const late = await world.db.transaction(async (transaction) => {
        await deleteWorkspace(transaction, id)
        const answer = admin(method, `/workspaces/${slug}`, body)
        // By then it has read the row, or waits for it.
        await Promise.race([answer, Bun.sleep(200)])
        return { answer }
      })
      expectError(await late.answer, 'management_not_found')
    }
  })

  test('a new default config and a new key that names the one before do not wait for each other', async () => {
    const { id, slug } = await made({ name: 'two ways' })
    const owner = { organisationId: world.ours.organisationId, workspaceId: id }
    const content = { config: {}, secrets: [] }
    const config = { ...owner, name: 'c', content, by: 'somebody' }
    await configRows.create(world.db, { ...config, id: crypto.randomUUID(), slug: 'pc-old', isDefault: true })
    await configRows.create(world.db, { ...config, id: crypto.randomUUID(), slug: 'pc-new', isDefault: false })
    const late = await world.db.transaction(async (transaction) => {
      await configRows.find(transaction, { workspaceId: id, reference: 'pc-old' }, 'keep')
      const answer = admin('PUT', `/workspaces/${slug}`, { defaults: { config_id: 'pc-new' } })
      await Promise.race([answer, Bun.sleep(200)])
      await createKey(transaction, 'workspace-service', owner)
      return { answer }
    })
    expect((await late.answer).body).toMatchObject({ defaults: { config_id: 'pc-new' } })
  })

  test('two changes at a time are both made, and each is recorded over the one before', async () => {
    const { id, slug } = await made({ name: 'twice', description: 'first' })
    const texts = ['second', 'third', 'fourth']
    await Promise.all(texts.map((description) => admin('PUT', `/workspaces/${slug}`, { description })))
    const rows = await world.db.select().from(auditLog).where(eq(auditLog.objectId, id))
    const changes = rows.flatMap(({ action, before, after }) =>
      action === 'workspaces.update' ? [`${before?.description} > ${after?.description}`] : [],
    )
    const last = (await admin('GET', `/workspaces/${slug}`)).body.description
    expect(changes.map((change) => change.split(' > ')[1]).toSorted()).toEqual(texts.toSorted())
    expect(changes.map((change) => change.split(' > ')[0]).toSorted()).toEqual(
      ['first', ...texts.filter((text) => text !== last)].toSorted(),
    )
  })

  test.each([
    ['name', { name: '' }],
    ['name', { name: 'a'.repeat(256) }],
    ['description', { description: 'a'.repeat(1025) }],
    ['defaults.config', { defaults: { config: 'pc-1' } }],
    ['defaults.metadata.team', { defaults: { metadata: { team: 5 } } }],
    ['defaults.metadata.team', { defaults: { metadata: { team: 'a'.repeat(129) } } }],
    [
      'usage_limits[1].type',
      {
        usage_limits: [
          { type: 'cost', credit_limit: 1 },
          { type: 'cost', credit_limit: 2 },
        ],
      },
    ],
    ['usage_limits[0].credit_limit', { usage_limits: [{ type: 'tokens', credit_limit: 1e30 }] }],
    ['usage_limits[0].credit_limit', { usage_limits: [{ type: 'tokens', credit_limit: 99 }] }],
    ['usage_limits[0].alert_threshold', { usage_limits: [{ type: 'cost', credit_limit: 1, alert_threshold: 2 }] }],
    [
      'usage_limits[0].periodic_reset_days',
      { usage_limits: [{ type: 'cost', credit_limit: 1, periodic_reset: 'weekly', periodic_reset_days: 3 }] },
    ],
    [
      'usage_limits[0].next_usage_reset_at',
      { usage_limits: [{ type: 'cost', credit_limit: 1, next_usage_reset_at: '2030-02-31T00:00:00Z' }] },
    ],
    ['rate_limits[0].unit', { rate_limits: [{ type: 'requests', unit: 'tpd', value: 1 }] }],
    ['rate_limits[0].value', { rate_limits: [{ type: 'requests', unit: 'rpm', value: -1 }] }],
    [
      'rate_limits[1]',
      {
        rate_limits: [
          { type: 'requests', unit: 'rpm', value: 1 },
          { type: 'requests', unit: 'rpm', value: 2 },
        ],
      },
    ],
  ])('refuses a wrong %s on creation and on change', async (param, wrong) => {
    const { slug } = world.ours.second
    for (const answer of [
      await admin('POST', '/workspaces', { name: 'fine', ...wrong }),
      await admin('PUT', `/workspaces/${slug}`, wrong),
    ]) {
      expectError(answer, 'management_invalid')
      expect(paramOf(answer)).toBe(param)
    }
    expect((await admin('GET', '/workspaces?exact_name=fine')).body.total).toBe(0)
  })

  describe('deletion', () => {
    test('needs the name of the workspace', async () => {
      const { slug } = await made({ name: 'named' })
      const answer = await admin('DELETE', `/workspaces/${slug}`, { name: 'other' })
      expectError(answer, 'management_invalid')
      expect(paramOf(answer)).toBe('name')
    })

    test('may be told the workspace once more, as older clients do', async () => {
      const { id, slug } = await made({ name: 'twice told' })
      const { first } = world.ours
      const wrong = await admin('DELETE', `/workspaces/${slug}`, { name: 'twice told', workspace_id: first.id })
      expectError(wrong, 'management_invalid')
      expect(paramOf(wrong)).toBe('workspace_id')
      const right = await admin('DELETE', `/workspaces/${slug}`, { name: 'twice told', workspace_id: id })
      expect([right.status, right.body]).toEqual([200, {}])
    })

    test('is refused for the default workspace, forced or not', async () => {
      const { first } = world.ours
      const body = { name: first.slug, force_delete: true }
      expectError(await admin('DELETE', `/workspaces/${first.id}`, body), 'management_conflict')
      expect((await admin('GET', `/workspaces/${first.id}`)).status).toBe(200)
    })

    test('is refused while something belongs to the workspace, and takes it along when forced', async () => {
      const { id, slug } = await made({ name: 'full' })
      const owner = { organisationId: world.ours.organisationId, workspaceId: id }
      const key = await createKey(world.db, 'workspace-service', owner, WORKSPACE_SERVICE_SCOPES)
      const integration = await integrationRows.insert(world.db, {
        ...owner,
        slug: 'its-own',
        name: 'its own',
        aiProviderId: 'openai',
      })
      await providerRows.insert(world.db, { workspaceId: id, integrationId: integration.id, slug: 'its', name: 'its' })
      const refused = await admin('DELETE', `/workspaces/${slug}`, { name: 'full' })
      expectError(refused, 'management_conflict')
      expect(refused.text).toContain('1 API keys, 1 providers, 1 integrations')
      const forced = await admin('DELETE', `/workspaces/${slug}`, { name: 'full', force_delete: true })
      expect(forced.body).toEqual({})
      expect(
        await workspaceRows.find(world.db, { organisationId: owner.organisationId, reference: id }),
      ).toBeUndefined()
      expectError(await world.call({ method: 'GET', path: '/workspaces', token: key }), 'management_unauthorized')
    })

    test('is for keys of the organisation', async () => {
      const { first } = world.ours
      const answer = await world.call({
        method: 'DELETE',
        path: `/workspaces/${first.slug}`,
        token: first.serviceKey,
        body: { name: first.slug },
      })
      expectError(answer, 'management_forbidden')
    })
  })
})
