import { beforeAll, beforeEach, expect, test } from 'bun:test'
import { budgetSubject } from '../../alerts/budget-watch.ts'
import { raiseAlert } from '../../alerts/raise.ts'
import { ownedKey, ownedLabel } from '../../budgets/owned.ts'
import { midnightBefore } from '../../budgets/schedule.ts'
import type { OwnedBudgets } from '../../core/budgets.ts'
import { describeOnBothStores } from '../../store/testing.ts'
import { apiKeyRoutes } from '../api-keys/routes.ts'
import { integrationsRoutes } from '../integrations/routes.ts'
import { type Answer, createFixture, errorOf, type Fixture } from '../integrations/test-support.ts'
import { providersRoutes } from '../providers/routes.ts'
import { createFakeLimits } from '../rate-limits/test-support.ts'
import { virtualKeysRoutes } from '../virtual-keys/routes.ts'
import { workspacesRoutes } from '../workspaces/routes.ts'

const DAY_MS = 86_400_000
/** A Tuesday. */
const START_MS = Date.UTC(2030, 0, 1, 15, 30)
const time = { nowMs: START_MS }
const now = (): number => time.nowMs

describeOnBothStores('budgets of objects', (store) => {
  let our: Fixture
  beforeAll(async () => {
    our = await createFixture(
      store(),
      (deps) => [
        ...apiKeyRoutes({
          clock: { now },
          limits: createFakeLimits().limits,
          budgets: deps.budgets,
          secretBox: deps.secretBox,
        }),
        ...integrationsRoutes(deps),
        ...providersRoutes(deps),
        ...virtualKeysRoutes(deps),
        ...workspacesRoutes(deps),
      ],
      { now },
    )
  })
  beforeEach(() => {
    time.nowMs = START_MS
  })

  const call = async (method: string, path: string, body?: unknown, token = 'admin'): Promise<Answer['body']> => {
    const answer = await our.call(token, method, path, body)
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  /** The count of an owner in the period that began then. */
  const counterOf = (
    owner: Pick<OwnedBudgets, 'owner' | 'id'>,
    { type = 'cost' as 'cost' | 'tokens', startMs = START_MS, workspaceId = our.blue } = {},
  ) => our.counters.of({ ...ownedKey(owner, type, workspaceId), startMs }, { type, label: ownedLabel(owner) })
  const spend = (dollars: number, ...of: Parameters<typeof counterOf>): void =>
    our.counters.spentElsewhere(counterOf(...of), BigInt(Math.round(dollars * 1e12)))
  const lastAudit = async () => (await our.audit())[0]

  const newKey = async (usageLimits: object | null): Promise<string> => {
    const body = { name: 'k', scopes: ['completions.write'], usage_limits: usageLimits }
    return String((await call('POST', '/api-keys/service', body)).id)
  }
  const newProvider = async (fields: object = {}) => {
    const integration = { name: 'Main', ai_provider_id: 'openai', key: 'sk-0123456789abcdef' }
    const { slug } = await call('POST', '/integrations', integration)
    const access = { workspaces: [{ id: our.blue, enabled: true, create_default_provider: false, ...fields }] }
    await call('PUT', `/integrations/${slug}/workspaces`, access)
    const integrationId = String((await call('GET', `/integrations/${slug}`)).id)
    return { slug: String(slug), integrationId, path: `/integrations/${slug}/workspaces` }
  }
  const listed = async (status: string): Promise<readonly unknown[]> =>
    ((await call('GET', `/api-keys?status=${status}&workspace_id=${our.blue}`)).data as { id: string }[]).map(
      ({ id }) => id,
    )

  test('of a key are shown with their use, and spent ones are found by the list', async () => {
    const id = await newKey({ credit_limit: 10, alert_threshold: 8, periodic_reset: 'weekly', enforcement: 'reserve' })
    const other = await newKey({ type: 'tokens', credit_limit: 100 })
    const without = await newKey(null)
    const read = () => call('GET', `/api-keys/${id}`)
    const nextMonday = new Date(midnightBefore(START_MS) + 6 * DAY_MS).toISOString()
    const shown = {
      credit_limit: 10,
      type: 'cost',
      alert_threshold: 8,
      periodic_reset: 'weekly',
      enforcement: 'reserve',
      next_usage_reset_at: nextMonday,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'active',
      current_usage: 0,
      is_threshold_alerts_sent: false,
      is_exhausted_alerts_sent: false,
    }
    expect(await read()).toMatchObject({ status: 'active', last_reset_at: null, next_usage_reset_at: nextMonday })
    expect((await read()).usage_limits).toEqual(shown)

    spend(9.999999999999, { owner: 'api_key', id })
    // Limits are enforced in billionths of a dollar, rounded up.
    expect((await read()).usage_limits).toEqual({ ...shown, current_usage: 9.999999999999, status: 'exhausted' })
    expect((await read()).status).toBe('exhausted')
    expect(await listed('exhausted')).toEqual([id])
    expect(await listed('active')).toEqual(expect.arrayContaining([other, without]))
    expect(await listed('active')).not.toContain(id)
    expect(await listed('expired')).toEqual([])

    time.nowMs = midnightBefore(START_MS) + 6 * DAY_MS
    expect(await read()).toMatchObject({
      status: 'active',
      last_reset_at: nextMonday,
      usage_limits: { current_usage: 0, status: 'active' },
    })
    expect(await listed('exhausted')).toEqual([])
  })

  test('of a key begin at 0 again when that is asked for, and only when all of the change is well', async () => {
    const id = await newKey({ credit_limit: 1 })
    const path = `/api-keys/${id}`
    const usage = async () => ((await call('GET', path)).usage_limits as { current_usage: number }).current_usage
    spend(1, { owner: 'api_key', id })
    for (const wrong of [
      { reset_usage: true, expires_at: '2001-01-01T00:00:00Z' },
      { reset_usage: true, scopes: ['workspaces.create'] },
      { reset_usage: true, defaults: { config_id: 'none' } },
      { reset_usage: 'yes' },
    ]) {
      expect((await our.call('admin', 'PUT', path, wrong)).status).toBeGreaterThanOrEqual(400)
      expect(await usage()).toBe(1)
    }
    our.counters.failure = new Error('the ledger is away')
    const refused = await our.call('admin', 'PUT', path, { reset_usage: true, name: 'not written' })
    our.counters.failure = undefined
    expect(errorOf(refused).slice(0, 2)).toEqual([503, 'AB04'])
    expect(await call('GET', path)).toMatchObject({ name: 'k', status: 'exhausted' })
    expect(await usage()).toBe(1)

    await call('PUT', path, { reset_usage: true })
    expect(await call('GET', path)).toMatchObject({ status: 'active', usage_limits: { current_usage: 0 } })
    expect(await lastAudit()).toMatchObject({
      before: { status: 'exhausted', usage_limits: { current_usage: 1 } },
      after: { status: 'active', usage_limits: { current_usage: 0 }, reset_usage: true },
    })
  })

  test('that are raised keep their use and let calls through again', async () => {
    const id = await newKey({ credit_limit: 1, periodic_reset: 'monthly' })
    spend(1.5, { owner: 'api_key', id })
    const path = `/api-keys/${id}`
    expect((await call('GET', path)).status).toBe('exhausted')
    const { usage_limits: read } = await call('GET', path)
    await call('PUT', path, { usage_limits: { ...(read as object), credit_limit: 2 } })
    expect(await call('GET', path)).toMatchObject({
      status: 'active',
      usage_limits: { credit_limit: 2, current_usage: 1.5, next_usage_reset_at: '2030-02-01T00:00:00.000Z' },
    })
  })

  test('say which of their alerts were sent in the period', async () => {
    const id = await newKey({ credit_limit: 10, alert_threshold: 5, periodic_reset: 'monthly' })
    const counter = counterOf({ owner: 'api_key', id })
    const alert = {
      organisationId: our.organisationId,
      workspaceId: our.blue,
      kind: 'budget.threshold_reached' as const,
      subject: budgetSubject(counter),
      data: {},
      audit: { action: 'budgets.threshold_reached', objectKind: 'api_key', objectId: id },
    }
    await raiseAlert(store().db, alert, false)
    const sent = { is_threshold_alerts_sent: true, is_exhausted_alerts_sent: false }
    expect((await call('GET', `/api-keys/${id}`)).usage_limits).toMatchObject(sent)
    await raiseAlert(store().db, { ...alert, kind: 'budget.exhausted' }, false)
    const { data } = await call('GET', `/api-keys?workspace_id=${our.blue}`)
    expect((data as { id: string }[]).find((key) => key.id === id)).toMatchObject({
      usage_limits: { is_threshold_alerts_sent: true, is_exhausted_alerts_sent: true },
    })
    time.nowMs = Date.UTC(2030, 1, 1)
    expect((await call('GET', `/api-keys/${id}`)).usage_limits).toMatchObject({ is_threshold_alerts_sent: false })
  })

  test('of a workspace are one of each type, and are reset together', async () => {
    const limits = [
      { type: 'cost', credit_limit: 3 },
      { type: 'tokens', credit_limit: 100 },
    ]
    await call('PUT', '/workspaces/ws-red', { usage_limits: limits })
    const owner = { owner: 'workspace', id: our.red } as const
    spend(3, owner, { workspaceId: our.red })
    our.counters.spentElsewhere(counterOf(owner, { type: 'tokens', workspaceId: our.red }), 99n)
    const read = async () => (await call('GET', '/workspaces/ws-red')).usage_limits
    expect(await read()).toMatchObject([
      { type: 'cost', current_usage: 3, status: 'exhausted' },
      { type: 'tokens', current_usage: 99, status: 'active' },
    ])
    const answer = await call('PUT', '/workspaces/ws-red', { reset_usage: true })
    expect(answer.usage_limits).toMatchObject([{ current_usage: 0, status: 'active' }, { current_usage: 0 }])
    expect(await read()).toMatchObject([{ current_usage: 0 }, { current_usage: 0 }])
    expect(await lastAudit()).toMatchObject({ after: { reset_usage: true } })
    await call('PUT', '/workspaces/ws-red', { usage_limits: null })
  })

  test('of a provider make it exhausted, under both of its names', async () => {
    const { slug } = await newProvider()
    const limits = { usage_limits: { credit_limit: 5 } }
    const { id } = await call('POST', '/providers', { name: 'P', integration_id: slug, slug: `${slug}-p`, ...limits })
    spend(5, { owner: 'virtual_key', id: String(id) })
    const [provider, virtualKey] = [`/providers/${slug}-p`, `/virtual-keys/${slug}-p`]
    for (const path of [provider, virtualKey]) {
      expect(await call('GET', path)).toMatchObject({
        status: 'exhausted',
        usage_limits: { current_usage: 5, status: 'exhausted', is_exhausted_alerts_sent: false },
      })
      const { data } = await call('GET', `${path.slice(0, path.lastIndexOf('/'))}?page_size=1000`)
      const found = (data as { slug: string }[]).find((each) => each.slug === `${slug}-p`)
      expect(found).toMatchObject({ status: 'exhausted' })
      await call('PUT', path, { reset_usage: true })
      expect(await call('GET', path)).toMatchObject({ status: 'active', usage_limits: { current_usage: 0 } })
      spend(5, { owner: 'virtual_key', id: String(id) })
    }
    await call('PUT', virtualKey, { usage_limits: { credit_limit: 6 } })
    expect(await call('GET', provider)).toMatchObject({ status: 'active', usage_limits: { current_usage: 5 } })
  })

  test('of a grant are those of one workspace, whose providers they exhaust', async () => {
    const { path, slug, integrationId } = await newProvider({ usage_limits: [{ credit_limit: 5 }] })
    await call('POST', '/providers', { name: 'P', integration_id: slug, slug: `${slug}-p` })
    const owner = { owner: 'integration', id: integrationId } as const
    const red = { id: our.red, enabled: true, usage_limits: [{ credit_limit: 5 }], create_default_provider: false }
    await call('PUT', path, { workspaces: [red] })
    spend(5, owner)
    const read = async () => (await call('GET', path)).workspaces
    expect(await read()).toMatchObject([
      { id: our.blue, usage_limits: [{ current_usage: 5, status: 'exhausted' }] },
      { id: our.red, usage_limits: [{ current_usage: 0, status: 'active' }] },
    ])
    expect(await call('GET', `/providers/${slug}-p`)).toMatchObject({ status: 'exhausted', usage_limits: null })
    const wrong = { id: 'none', enabled: true }
    const blue = { id: our.blue, enabled: true, reset_usage: true }
    expect((await our.call('admin', 'PUT', path, { workspaces: [blue, wrong] })).status).toBe(404)
    expect(await read()).toMatchObject([{ usage_limits: [{ current_usage: 5 }] }, {}])
    await call('PUT', path, { workspaces: [blue] })
    expect(await read()).toMatchObject([{ usage_limits: [{ current_usage: 0, credit_limit: 5 }] }, {}])
    expect(await lastAudit()).toMatchObject({
      before: { workspaces: [{ usage_limits: [{ current_usage: 5 }] }, {}] },
      after: { reset_usage: [our.blue] },
    })
  })

  test('of the access of all count for each workspace, and go on in a grant of its own', async () => {
    const { path, slug, integrationId } = await newProvider()
    const shared = { enabled: true, usage_limits: [{ credit_limit: 5, periodic_reset: 'monthly' }] }
    await call('PUT', path, { global_workspace_access: shared, override_existing_workspace_access: true })
    const provider = { name: 'P', integration_id: slug, slug: `${slug}-p`, workspace_id: our.red }
    await call('POST', '/providers', provider)
    spend(5, { owner: 'integration', id: integrationId }, { workspaceId: our.red })
    const status = async () => (await call('GET', `/providers/${slug}-p?workspace_id=${our.red}`)).status
    expect(await status()).toBe('exhausted')

    time.nowMs += DAY_MS
    const grant = { id: our.red, enabled: true, usage_limits: [{ credit_limit: 6, periodic_reset: 'monthly' }] }
    await call('PUT', path, { workspaces: [grant] })
    expect((await call('GET', path)).workspaces).toMatchObject([
      { usage_limits: [{ current_usage: 5, credit_limit: 6 }] },
    ])
    expect(await status()).toBe('active')
  })

  test('of the access of all hold on in a grant that says nothing of them', async () => {
    const { path } = await newProvider()
    const shared = { enabled: true, usage_limits: [{ credit_limit: 5 }] }
    await call('PUT', path, { global_workspace_access: shared })
    await call('PUT', path, { workspaces: [{ id: our.red, enabled: true }] })
    expect((await call('GET', path)).workspaces).toMatchObject([
      { id: our.blue, usage_limits: null },
      { id: our.red, usage_limits: [{ credit_limit: 5 }] },
    ])
  })

  test('of an object that is gone stand in nobody’s way', async () => {
    const id = await newKey({ credit_limit: 1 })
    spend(1, { owner: 'api_key', id })
    await call('DELETE', `/api-keys/${id}`)
    expect(await listed('exhausted')).not.toContain(id)
    expect((await our.call('admin', 'GET', `/api-keys/${id}`)).status).toBe(404)
  })
})
