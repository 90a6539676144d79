import { beforeAll, beforeEach, expect, test } from 'bun:test'
import { budgetSubject } from '../../alerts/budget-watch.ts'
import { type NewAlert, raiseAlert } from '../../alerts/raise.ts'
import type { LimitExplanation } from '../../core/limits.ts'
import { describeOnBothStores } from '../../store/testing.ts'
import { errorOf } from '../integrations/test-support.ts'
import { type BudgetsFixture, createBudgetsFixture, DAY_MS, NOON_MS, PATH } from './test-support.ts'

const DOLLAR = 1_000_000_000_000

describeOnBothStores('the use of usage limits policies', (store) => {
  let our: BudgetsFixture
  beforeAll(async () => {
    our = await createBudgetsFixture(store())
  })
  beforeEach(() => {
    our.time.nowMs = NOON_MS
    our.counters.failure = undefined
    our.fake.clear()
  })
  const EMPTY = { status: 200, body: {} }
  const user = (name: string | null) => ({ 'metadata._user': name })

  const entitiesOf = async (path: string, query = '') => {
    const { total, data } = await our.shown(`${path}/entities?${query}`)
    const rows = data as { id: string; value_key: string; current_usage: number }[]
    return { total, keys: rows.map((row) => row.value_key.replace('metadata._user:', '')), rows }
  }

  test('is shown by value key, to the last fraction of a dollar', async () => {
    const path = await our.make('blue', {
      credit_limit: 2,
      group_by: [{ key: 'metadata._user' }, { key: 'model' }],
    })
    await our.spend(path, { 'metadata._user': 'bob', model: 'openai.gpt-4o' }, 1_000_000_000_001)
    await our.spend(path, { 'metadata._user': null, model: 'openai.gpt-4o' }, 2 * DOLLAR)
    expect(await our.shown(`${path}/entities`)).toEqual({
      object: 'list',
      total: 2,
      data: [
        { id: expect.any(String), value_key: 'metadata._user:(absent)-model:openai.gpt-4o', current_usage: 2 },
        { id: expect.any(String), value_key: 'metadata._user:bob-model:openai.gpt-4o', current_usage: 1.000000000001 },
      ],
    })
    expect(await our.shown(path)).not.toHaveProperty('value_key_usage_map')
    const noAlerts = { is_threshold_alerts_sent: false, is_exhausted_alerts_sent: false }
    expect((await our.shown(`${path}?include_usage=true`)).value_key_usage_map).toEqual({
      'metadata._user:(absent)-model:openai.gpt-4o': { current_usage: 2, status: 'exhausted', ...noAlerts },
      'metadata._user:bob-model:openai.gpt-4o': { current_usage: 1.000000000001, status: 'active', ...noAlerts },
    })
  })

  test('tells which alerts were sent since its last reset', async () => {
    const path = await our.make('blue', { alert_threshold: 5 })
    await our.spend(path, user('anna'), 6 * DOLLAR)
    const [counter] = our.counters.list(our.blue, path.slice(PATH.length + 1), NOON_MS)
    if (counter === undefined) throw new Error('there is no count')
    const alert: NewAlert = {
      ...{ organisationId: our.organisationId, workspaceId: our.blue, data: {} },
      kind: 'budget.threshold_reached',
      subject: budgetSubject(counter),
      audit: { action: 'budgets.threshold_reached', objectKind: 'any', objectId: counter.key.budgetId },
    }
    await raiseAlert(store().db, alert, false)
    const flags = async () => {
      const map = (await our.shown(`${path}?include_usage=true`)).value_key_usage_map
      return (map as Record<string, unknown>)['metadata._user:anna']
    }
    const sent = { is_threshold_alerts_sent: true, is_exhausted_alerts_sent: false }
    expect(await flags()).toEqual({ current_usage: 6, status: 'active', ...sent })
    await our.call('blue', 'PUT', path, { reset_usage_for_value: 'metadata._user:anna' })
    expect(await flags()).toEqual({ current_usage: 0, status: 'active', ...sent, is_threshold_alerts_sent: false })
  })

  test('is listed by status, by part of the value key and by page, in an order that stays', async () => {
    const path = await our.make('blue', { type: 'requests', credit_limit: 3 })
    for (const [name, count] of Object.entries({ dora: 5, Anna: 1, carl: 3, bert: 2 })) {
      await our.spend(path, user(name), count)
    }
    expect((await entitiesOf(path)).keys).toEqual(['Anna', 'bert', 'carl', 'dora'])
    await our.spend(path, user('abel'), 1)
    expect(await entitiesOf(path)).toMatchObject({ total: 5, keys: ['Anna', 'abel', 'bert', 'carl', 'dora'] })
    expect(await entitiesOf(path, 'status=exhausted')).toMatchObject({ total: 2, keys: ['carl', 'dora'] })
    expect(await entitiesOf(path, 'status=active')).toMatchObject({ total: 3, keys: ['Anna', 'abel', 'bert'] })
    expect(await entitiesOf(path, 'search=USER:A')).toMatchObject({ total: 2, keys: ['Anna', 'abel'] })
    expect(await entitiesOf(path, 'search=a&page_size=2&current_page=1')).toMatchObject({
      total: 5,
      keys: ['bert', 'carl'],
    })
    expect(await entitiesOf(path, 'status=exhausted&search=anna')).toMatchObject({ total: 0, keys: [] })
    for (const query of ['page_size=0', 'page_size=101', 'current_page=-1', 'status=archived', 'search=']) {
      const refused = await our.call('blue', 'GET', `${path}/entities?${query}`)
      expect(errorOf(refused)).toEqual([400, 'AB01', query.split('=')[0]])
    }
  })

  test('follows the limit: what is raised is active again, what is lowered is exhausted', async () => {
    const path = await our.make('blue', { type: 'tokens', credit_limit: 100 })
    await our.spend(path, user('anna'), 100)
    const exhausted = async () => (await entitiesOf(path, 'status=exhausted')).keys
    expect(await exhausted()).toEqual(['anna'])
    await our.call('blue', 'PUT', path, { credit_limit: 101 })
    expect(await exhausted()).toEqual([])
    await our.call('blue', 'PUT', path, { credit_limit: 0 })
    expect(await exhausted()).toEqual(['anna'])
    expect((await entitiesOf(path)).rows[0]?.current_usage).toBe(100)
  })

  test('goes to 0 for one entity, which the audit log names; its id stays over periods', async () => {
    const path = await our.make('blue', { periodic_reset: 'weekly' })
    await our.spend(path, user('anna'), 3 * DOLLAR)
    await our.spend(path, user('bert'), 4 * DOLLAR)
    const [anna, bert] = (await entitiesOf(path)).rows
    expect(await our.call('blue', 'PUT', `${path}/entities/${anna?.id.toUpperCase()}/reset`)).toEqual(EMPTY)
    expect((await entitiesOf(path)).rows).toEqual([
      { id: String(anna?.id), value_key: 'metadata._user:anna', current_usage: 0 },
      { id: String(bert?.id), value_key: 'metadata._user:bert', current_usage: 4 },
    ])
    const [row] = await our.audit()
    expect(row).toMatchObject({
      action: 'policies.update',
      after: { reset_entity: { id: anna?.id, value_key: 'metadata._user:anna' } },
    })
    our.time.nowMs += 7 * DAY_MS
    expect(errorOf(await our.call('blue', 'PUT', `${path}/entities/${anna?.id}/reset`))).toEqual([404, 'AB08', null])
    await our.spend(path, user('anna'), DOLLAR)
    expect((await entitiesOf(path)).rows).toEqual([
      { id: String(anna?.id), value_key: 'metadata._user:anna', current_usage: 1 },
    ])
    const twin = await our.make('blue')
    await our.spend(twin, user('anna'), DOLLAR)
    expect((await entitiesOf(twin)).rows[0]?.id).not.toBe(anna?.id)
  })

  test('goes to 0 for a value key, together with other changes or not at all', async () => {
    const path = await our.make('blue', { credit_limit: 5 })
    await our.spend(path, user('anna'), 3 * DOLLAR)
    const used = async () => (await entitiesOf(path)).rows.map((row) => row.current_usage)
    const value = { reset_usage_for_value: 'metadata._user:anna' }
    expect(errorOf(await our.call('blue', 'PUT', path, { ...value, credit_limit: -1 }))).toEqual([
      400,
      'AB01',
      'credit_limit',
    ])
    expect(errorOf(await our.call('blue', 'PUT', path, { ...value, alert_threshold: 5 }))).toEqual([
      400,
      'AB01',
      'alert_threshold',
    ])
    const unknown = { reset_usage_for_value: 'metadata._user:Anna', credit_limit: 9 }
    expect(errorOf(await our.call('blue', 'PUT', path, unknown))).toEqual([404, 'AB02', 'reset_usage_for_value'])
    expect(await used()).toEqual([3])
    expect(await our.shown(path)).toMatchObject({ credit_limit: 5 })
    expect(await our.call('blue', 'PUT', path, { ...value, credit_limit: 9 })).toEqual(EMPTY)
    expect(await used()).toEqual([0])
    expect(await our.shown(path)).toMatchObject({ credit_limit: 9 })
    const [row] = await our.audit()
    expect(row).toMatchObject({ after: { credit_limit: 9, reset_entity: { value_key: 'metadata._user:anna' } } })
  })

  test('tells groups apart whose values look the same once they are joined', async () => {
    const path = await our.make('blue', { group_by: [{ key: 'metadata.a' }, { key: 'metadata.b' }] })
    await our.spend(path, { 'metadata.a': 'x-metadata.b:y', 'metadata.b': 'z' }, DOLLAR)
    await our.spend(path, { 'metadata.a': 'x', 'metadata.b': 'y-metadata.b:z' }, 2 * DOLLAR)
    const { rows } = await entitiesOf(path)
    const plain = 'metadata.a:x-metadata.b:y-metadata.b:z'
    expect(rows.map((row) => row.value_key)).toEqual(rows.map(({ id }) => `${plain} (${id})`))
    const map = (await our.shown(`${path}?include_usage=true`)).value_key_usage_map as object
    expect(Object.keys(map)).toHaveLength(2)
    expect(errorOf(await our.call('blue', 'PUT', path, { reset_usage_for_value: plain }))).toEqual([
      404,
      'AB02',
      'reset_usage_for_value',
    ])
    const second = rows.find((row) => row.current_usage === 2)
    expect(await our.call('blue', 'PUT', path, { reset_usage_for_value: second?.value_key })).toEqual(EMPTY)
    expect((await entitiesOf(path)).rows.map((row) => row.current_usage).toSorted()).toEqual([0, 1])
  })

  test('is a map of the 1,000 that used most', async () => {
    const path = await our.make('blue', { type: 'requests', credit_limit: 5_000 })
    await our.spendAll(
      path,
      Array.from({ length: 1_002 }, (_, index) => [user(`u${index + 1}`), index + 1] as const),
    )
    const map = (await our.shown(`${path}?include_usage=true`)).value_key_usage_map as Record<string, object>
    expect(Object.keys(map)).toHaveLength(1_000)
    expect(map).not.toHaveProperty(['metadata._user:u2'])
    expect(map['metadata._user:u3']).toMatchObject({ current_usage: 3, status: 'active' })
    expect((await entitiesOf(path, 'page_size=100&current_page=10')).rows).toHaveLength(2)
  })

  test('is not there for others, nor for archived policies or unknown entities', async () => {
    const path = await our.make('blue')
    await our.spend(path, user('anna'), DOLLAR)
    const [anna] = (await entitiesOf(path)).rows
    const refused = async (token: string, id = anna?.id) => {
      expect(errorOf(await our.call(token, 'PUT', `${path}/entities/${id}/reset`))).toEqual([404, 'AB08', null])
    }
    for (const token of ['red', 'stranger']) {
      expect(errorOf(await our.call(token, 'GET', `${path}/entities`))).toEqual([404, 'AB08', null])
      await refused(token)
    }
    await refused('blue', crypto.randomUUID())
    await refused('blue', 'metadata._user:anna')
    const another = await our.make('blue')
    expect(errorOf(await our.call('blue', 'PUT', `${another}/entities/${anna?.id}/reset`))).toEqual([404, 'AB08', null])
    await our.call('blue', 'DELETE', path)
    expect(errorOf(await our.call('blue', 'GET', `${path}/entities`))).toEqual([404, 'AB08', null])
    await refused('blue')
    await our.call('blue', 'PUT', path, { status: 'active' })
    expect((await entitiesOf(path)).rows[0]?.current_usage).toBe(1)
  })

  test('stays what it was while the ledger is away: 503, and nothing is written down', async () => {
    const path = await our.make('blue')
    await our.spend(path, user('anna'), DOLLAR)
    const [anna] = (await entitiesOf(path)).rows
    const before = await our.shown(path)
    const rows = (await our.audit()).length
    our.counters.failure = new Error('the ledger is away')
    const value = { reset_usage_for_value: 'metadata._user:anna', credit_limit: 1 }
    expect(errorOf(await our.call('blue', 'PUT', path, value))).toEqual([503, 'AB04', null])
    expect(errorOf(await our.call('blue', 'PUT', `${path}/entities/${anna?.id}/reset`))).toEqual([503, 'AB04', null])
    expect(await our.shown(path)).toEqual(before)
    expect((await our.audit()).length).toBe(rows)
  })

  test('needs the scope to update for a reset', async () => {
    const path = await our.make('blue')
    await our.spend(path, user('anna'), DOLLAR)
    const reset = `${path}/entities/${(await entitiesOf(path)).rows[0]?.id}/reset`
    const others = ['create', 'read', 'delete', 'list'].map((verb) => `policies.${verb}`)
    expect(errorOf(await our.call(`blue:${others}`, 'PUT', reset))).toEqual([403, 'AB03', null])
    expect(await our.call('blue:policies.update', 'PUT', reset, {})).toEqual(EMPTY)
    expect(errorOf(await our.call('blue', 'PUT', reset, { group: {} }))).toEqual([400, 'AB01', 'group'])
  })

  test('is told beforehand by a dry run, as that of rate limits does', async () => {
    const condition = { key: 'model', value: ['m'], excludes: 'x', actual: 'm', holds: true, reason: 'is one of them' }
    const policy = {
      id: 'p',
      name: null,
      owner: 'policy',
      type: 'cost',
      enforcement: 'reserve',
      mode: 'enforce',
    } as const
    const own = { ...policy, id: 'api_key.tokens', owner: 'api_key', type: 'tokens' } as const
    const group = { 'metadata._user': null }
    const explanation: LimitExplanation = {
      allowed: false,
      status: 412,
      targets: [
        {
          ...{ target: { provider: 'openai' }, allowed: false, status: 412, message: 'Used up.', limits: [] },
          budgets: [
            {
              ...{ ...policy, limit: 1.5, matches: true, conditions: [condition], group },
              ...{ used: 1.4, remaining: 0.1, reserved: 0.2, wouldRefuse: true, startMs: 0, endMs: NOON_MS },
            },
            { ...policy, limit: 1, matches: true, conditions: [], group, isUnpriced: true, wouldRefuse: true },
            {
              ...own,
              limit: 100,
              matches: true,
              conditions: [],
              used: 1,
              remaining: 99,
              reserved: 0,
              wouldRefuse: false,
            },
            { ...policy, limit: 2, matches: false, conditions: [{ ...condition, holds: false }] },
          ],
        },
      ],
    }
    const told = {
      ...explanation,
      targets: [
        {
          ...explanation.targets[0],
          budgets: [
            {
              ...{ ...policy, credit_limit: 1.5, matches: true, conditions: [condition], group },
              ...{ used: 1.4, remaining: 0.1, reserved: 0.2, would_refuse: true },
              next_usage_reset_at: '2030-01-02T12:00:00.000Z',
            },
            { ...policy, credit_limit: 1, matches: true, conditions: [], group, is_unpriced: true, would_refuse: true },
            {
              ...{ ...own, credit_limit: 100, matches: true, conditions: [] },
              ...{ used: 1, remaining: 99, reserved: 0, would_refuse: false },
            },
            { ...policy, credit_limit: 2, matches: false, conditions: [{ ...condition, holds: false }] },
          ],
        },
      ],
    }
    our.fake.explanation = explanation
    const body = { headers: { 'x-gateway-provider': 'openai' }, body: { model: 'm' } }
    expect((await our.call('blue', 'POST', `${PATH}/evaluate`, body)).body).toEqual(told)
    expect(our.fake.asked).toMatchObject([{ workspaceId: our.blue, endpoint: 'chat', body: { model: 'm' } }])
  })
})
