import { beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { describeOnBothStores } from '../../store/testing.ts'
import { errorOf } from '../integrations/test-support.ts'
import { type BudgetsFixture, createBudgetsFixture, NEW, NOON_MS, PATH } from './test-support.ts'

describeOnBothStores('usage limits policies', (store) => {
  let our: BudgetsFixture
  beforeAll(async () => {
    our = await createBudgetsFixture(store())
  })
  const EMPTY = { status: 200, body: {} }
  const statusOf = async (token: string, path: string) => (await our.call(token, 'GET', path)).status

  test('are made, shown, changed, archived and restored', async () => {
    const made = await our.call('blue', 'POST', PATH, NEW)
    expect(made).toEqual({ status: 200, body: { id: expect.any(String), object: 'policy_usage_limits' } })
    const path = `${PATH}/${made.body.id}`
    const shown = await our.shown(path)
    expect(shown).toEqual({
      ...NEW,
      id: made.body.id,
      description: null,
      alert_threshold: null,
      periodic_reset: null,
      periodic_reset_days: null,
      next_usage_reset_at: null,
      last_reset_at: null,
      status: 'active',
      enforcement: 'soft',
      on_unknown_price: 'allow',
      mode: 'enforce',
      workspace_id: our.blue,
      organisation_id: our.organisationId,
      created_at: expect.stringMatching(/Z$/),
      last_updated_at: shown.created_at,
      object: 'policy_usage_limits',
    })
    const change = {
      name: 'Per team',
      description: 'agreed in May',
      credit_limit: 0.5,
      alert_threshold: 0.25,
      conditions: [{ key: 'metadata.team', value: ['a', 'b'], excludes: 'c' }],
      periodic_reset: 'monthly',
      enforcement: 'reserve',
      on_unknown_price: 'refuse',
      mode: 'shadow',
    }
    expect(await our.call('blue', 'PUT', path, change)).toEqual(EMPTY)
    expect(await our.shown(path)).toEqual({
      ...shown,
      ...change,
      next_usage_reset_at: '2030-02-01T00:00:00.000Z',
      last_updated_at: expect.any(String),
    })
    const cleared = { name: null, description: null, alert_threshold: null, periodic_reset: null }
    expect(await our.call('blue', 'PUT', path, cleared)).toEqual(EMPTY)
    expect(await our.shown(path)).toMatchObject({ ...cleared, credit_limit: 0.5, next_usage_reset_at: null })

    expect(await our.call('blue', 'DELETE', path)).toEqual(EMPTY)
    expect(await our.shown(`${path}?status=archived`)).toMatchObject({ status: 'archived' })
    expect(await our.call('blue', 'PUT', path, { status: 'active', credit_limit: 2 })).toEqual(EMPTY)
    expect(await our.shown(path)).toMatchObject({ status: 'active', credit_limit: 2 })
    const audit = (await our.audit()).slice(0, 5)
    expect(audit.map(({ action }) => action)).toEqual([
      'policies.update',
      'policies.delete',
      'policies.update',
      'policies.update',
      'policies.create',
    ])
    expect(audit[0]).toMatchObject({
      before: { status: 'archived', credit_limit: 0.5 },
      after: { status: 'active', credit_limit: 2 },
    })
    expect(audit[3]).toMatchObject({ before: { name: 'Per user' }, after: { name: 'Per team', mode: 'shadow' } })
  })

  test('that are archived are there for those alone who ask for them', async () => {
    const path = await our.make('blue')
    expect(await statusOf('blue', `${path}?status=archived`)).toBe(404)
    expect(await our.call('blue', 'PUT', path, { status: 'archived' })).toEqual(EMPTY)
    expect(await statusOf('blue', path)).toBe(404)
    expect(await statusOf('blue', `${path}?status=archived`)).toBe(200)
    expect(errorOf(await our.call('blue', 'DELETE', path))).toEqual([404, 'AB08', null])
    for (const change of [{ credit_limit: 2 }, { status: 'archived' }, { reset_usage_for_value: 'any' }]) {
      expect(errorOf(await our.call('blue', 'PUT', path, change))).toEqual([404, 'AB08', null])
    }
  })

  test('belong to the workspace of the key, or to the one that an organisation key names', async () => {
    const [ours, named] = [
      await our.make('admin'),
      await our.make('admin', { workspace_id: 'ws-red', organisation_id: our.organisationId.toUpperCase() }),
    ]
    const place = async (path: string) => (await our.shown(path, 'admin')).workspace_id
    expect([await place(ours), await place(named)]).toEqual([our.blue, our.red])
    expect(await statusOf('red', named)).toBe(200)
    expect(await statusOf('admin', `${named}?workspace_id=ws-red`)).toBe(200)
    expect(errorOf(await our.call('admin', 'GET', `${named}?workspace_id=${our.blue}`))).toEqual([404, 'AB08', null])
    for (const token of ['blue', 'stranger']) {
      expect(errorOf(await our.call(token, 'GET', named))).toEqual([404, 'AB08', null])
      expect(errorOf(await our.call(token, 'PUT', named, { credit_limit: 1 }))).toEqual([404, 'AB08', null])
      expect(errorOf(await our.call(token, 'DELETE', named))).toEqual([404, 'AB08', null])
    }
    const create = (token: string, changes: object) => our.call(token, 'POST', PATH, { ...NEW, ...changes })
    expect(errorOf(await create('red', { workspace_id: our.blue }))).toEqual([403, 'AB03', 'workspace_id'])
    expect(errorOf(await create('admin', { workspace_id: 'none' }))).toEqual([404, 'AB02', 'workspace_id'])
    const foreign = { organisation_id: crypto.randomUUID() }
    expect(errorOf(await create('admin', foreign))).toEqual([403, 'AB03', 'organisation_id'])
    const totalOf = async (query: string) => (await our.shown(`${PATH}${query}`, 'admin')).total
    expect(await totalOf('?workspace_id=ws-red')).toBe(1)
    expect(await totalOf('')).toBe(await totalOf(`?workspace_id=${our.blue}`))
  })

  test('are listed by each filter and by page', async () => {
    for (const [name, changes] of Object.entries({
      'list one': {},
      'list two': { type: 'tokens', credit_limit: 100 },
      'list three': { type: 'requests', credit_limit: 1 },
    })) {
      await our.make('blue', { name, ...changes })
    }
    const list = async (query: string) => {
      const body = await our.shown(`${PATH}?search=LIST&${query}`)
      expect(body.object).toBe('list')
      return { total: body.total, names: (body.data as { name: string }[]).map(({ name }) => name.slice(5)) }
    }
    expect(await list('')).toEqual({ total: 3, names: ['one', 'two', 'three'] })
    expect(await list('type=tokens')).toEqual({ total: 1, names: ['two'] })
    expect(await list('type=requests')).toEqual({ total: 1, names: ['three'] })
    expect(await list('page_size=2&current_page=1')).toEqual({ total: 3, names: ['three'] })
    expect(await list('page_size=0')).toEqual({ total: 3, names: [] })
    expect(await list('status=archived')).toEqual({ total: 0, names: [] })
    expect(await list('organisation_id=whatever')).toMatchObject({ total: 3 })
    const [row] = (await our.shown(`${PATH}?search=list two`)).data as [object]
    expect(row).toMatchObject({ name: 'list two', next_usage_reset_at: null })
    expect(row).not.toHaveProperty('object')
    for (const query of ['page_size=-1', 'page_size=1001', 'status=gone', 'type=calls', 'unit=rpm', 'search=']) {
      expect(errorOf(await our.call('blue', 'GET', `${PATH}?${query}`))).toEqual([400, 'AB01', query.split('=')[0]])
    }
  })

  test.each([
    ['credit_limit', { type: 'cost', credit_limit: 0 }],
    ['credit_limit', { type: 'cost', credit_limit: 9_000_000 }],
    ['credit_limit', { type: 'cost', credit_limit: 8_999_999.123456789 }],
    ['credit_limit', { type: 'cost', credit_limit: 0.000000001 }],
    ['credit_limit', { type: 'tokens', credit_limit: 1_000_000_000_000_000 }],
    ['credit_limit', { type: 'requests', credit_limit: 1 }],
    ['alert_threshold', { type: 'tokens', credit_limit: 2, alert_threshold: 1 }],
    ['alert_threshold', { type: 'cost', credit_limit: 0.3, alert_threshold: 0 }],
    ['periodic_reset_days', { periodic_reset_days: 365 }],
    ['periodic_reset_days', { periodic_reset_days: 1, periodic_reset: null }],
    ['group_by', { group_by: Array.from({ length: 20 }, (_, index) => ({ key: `metadata.${index}` })) }],
    ['conditions', { conditions: [{ key: 'workspace_id', value: 'any' }] }],
  ])('may have %s at the edge of its bounds: %j', async (_field, changes) => {
    expect(await our.shown(await our.make('blue', changes))).toMatchObject(changes)
  })

  test.each<[string, Record<string, unknown>]>([
    ['credit_limit', { credit_limit: undefined }],
    ['credit_limit', { credit_limit: null }],
    ['credit_limit', { credit_limit: '10' }],
    ['credit_limit', { credit_limit: -1 }],
    ['credit_limit', { credit_limit: -0.01 }],
    ['credit_limit', { credit_limit: 1e30 }],
    ['credit_limit', { credit_limit: 9_000_000.01 }],
    ['credit_limit', { credit_limit: 0.0000000001 }],
    ['credit_limit', { type: 'tokens', credit_limit: 1.5 }],
    ['credit_limit', { type: 'requests', credit_limit: 1_000_000_000_000_001 }],
    ['alert_threshold', { alert_threshold: 10 }],
    ['alert_threshold', { alert_threshold: 11 }],
    ['alert_threshold', { alert_threshold: -1 }],
    ['alert_threshold', { alert_threshold: 1e30 }],
    ['alert_threshold', { alert_threshold: 0.0000000001 }],
    ['alert_threshold', { type: 'tokens', alert_threshold: 1.5 }],
    ['alert_threshold', { credit_limit: 0, alert_threshold: 0 }],
    ['type', { type: undefined }],
    ['type', { type: 'dollars' }],
    ['periodic_reset', { periodic_reset: 'daily' }],
    ['periodic_reset_days', { periodic_reset_days: 0 }],
    ['periodic_reset_days', { periodic_reset_days: 366 }],
    ['periodic_reset_days', { periodic_reset_days: 1.5 }],
    ['periodic_reset_days', { periodic_reset: 'weekly', periodic_reset_days: 7 }],
    ['next_usage_reset_at', { next_usage_reset_at: 'tomorrow' }],
    ['next_usage_reset_at', { next_usage_reset_at: '2031-02-30T00:00:00Z' }],
    ['next_usage_reset_at', { next_usage_reset_at: '2031-02-01T00:00:00' }],
    ['next_usage_reset_at', { next_usage_reset_at: '2030-01-02T23:00:00Z' }],
    ['conditions', { conditions: undefined }],
    ['conditions', { conditions: [] }],
    ['conditions[0].key', { conditions: [{ key: 'endpoint_type', value: 'chatComplete' }] }],
    ['conditions[0].key', { conditions: [{ key: 'mcp_tool', value: 'x' }] }],
    ['conditions[0].value', { conditions: [{ key: 'model', value: [] }] }],
    ['group_by', { group_by: undefined }],
    ['group_by', { group_by: [] }],
    ['group_by[0].key', { group_by: [{ key: 'endpoint_type' }] }],
    ['group_by[1].key', { group_by: [{ key: 'api_key' }, { key: 'api_key' }] }],
    ['name', { name: 'n'.repeat(256) }],
    ['description', { description: 'd'.repeat(501) }],
    ['enforcement', { enforcement: 'hard' }],
    ['on_unknown_price', { on_unknown_price: 'guess' }],
    ['mode', { mode: 'off' }],
    ['organisation_id', { organisation_id: 'ours' }],
    ['status', { status: 'archived' }],
    ['reset_usage_for_value', { reset_usage_for_value: 'any' }],
  ])('that are wrong are refused, naming %s: %j', async (param, changes) => {
    const { total } = await our.shown(PATH)
    expect(errorOf(await our.call('blue', 'POST', PATH, { ...NEW, ...changes }))).toEqual([400, 'AB01', param])
    expect((await our.shown(PATH)).total).toBe(total)
  })

  test.each(['NaN', '1e999', '-1e999'])('with a number that is none are refused: %s', async (text) => {
    const body = JSON.stringify({ ...NEW, credit_limit: 'LIMIT' }).replace('"LIMIT"', text)
    expect((await our.call('blue', 'POST', PATH, body)).status).toBe(400)
  })

  test('keep what makes them what they are, whatever a change says', async () => {
    const path = await our.make('blue', { alert_threshold: 5 })
    const before = await our.shown(path)
    for (const [param, value] of [
      ['type', 'cost'],
      ['group_by', [{ key: 'api_key' }]],
      ['workspace_id', our.blue],
      ['organisation_id', null],
    ] as const) {
      const answer = await our.call('blue', 'PUT', path, { credit_limit: 6, [param]: value })
      expect(errorOf(answer)).toEqual([400, 'AB01', param])
      expect(JSON.stringify(answer.body)).toContain('cannot be changed: archive the policy and create another one')
    }
    for (const [param, change] of [
      [null, {}],
      ['id', { id: crypto.randomUUID() }],
      ['credit_limit', { credit_limit: -1 }],
      ['credit_limit', { credit_limit: null }],
      ['credit_limit', { credit_limit: 5 }],
      ['credit_limit', { credit_limit: 0.0000000001, alert_threshold: null }],
      ['alert_threshold', { alert_threshold: 10 }],
      ['alert_threshold', { credit_limit: 6, alert_threshold: 6 }],
      ['periodic_reset_days', { periodic_reset: 'weekly', periodic_reset_days: 7 }],
      ['next_usage_reset_at', { next_usage_reset_at: '2029-01-01T00:00:00Z' }],
      ['status', { status: 'deleted' }],
      ['conditions[0].key', { conditions: [{ key: 'endpoint_type', value: 'embed' }] }],
    ] as const) {
      expect(errorOf(await our.call('blue', 'PUT', path, change))).toEqual([400, 'AB01', param])
    }
    expect(await our.shown(path)).toEqual(before)
    expect(await our.call('blue', 'PUT', path, { credit_limit: 5, alert_threshold: 4 })).toEqual(EMPTY)
    expect(await our.call('blue', 'PUT', path, { credit_limit: 4, alert_threshold: null })).toEqual(EMPTY)
  })

  test('need the scope of the verb', async () => {
    const path = await our.make('blue')
    const verbs = ['create', 'read', 'update', 'delete', 'list']
    for (const [verb, method, place, body] of [
      ['list', 'GET', PATH, undefined],
      ['create', 'POST', PATH, NEW],
      ['read', 'GET', path, undefined],
      ['read', 'GET', `${path}/entities`, undefined],
      ['read', 'POST', `${PATH}/evaluate`, {}],
      ['update', 'PUT', path, { credit_limit: 1 }],
      ['delete', 'DELETE', path, undefined],
    ] as const) {
      const others = verbs.filter((other) => other !== verb).map((other) => `policies.${other}`)
      expect(errorOf(await our.call(`blue:${others}`, method, place, body))).toEqual([403, 'AB03', null])
      expect((await our.call(`blue:policies.${verb}`, method, place, body)).status).toBe(200)
    }
  })

  test('are at most 10,000 in a workspace, archived ones not counted', async () => {
    const path = await our.make('red')
    await store().db.execute(sql`
      insert into usage_limit_policies (id, organisation_id, workspace_id, conditions, group_by, type, credit_limit, schedule)
      select gen_random_uuid(), ${our.organisationId}, ${our.red}, '[]', '[]', 'cost', 1,
        ${JSON.stringify({ since: { startMs: NOON_MS, setAtMs: NOON_MS } })}::jsonb
      from generate_series(1, 10000 - (select count(*) from usage_limit_policies
        where workspace_id = ${our.red} and status = 'active'))`)
    const refused = await our.call('red', 'POST', PATH, NEW)
    expect(errorOf(refused)).toEqual([400, 'AB01', null])
    expect(JSON.stringify(refused.body)).toContain('10000 active usage limits policies')
    expect((await our.call('red', 'PUT', path, { credit_limit: 7 })).status).toBe(200)
    await our.call('red', 'DELETE', path)
    await our.make('red')
    expect(errorOf(await our.call('red', 'PUT', path, { status: 'active' }))).toEqual([400, 'AB01', null])
  })
})
