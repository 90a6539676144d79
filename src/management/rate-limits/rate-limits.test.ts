import { beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { describeOnBothStores } from '../../store/testing.ts'
import { createFixture, errorOf, type Fixture } from '../integrations/test-support.ts'
import { rateLimitsRoutes } from './routes.ts'
import { endpointTypes } from './test-support.ts'

const PATH = '/policies/rate-limits'
const NEW = {
  name: 'Per user',
  conditions: [{ key: 'api_key', value: '*' }],
  group_by: [{ key: 'metadata._user' }],
  type: 'requests',
  unit: 'rpm',
  value: 60,
}

describeOnBothStores('rate limits policies', (store) => {
  let our: Fixture
  beforeAll(async () => {
    our = await createFixture(store(), () => rateLimitsRoutes({ endpointTypes }))
  })

  const make = async (token: string, changes: Record<string, unknown> = {}): Promise<string> => {
    const { status, body } = await our.call(token, 'POST', PATH, { ...NEW, ...changes })
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
    return `${PATH}/${body.id}`
  }
  const statusOf = async (token: string, path: string) => (await our.call(token, 'GET', path)).status
  const idOf = (path: string) => path.slice(PATH.length + 1)
  const EMPTY = { status: 200, body: {} }

  test('may have no name, and are read in the workspace that the call names', async () => {
    const path = await make('blue', { name: null })
    expect((await our.call('admin', 'GET', path)).body).toMatchObject({ name: null })
    for (const workspace of [our.blue, 'ws-default']) {
      expect((await our.call('admin', 'GET', `${path}?workspace_id=${workspace}`)).status).toBe(200)
      expect((await our.call('blue', 'GET', `${path}?workspace_id=${workspace}`)).status).toBe(200)
    }
    expect(errorOf(await our.call('admin', 'GET', `${path}?workspace_id=ws-red`))).toEqual([404, 'AB08', null])
    expect(errorOf(await our.call('admin', 'GET', `${path}?workspace_id=none`))).toEqual([404, 'AB02', 'workspace_id'])
    expect(errorOf(await our.call('blue', 'GET', `${path}?workspace_id=ws-red`))).toEqual([403, 'AB03', 'workspace_id'])
    await our.call('blue', 'DELETE', path)
  })

  test('pages are asked for in the older spelling too', async () => {
    const paths = [await make('red'), await make('red'), await make('red')]
    const page = (await our.call('red', 'GET', `${PATH}?pageSize=2&currentPage=1`)).body
    expect(page).toMatchObject({ total: 3, data: [{ id: expect.any(String) }] })
    expect(page.data).toHaveLength(1)
    expect(errorOf(await our.call('red', 'GET', `${PATH}?pageSize=2&page_size=2`))).toEqual([400, 'AB01', 'page_size'])
    expect(errorOf(await our.call('red', 'GET', `${PATH}?pageSize=many`))).toEqual([400, 'AB01', 'page_size'])
    for (const path of paths) await our.call('red', 'DELETE', path)
  })

  test('are made, shown, changed, archived and restored', async () => {
    const made = await our.call('blue', 'POST', PATH, NEW)
    expect(made).toEqual({ status: 200, body: { id: expect.any(String), object: 'policy_rate_limits' } })
    const path = `${PATH}/${made.body.id}`
    const shown = (await our.call('blue', 'GET', path)).body
    expect(shown).toEqual({
      ...NEW,
      id: made.body.id,
      description: null,
      target: 'llm',
      status: 'active',
      on_store_failure: 'local',
      reservation: 'bounded',
      mode: 'enforce',
      workspace_id: our.blue,
      organisation_id: our.organisationId,
      created_at: expect.stringMatching(/Z$/),
      last_updated_at: shown.created_at,
      object: 'policy_rate_limits',
    })
    const change = {
      name: 'Per team',
      description: 'agreed in May',
      unit: 'rph',
      value: 1,
      conditions: [{ key: 'metadata.team', value: ['a', 'b'], excludes: 'c' }],
      on_store_failure: 'closed',
      reservation: 'max',
      mode: 'shadow',
    }
    expect(await our.call('blue', 'PUT', path, change)).toEqual(EMPTY)
    const changed = (await our.call('blue', 'GET', path)).body
    expect(changed).toEqual({ ...shown, ...change, last_updated_at: expect.any(String) })
    expect(await our.call('blue', 'PUT', path, { name: null, description: null })).toEqual(EMPTY)
    expect((await our.call('blue', 'GET', path)).body).toMatchObject({ name: null, description: null, value: 1 })

    expect(await our.call('blue', 'DELETE', path)).toEqual(EMPTY)
    expect((await our.call('blue', 'GET', `${path}?status=archived`)).body).toMatchObject({ status: 'archived' })
    expect(await our.call('blue', 'PUT', path, { status: 'active', value: 2 })).toEqual(EMPTY)
    expect((await our.call('blue', 'GET', path)).body).toMatchObject({ status: 'active', value: 2 })
    const audit = (await our.audit()).slice(0, 5)
    expect(audit.map(({ action }) => action)).toEqual([
      'policies.update',
      'policies.delete',
      'policies.update',
      'policies.update',
      'policies.create',
    ])
    expect(audit[0]).toMatchObject({ before: { status: 'archived', value: 1 }, after: { status: 'active', value: 2 } })
    expect(audit[3]).toMatchObject({ before: { name: 'Per user' }, after: { name: 'Per team', mode: 'shadow' } })
  })

  test('that are archived are there for those alone who ask for them', async () => {
    const path = await make('blue')
    expect(await statusOf('blue', `${path}?status=archived`)).toBe(404)
    expect(await our.call('blue', 'PUT', path, { status: 'archived' })).toEqual(EMPTY)
    expect(await statusOf('blue', path)).toBe(404)
    expect(await statusOf('blue', `${path}?status=archived`)).toBe(200)
    expect(errorOf(await our.call('blue', 'DELETE', path))).toEqual([404, 'AB08', null])
    for (const change of [{ value: 2 }, { status: 'archived' }]) {
      expect(errorOf(await our.call('blue', 'PUT', path, change))).toEqual([404, 'AB08', null])
    }
    const listed = async (query: string) =>
      ((await our.call('blue', 'GET', `${PATH}${query}`)).body.data as { id: string }[]).some(
        ({ id }) => id === idOf(path),
      )
    expect([await listed(''), await listed('?status=active'), await listed('?status=archived')]).toEqual([
      false,
      false,
      true,
    ])
  })

  test('belong to the workspace of the key, or to the one that an organisation key names', async () => {
    const [ours, named, theirs] = [
      await make('admin'),
      await make('admin', { workspace_id: 'ws-red', organisation_id: our.organisationId.toUpperCase() }),
      await make('red', { workspace_id: our.red }),
    ]
    const place = async (path: string) => (await our.call('admin', 'GET', path)).body.workspace_id
    expect([await place(ours), await place(named), await place(theirs)]).toEqual([our.blue, our.red, our.red])
    expect(await statusOf('red', named)).toBe(200)
    for (const token of ['blue', 'stranger']) {
      expect(errorOf(await our.call(token, 'GET', named))).toEqual([404, 'AB08', null])
      expect(errorOf(await our.call(token, 'PUT', named, { value: 1 }))).toEqual([404, 'AB08', null])
      expect(errorOf(await our.call(token, 'DELETE', named))).toEqual([404, 'AB08', null])
    }
    const create = (token: string, changes: object) => our.call(token, 'POST', PATH, { ...NEW, ...changes })
    expect(errorOf(await create('red', { workspace_id: our.blue }))).toEqual([403, 'AB03', 'workspace_id'])
    expect(errorOf(await create('admin', { workspace_id: 'none' }))).toEqual([404, 'AB02', 'workspace_id'])
    const foreign = { organisation_id: crypto.randomUUID() }
    expect(errorOf(await create('admin', foreign))).toEqual([403, 'AB03', 'organisation_id'])
    const totalOf = async (query: string) => (await our.call('admin', 'GET', `${PATH}${query}`)).body.total
    expect(await totalOf('?workspace_id=ws-red')).toBe(2)
    expect(await totalOf(`?workspace_id=${our.red.toUpperCase()}`)).toBe(2)
    expect(await totalOf('')).toBe(await totalOf(`?workspace_id=${our.blue}`))
    expect(errorOf(await our.call('red', 'GET', `${PATH}?workspace_id=${our.blue}`))).toEqual([
      403,
      'AB03',
      'workspace_id',
    ])
  })

  test('are listed by each filter and by page', async () => {
    const names: Record<string, object> = {
      'list one': {},
      'list two': { type: 'tokens', description: 'two' },
      'list three': { unit: 'rpw' },
      'list four': { target: 'mcp_tools', group_by: undefined },
    }
    for (const [name, changes] of Object.entries(names)) await make('blue', { name, ...changes })
    const list = async (query: string) => {
      const { status, body } = await our.call('blue', 'GET', `${PATH}?search=LIST&${query}`)
      expect([status, body.object]).toEqual([200, 'list'])
      return { total: body.total, names: (body.data as { name: string }[]).map(({ name }) => name.slice(5)) }
    }
    expect(await list('')).toEqual({ total: 4, names: ['one', 'two', 'three', 'four'] })
    expect(await list('type=tokens')).toEqual({ total: 1, names: ['two'] })
    expect(await list('unit=rpw')).toEqual({ total: 1, names: ['three'] })
    expect(await list('target=mcp_tools')).toEqual({ total: 1, names: ['four'] })
    expect(await list('target=llm&type=requests&unit=rpm')).toEqual({ total: 1, names: ['one'] })
    expect(await list('page_size=1&current_page=2')).toEqual({ total: 4, names: ['three'] })
    expect(await list('page_size=3&current_page=1')).toEqual({ total: 4, names: ['four'] })
    expect(await list('page_size=0')).toEqual({ total: 4, names: [] })
    expect(await list('page_size=0&current_page=5')).toEqual({ total: 4, names: [] })
    expect(await list('current_page=9')).toEqual({ total: 4, names: [] })
    expect(await list('organisation_id=whatever')).toMatchObject({ total: 4 })
    const [row] = (await our.call('blue', 'GET', `${PATH}?search=list two`)).body.data as [object]
    expect(row).toMatchObject({ name: 'list two', description: 'two' })
    expect(row).not.toHaveProperty('object')
    for (const query of ['page_size=-1', 'page_size=1001', 'page_size=1.5', 'current_page=-1', 'status=gone']) {
      expect(errorOf(await our.call('blue', 'GET', `${PATH}?${query}`))).toEqual([400, 'AB01', query.split('=')[0]])
    }
    for (const query of ['type=calls', 'unit=rps', 'target=all', 'search=', 'name=list']) {
      expect(errorOf(await our.call('blue', 'GET', `${PATH}?${query}`))).toEqual([400, 'AB01', query.split('=')[0]])
    }
  })

  test.each([
    ['llm', 'api_key'],
    ['llm', 'workspace_id'],
    ['llm', 'organisation_id'],
    ['llm', 'virtual_key'],
    ['llm', 'provider'],
    ['llm', 'config'],
    ['llm', 'prompt'],
    ['llm', 'model'],
    ['llm', 'endpoint_type'],
    ['llm', 'metadata.team'],
    ['mcp_tools', 'api_key'],
    ['mcp_tools', 'workspace_id'],
    ['mcp_tools', 'mcp_server'],
    ['mcp_tools', 'mcp_tool'],
    ['mcp_tools', 'metadata.a.b'],
  ])('for %s may look at %s', async (target, key) => {
    const value = key === 'endpoint_type' ? ['chatComplete', 'stream-messages', 'uploadFile'] : 'x'
    const given = { target, conditions: [{ key, value }], group_by: [{ key }] }
    expect((await our.call('blue', 'GET', await make('blue', given))).body).toMatchObject(given)
  })

  test.each([
    ['llm', 'mcp_server'],
    ['llm', 'mcp_tool'],
    ['mcp_tools', 'organisation_id'],
    ['mcp_tools', 'model'],
    ['mcp_tools', 'virtual_key'],
    ['llm', 'metadata'],
    ['llm', 'metadata.'],
    ['llm', `metadata.${'x'.repeat(129)}`],
    ['llm', 'API_KEY'],
    ['llm', '__proto__'],
  ])('for %s may not look at %s', async (target, key) => {
    const fine = { key: 'api_key', value: 'x' }
    for (const [changes, at] of [
      [{ conditions: [fine, { key, value: 'x' }] }, 'conditions[1].key'],
      [{ group_by: [{ key: 'api_key' }, { key }] }, 'group_by[1].key'],
    ] as const) {
      const answer = await our.call('blue', 'POST', PATH, { ...NEW, conditions: [fine], target, ...changes })
      expect(errorOf(answer)).toEqual([400, 'AB01', at])
      expect(JSON.stringify(answer.body)).toContain('workspace_id')
      expect(JSON.stringify(answer.body)).toContain('metadata.<name>')
    }
  })

  test.each([
    [{ value: 'chatCompletion' }, 'conditions[0].value', "did you mean 'chatComplete'?"],
    [{ value: ['embed', 'stream-embed'] }, 'conditions[0].value', "'stream-embed'"],
    [{ value: ['*'] }, 'conditions[0].value', 'known are: chatComplete, stream-chatComplete'],
    [{ value: '*', excludes: 'chat' }, 'conditions[0].excludes', "'chat'"],
  ])('take kinds of call that there are: not %j', async (condition, at, words) => {
    const conditions = [{ key: 'endpoint_type', ...condition }]
    const refused = await our.call('blue', 'POST', PATH, { ...NEW, conditions })
    expect(errorOf(refused)).toEqual([400, 'AB01', at])
    expect(JSON.stringify(refused.body)).toContain(words)
    const place = await make('blue', { conditions: [{ key: 'endpoint_type', value: '*', excludes: 'proxy' }] })
    expect(errorOf(await our.call('blue', 'PUT', place, { conditions }))).toEqual([400, 'AB01', at])
  })

  test('take what stands at the edge of their bounds', async () => {
    const given = {
      name: 'n'.repeat(255),
      description: 'd'.repeat(500),
      value: 1_000_000_000_000,
      conditions: Array.from({ length: 100 }, () => ({
        key: 'model',
        value: Array.from({ length: 100 }, (_, index) => `m${index}`),
      })),
      group_by: Array.from({ length: 20 }, (_, index) => ({ key: `metadata.${index}` })),
    }
    expect((await our.call('blue', 'GET', await make('blue', given))).body).toMatchObject(given)
    expect((await our.call('blue', 'GET', await make('blue', { name: '', value: 1 }))).body).toMatchObject({ name: '' })
    const long = { conditions: [{ key: 'model', value: 'm'.repeat(255), excludes: ['*'] }] }
    expect((await our.call('blue', 'GET', await make('blue', long))).body).toMatchObject(long)
  })

  const condition = { key: 'model', value: 'x' }
  test.each<[string, Record<string, unknown>]>([
    ['value', { value: 0 }],
    ['value', { value: -1 }],
    ['value', { value: 1.5 }],
    ['value', { value: 1_000_000_000_001 }],
    ['value', { value: '60' }],
    ['value', { value: null }],
    ['value', { value: undefined }],
    ['type', { type: undefined }],
    ['type', { type: 'cost' }],
    ['unit', { unit: undefined }],
    ['unit', { unit: 'rps' }],
    ['unit', { unit: 'tpd' }],
    ['target', { target: 'all' }],
    ['conditions', { conditions: undefined }],
    ['conditions', { conditions: [] }],
    ['conditions', { conditions: Array.from({ length: 101 }, () => condition) }],
    ['conditions[0].key', { conditions: [{ value: 'x' }] }],
    ['conditions[0].value', { conditions: [{ key: 'model' }] }],
    ['conditions[0].value', { conditions: [{ key: 'model', value: '' }] }],
    ['conditions[0].value', { conditions: [{ key: 'model', value: [] }] }],
    ['conditions[0].value[1]', { conditions: [{ key: 'model', value: ['a', ''] }] }],
    ['conditions[0].value', { conditions: [{ key: 'model', value: Array.from({ length: 101 }, () => 'x') }] }],
    ['conditions[0].excludes', { conditions: [{ ...condition, excludes: [] }] }],
    ['conditions[0].values', { conditions: [{ ...condition, values: 'x' }] }],
    ['group_by', { group_by: undefined }],
    ['group_by', { group_by: [] }],
    ['group_by', { target: 'mcp_tools', group_by: [] }],
    ['group_by[0]', { group_by: ['api_key'] }],
    ['group_by[2].key', { group_by: [{ key: 'api_key' }, { key: 'model' }, { key: 'api_key' }] }],
    ['name', { name: 'n'.repeat(256) }],
    ['name', { name: 5 }],
    ['description', { description: 'd'.repeat(501) }],
    ['on_store_failure', { on_store_failure: 'ignore' }],
    ['reservation', { reservation: 'none' }],
    ['mode', { mode: 'off' }],
    ['organisation_id', { organisation_id: 'ours' }],
    ['status', { status: 'archived' }],
    ['policy', { policy: {} }],
  ])('that are wrong are refused, naming %s: %j', async (param, changes) => {
    const { total } = (await our.call('blue', 'GET', PATH)).body
    expect(errorOf(await our.call('blue', 'POST', PATH, { ...NEW, ...changes }))).toEqual([400, 'AB01', param])
    expect((await our.call('blue', 'GET', PATH)).body.total).toBe(total)
  })

  test('keep what makes them what they are, whatever a change says', async () => {
    const path = await make('blue')
    const before = (await our.call('blue', 'GET', path)).body
    for (const [param, value] of [
      ['type', 'requests'],
      ['target', 'mcp_tools'],
      ['group_by', [{ key: 'api_key' }]],
      ['workspace_id', our.blue],
      ['organisation_id', null],
    ] as const) {
      const answer = await our.call('blue', 'PUT', path, { value: 5, [param]: value })
      expect(errorOf(answer)).toEqual([400, 'AB01', param])
      expect(JSON.stringify(answer.body)).toContain('cannot be changed: archive the policy and create another one')
    }
    for (const [param, change] of [
      [null, {}],
      ['id', { id: crypto.randomUUID() }],
      ['value', { value: 0 }],
      ['value', { value: 2.5 }],
      ['unit', { unit: 'rps' }],
      ['status', { status: 'deleted' }],
      ['conditions', { conditions: [] }],
      ['conditions[0].key', { conditions: [{ key: 'mcp_tool', value: 'x' }] }],
    ] as const) {
      expect(errorOf(await our.call('blue', 'PUT', path, change))).toEqual([400, 'AB01', param])
    }
    expect((await our.call('blue', 'GET', path)).body).toEqual(before)
  })

  test('need the scope of the verb', async () => {
    const path = await make('blue')
    const verbs = ['create', 'read', 'update', 'delete', 'list']
    for (const [verb, method, place, body] of [
      ['list', 'GET', PATH, undefined],
      ['create', 'POST', PATH, NEW],
      ['read', 'GET', path, undefined],
      ['update', 'PUT', path, { value: 1 }],
      ['delete', 'DELETE', path, undefined],
    ] as const) {
      const others = verbs.filter((other) => other !== verb).map((other) => `policies.${other}`)
      expect(errorOf(await our.call(`blue:${others}`, method, place, body))).toEqual([403, 'AB03', null])
      expect((await our.call(`blue:policies.${verb}`, method, place, body)).status).toBe(200)
    }
  })

  test('are at most 10,000 in a workspace, archived ones not counted', async () => {
    const path = await make('red')
    const fill = sql`
      insert into rate_limit_policies (id, organisation_id, workspace_id, conditions, group_by, type, unit, value)
      select gen_random_uuid(), ${our.organisationId}, ${our.red}, '[]', '[]', 'requests', 'rpm', 1
      from generate_series(1, 10000 - (select count(*) from rate_limit_policies
        where workspace_id = ${our.red} and status = 'active'))`
    await store().db.execute(fill)
    const refused = await our.call('red', 'POST', PATH, NEW)
    expect(errorOf(refused)).toEqual([400, 'AB01', null])
    expect(JSON.stringify(refused.body)).toContain('10000')
    expect((await our.call('red', 'PUT', path, { value: 7 })).status).toBe(200)
    expect((await our.call('blue', 'POST', PATH, NEW)).status).toBe(200)
    await our.call('red', 'DELETE', path)
    const other = await make('red')
    expect(errorOf(await our.call('red', 'PUT', path, { status: 'active' }))).toEqual([400, 'AB01', null])
    expect((await our.call('red', 'PUT', other, { status: 'active' })).status).toBe(200)
    await our.call('red', 'DELETE', other)
    expect((await our.call('red', 'PUT', path, { status: 'active' })).status).toBe(200)
  })
})
