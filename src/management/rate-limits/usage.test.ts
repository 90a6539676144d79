import { beforeAll, beforeEach, expect, test } from 'bun:test'
import { LimitsUnavailable } from '../../errors/gateway-error.ts'
import { describeOnBothStores } from '../../store/testing.ts'
import { errorOf, type Fixture, NOW_MS } from '../integrations/test-support.ts'
import { createFakeLimits, createLimitsFixture, PATH } from './test-support.ts'

const NEW = {
  conditions: [{ key: 'api_key', value: '*' }],
  group_by: [{ key: 'api_key' }, { key: 'metadata.team' }],
  type: 'tokens',
  unit: 'rpm',
  value: 100,
}

describeOnBothStores('the use of rate limits policies', (store) => {
  const fake = createFakeLimits()
  let our: Fixture
  beforeAll(async () => {
    our = await createLimitsFixture(store(), fake)
  })
  beforeEach(fake.clear)

  const make = async (
    changes: Record<string, unknown> = {},
  ): Promise<{ readonly id: string; readonly path: string }> => {
    const id = String((await our.call('blue', 'POST', PATH, { ...NEW, ...changes })).body.id)
    return { id, path: `${PATH}/${id}` }
  }

  test('is shown by group and page: what is left, what is owed, and when it is free again', async () => {
    const { id, path } = await make()
    fake.used = [
      { group: { api_key: 'a', 'metadata.team': null }, used: 40, releaseMs: 1_000, resetMs: 59_999.2 },
      { group: { api_key: 'b', 'metadata.team': 'blue' }, used: 130, releaseMs: 0.5, resetMs: 60_000 },
    ]
    expect(await our.call('blue', 'GET', `${path}/usage`)).toEqual({
      status: 200,
      body: {
        object: 'list',
        total: 2,
        data: [
          {
            group: { api_key: 'a', 'metadata.team': null },
            used: 40,
            limit: 100,
            remaining: 60,
            debt: 0,
            release_in_ms: 1_000,
            reset_in_ms: 60_000,
            resets_at: new Date(NOW_MS + 60_000).toISOString(),
          },
          {
            group: { api_key: 'b', 'metadata.team': 'blue' },
            used: 130,
            limit: 100,
            remaining: 0,
            debt: 30,
            release_in_ms: 1,
            reset_in_ms: 60_000,
            resets_at: new Date(NOW_MS + 60_000).toISOString(),
          },
        ],
      },
    })
    const page = (await our.call('admin', 'GET', `${path}/usage?page_size=1&current_page=1`)).body
    expect(page).toMatchObject({ total: 2, data: [{ used: 130 }] })
    expect(fake.asked).toEqual([
      { id, value: 100, page: { offset: 0, limit: 50 } },
      { id, value: 100, page: { offset: 1, limit: 1 } },
    ])
    for (const query of ['page_size=0', 'page_size=101', 'current_page=-1', 'status=archived']) {
      expect(errorOf(await our.call('blue', 'GET', `${path}/usage?${query}`))).toEqual([
        400,
        'AB01',
        query.split('=')[0],
      ])
    }
  })

  test('is forgotten for one group, which the audit log names', async () => {
    const { id, path } = await make()
    const group = { 'metadata.team': null, api_key: 'a' }
    expect(await our.call('blue', 'PUT', `${path}/usage/reset`, { group })).toEqual({ status: 200, body: {} })
    expect(fake.asked).toEqual([{ id, group }])
    const [row] = await our.audit()
    expect(row).toMatchObject({ action: 'policies.update', before: { id }, after: { id, reset_group: group } })
  })

  test.each([
    ['group', undefined],
    ['group', []],
    ['group.api_key', {}],
    ['group.metadata.team', { api_key: 'a' }],
    ['group.model', { api_key: 'a', 'metadata.team': 'b', model: 'c' }],
    ['group.constructor', { api_key: 'a', 'metadata.team': 'b', constructor: 'c' }],
    ['group.api_key', { api_key: 5, 'metadata.team': 'b' }],
    ['group.api_key', { api_key: 'x'.repeat(1025), 'metadata.team': 'b' }],
  ])('is not forgotten for a group that is none: %s of %j', async (param, group) => {
    const { path } = await make()
    expect(errorOf(await our.call('blue', 'PUT', `${path}/usage/reset`, { group }))).toEqual([400, 'AB01', param])
    expect(fake.asked).toEqual([])
  })

  test('without keys has one group, which has no values', async () => {
    const { id, path } = await make({ target: 'mcp_tools', group_by: undefined })
    expect(errorOf(await our.call('blue', 'PUT', `${path}/usage/reset`, { group: { api_key: 'a' } }))).toEqual([
      400,
      'AB01',
      'group.api_key',
    ])
    expect((await our.call('blue', 'PUT', `${path}/usage/reset`, { group: {} })).status).toBe(200)
    expect(fake.asked).toEqual([{ id, group: {} }])
  })

  test('is not there for others, nor for archived policies', async () => {
    const { path } = await make()
    const group = { api_key: 'a', 'metadata.team': 'b' }
    const refused = async (token: string) => {
      expect(errorOf(await our.call(token, 'GET', `${path}/usage`))).toEqual([404, 'AB08', null])
      expect(errorOf(await our.call(token, 'PUT', `${path}/usage/reset`, { group }))).toEqual([404, 'AB08', null])
    }
    await refused('red')
    await refused('stranger')
    await our.call('blue', 'DELETE', path)
    await refused('blue')
    expect(fake.asked).toEqual([])
  })

  test('cannot be told while the counts are away: 503, and nothing is written down', async () => {
    const { path } = await make()
    const rows = (await our.audit()).length
    fake.failure = new LimitsUnavailable('The counts are away.', { retryAfterMs: 500 })
    const group = { api_key: 'a', 'metadata.team': 'b' }
    expect(errorOf(await our.call('blue', 'GET', `${path}/usage`))).toEqual([503, 'AB04', null])
    expect(errorOf(await our.call('blue', 'PUT', `${path}/usage/reset`, { group }))).toEqual([503, 'AB04', null])
    fake.failure = new Error('something else')
    expect(errorOf(await our.call('blue', 'GET', `${path}/usage`))).toEqual([500, 'AB04', null])
    expect((await our.audit()).length).toBe(rows)
  })

  test('needs the scope to read, or to change', async () => {
    const { path } = await make()
    const reset = { group: { api_key: 'a', 'metadata.team': 'b' } }
    for (const [verb, method, place, body] of [
      ['read', 'GET', `${path}/usage`, undefined],
      ['update', 'PUT', `${path}/usage/reset`, reset],
    ] as const) {
      const others = ['create', 'read', 'update', 'delete', 'list'].filter((other) => other !== verb)
      const token = `blue:${others.map((other) => `policies.${other}`)}`
      expect(errorOf(await our.call(token, method, place, body))).toEqual([403, 'AB03', null])
      expect((await our.call(`blue:policies.${verb}`, method, place, body)).status).toBe(200)
    }
  })
})
