import { beforeAll, beforeEach, expect, test } from 'bun:test'
import { describeOnBothStores } from '../../store/testing.ts'
import { type BudgetsFixture, createBudgetsFixture, DAY_MS, NOON_MS } from './test-support.ts'

describeOnBothStores('periods of usage limits policies', (store) => {
  let our: BudgetsFixture
  beforeAll(async () => {
    our = await createBudgetsFixture(store())
  })
  beforeEach(() => {
    our.time.nowMs = NOON_MS
  })

  const shownOf = async (path: string) => {
    const { periodic_reset, periodic_reset_days, next_usage_reset_at, last_reset_at } = await our.shown(path)
    return [periodic_reset, periodic_reset_days, shortOf(next_usage_reset_at), shortOf(last_reset_at)]
  }
  const shortOf = (time: unknown) => (time === null ? null : String(time).replace('T00:00:00.000Z', ''))

  test.each([
    ['never', {}, [null, null, null, null], [null, null, null, null]],
    [
      'on Mondays',
      { periodic_reset: 'weekly' },
      ['weekly', null, '2030-01-07', null],
      ['weekly', null, '2030-02-11', '2030-02-04'],
    ],
    [
      'on the first',
      { periodic_reset: 'monthly' },
      ['monthly', null, '2030-02-01', null],
      ['monthly', null, '2030-03-01', '2030-02-01'],
    ],
    [
      'every 10 days',
      { periodic_reset_days: 10 },
      [null, 10, '2030-01-12', null],
      [null, 10, '2030-02-11', '2030-02-01'],
    ],
    [
      'every 30 days from a time, cut to midnight',
      { periodic_reset_days: 30, next_usage_reset_at: '2030-01-05T23:59:59+02:00' },
      [null, 30, '2030-01-05', null],
      [null, 30, '2030-03-06', '2030-02-04'],
    ],
    [
      'on Mondays after a time',
      { periodic_reset: 'weekly', next_usage_reset_at: '2030-01-10T00:00:00Z' },
      ['weekly', null, '2030-01-10', null],
      ['weekly', null, '2030-02-11', '2030-02-04'],
    ],
    [
      'every 7 days counted from a day that has been',
      { periodic_reset_days: 7, next_usage_reset_at: '2029-12-31T10:00:00Z' },
      [null, 7, '2030-01-07', null],
      [null, 7, '2030-02-11', '2030-02-04'],
    ],
    [
      'once',
      { next_usage_reset_at: '2030-01-03T01:00:00Z' },
      [null, null, '2030-01-03', null],
      [null, null, null, '2030-01-03'],
    ],
  ])('reset %s', async (_name, given, first, later) => {
    const path = await our.make('blue', given)
    expect(await shownOf(path)).toEqual(first)
    our.time.nowMs = Date.UTC(2030, 1, 5, 12)
    expect(await shownOf(path)).toEqual(later)
  })

  test('go on with what was counted when the schedule or the limit changes', async () => {
    const path = await our.make('blue', { periodic_reset: 'weekly', credit_limit: 1 })
    our.time.nowMs = NOON_MS + 7 * DAY_MS
    await our.spend(path, { 'metadata._user': 'anna' }, 1_000_000_000_000)
    const used = async () => (await our.shown(`${path}/entities`)).data
    const anna = [{ id: expect.any(String), value_key: 'metadata._user:anna', current_usage: 1 }]
    expect(await used()).toEqual(anna)
    for (const change of [
      { credit_limit: 5 },
      { periodic_reset: 'monthly' },
      { periodic_reset_days: 3 },
      { next_usage_reset_at: '2030-01-20T00:00:00Z' },
      { periodic_reset_days: null },
    ]) {
      await our.call('blue', 'PUT', path, change)
      our.time.nowMs += 60_000
      expect(await used()).toEqual(anna)
    }
    expect(await shownOf(path)).toEqual([null, null, '2030-01-20', '2030-01-07'])
    our.time.nowMs = Date.UTC(2030, 0, 20)
    expect(await used()).toEqual([])
    expect(await shownOf(path)).toEqual([null, null, null, '2030-01-20'])
  })

  test('keep their form unless another is given', async () => {
    const path = await our.make('blue', { periodic_reset_days: 3 })
    const after = async (change: object) => {
      expect((await our.call('blue', 'PUT', path, change)).status).toBe(200)
      return (await shownOf(path)).slice(0, 2)
    }
    expect(await after({ name: 'other' })).toEqual([null, 3])
    expect(await after({ periodic_reset: 'weekly' })).toEqual(['weekly', null])
    expect(await after({ periodic_reset_days: null })).toEqual(['weekly', null])
    expect(await after({ periodic_reset: null, periodic_reset_days: 9 })).toEqual([null, 9])
    expect(await after({ periodic_reset_days: null })).toEqual([null, null])
    expect(await after({ periodic_reset: 'monthly', periodic_reset_days: null })).toEqual(['monthly', null])
    expect(await after({ next_usage_reset_at: '2030-01-20T00:00:00Z' })).toEqual(['monthly', null])
    expect(await after({ next_usage_reset_at: null })).toEqual(['monthly', null])
    expect((await shownOf(path))[2]).toBe('2030-02-01')
    expect(await after({ periodic_reset: null })).toEqual([null, null])
  })

  test('are the same when a client sends back what it was shown', async () => {
    const path = await our.make('blue', { periodic_reset: 'weekly' })
    const { next_usage_reset_at, periodic_reset, periodic_reset_days } = await our.shown(path)
    const change = { next_usage_reset_at, periodic_reset, periodic_reset_days }
    expect((await our.call('blue', 'PUT', path, change)).status).toBe(200)
    expect(await shownOf(path)).toEqual(['weekly', null, '2030-01-07', null])
    our.time.nowMs = Date.UTC(2030, 0, 15)
    expect(await shownOf(path)).toEqual(['weekly', null, '2030-01-21', '2030-01-14'])
  })
})
