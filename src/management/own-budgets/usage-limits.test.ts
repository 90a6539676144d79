import { describe, expect, test } from 'bun:test'
import { periodAt } from '../../budgets/schedule.ts'
import { ManagementInvalid } from '../../errors/gateway-error.ts'
import type { UsageLimits as StoredUsageLimits } from '../../store/schema/own-limits.ts'
import { scheduleOf, toOwnBudget, toOwnedBudgets } from './own-budgets.ts'
import { fromUsageLimits, toUsageLimits, toUsageLimitsList, type UsageLimitsBody } from './usage-limits.ts'

const ms = (text: string): number => Date.parse(`${text}Z`)
const NOW = ms('2026-11-18T15:30:00')
const since = { startMs: NOW, setAtMs: NOW }

const body = (fields: Partial<UsageLimitsBody> = {}): UsageLimitsBody => ({ type: 'cost', credit_limit: 10, ...fields })
const stored = (fields: Partial<UsageLimitsBody> = {}, before?: StoredUsageLimits, nowMs = NOW): StoredUsageLimits =>
  toUsageLimits(body(fields), { path: 'usage_limits', before: before && [before], nowMs })

const problem = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (thrown) {
    if (!(thrown instanceof ManagementInvalid)) throw thrown
    return [thrown.options.param, thrown.message]
  }
}

describe('a budget that is written', () => {
  test('begins to count when it is set', () => {
    expect(stored({ periodic_reset: 'weekly', enforcement: 'reserve' })).toEqual({
      type: 'cost',
      creditLimit: 10,
      periodicReset: 'weekly',
      enforcement: 'reserve',
      since,
    })
  })

  test('has its first reset at the midnight of that day', () => {
    const written = stored({ next_usage_reset_at: '2026-12-02T01:30:00+02:00', periodic_reset_days: 3 })
    expect(written.nextUsageResetAt).toBe('2026-12-01T00:00:00.000Z')
    expect(fromUsageLimits(written)).toMatchObject({ next_usage_reset_at: '2026-12-01T00:00:00.000Z' })
  })

  test.each<[string, Partial<UsageLimitsBody>]>([
    ['a raised limit', { credit_limit: 20, periodic_reset: 'weekly' }],
    ['a threshold', { alert_threshold: 5, periodic_reset: 'weekly' }],
    ['another schedule', { periodic_reset: 'monthly' }],
    ['no schedule', {}],
  ])('goes on counting through %s', (_name, change) => {
    const before = stored({ periodic_reset: 'weekly' })
    const later = ms('2026-11-26T12:00:00')
    const after = stored(change, before, later)
    expect(periodAt(scheduleOf(after), later).startMs).toBe(periodAt(scheduleOf(before), later).startMs)
  })

  test('keeps its schedule when what was shown is written back', () => {
    const before = stored({ periodic_reset_days: 10 })
    const later = ms('2026-11-29T12:00:00')
    const shown = new Date(periodAt(scheduleOf(before), later).endMs ?? 0).toISOString()
    expect(shown).toBe('2026-12-08T00:00:00.000Z')
    expect(stored({ periodic_reset_days: 10, next_usage_reset_at: shown }, before, later)).toEqual(before)
  })

  test('may be written again after its only reset', () => {
    const fields = { next_usage_reset_at: '2026-11-20T00:00:00Z' }
    const before = stored(fields)
    expect(stored({ ...fields, credit_limit: 20 }, before, ms('2026-11-21T00:00:00'))).toEqual({
      ...before,
      creditLimit: 20,
    })
  })

  test('counts anew when it counts something else', () => {
    const before = stored({ type: 'tokens', credit_limit: 100 })
    expect(stored({}, before, NOW + 5).since).toEqual({ startMs: NOW + 5, setAtMs: NOW + 5 })
  })

  test.each<[string, Partial<UsageLimitsBody>, string]>([
    ['both forms of a reset', { periodic_reset: 'weekly', periodic_reset_days: 1 }, 'periodic_reset_days'],
    ['a threshold above the limit', { alert_threshold: 11 }, 'alert_threshold'],
    ['too few tokens', { type: 'tokens', credit_limit: 99 }, 'credit_limit'],
    ['more dollars than can be counted', { credit_limit: 9_000_001 }, 'credit_limit'],
    ['10^30 tokens', { type: 'tokens', credit_limit: 1e30 }, 'credit_limit'],
    ['a day that has begun as its only reset', { next_usage_reset_at: '2026-11-18T23:00:00Z' }, 'next_usage_reset_at'],
    ['31 February', { next_usage_reset_at: '2027-02-31T00:00:00Z' }, 'next_usage_reset_at'],
  ])('is refused with %s', (_name, fields, field) => {
    const [param, message] = problem(() => stored(fields)) as [string, string]
    expect(param).toBe(`usage_limits.${field}`)
    expect(message).toContain(`usage_limits.${field}`)
  })

  test('takes the largest limits', () => {
    expect(stored({ credit_limit: 9_000_000 }).creditLimit).toBe(9_000_000)
    expect(stored({ type: 'tokens', credit_limit: 1e15 }).creditLimit).toBe(1e15)
  })

  test('stands beside one of the other type, and not of its own', () => {
    const place = { path: 'usage_limits', before: null, nowMs: NOW }
    const both = [body(), body({ type: 'tokens', credit_limit: 100 })]
    expect(toUsageLimitsList(both, place).map(({ type }) => type)).toEqual(['cost', 'tokens'])
    expect(problem(() => toUsageLimitsList([body(), body()], place))).toEqual([
      'usage_limits[1].type',
      expect.stringContaining('usage_limits[1].type'),
    ])
  })
})

describe('a stored budget', () => {
  test('of an earlier version is soft, counts since ever, and resets at midnight', () => {
    const old: StoredUsageLimits = { type: 'cost', creditLimit: 5, nextUsageResetAt: '2026-12-01T18:00:00.000Z' }
    expect(toOwnBudget(old)).toEqual({
      type: 'cost',
      limit: 5,
      enforcement: 'soft',
      schedule: { firstResetMs: ms('2026-12-01T00:00:00'), since: { startMs: 0, setAtMs: 0 } },
    })
  })

  test('of an earlier version that is larger than what can be counted is as large as that', () => {
    expect(toOwnBudget({ type: 'cost', creditLimit: 1e12 }).limit).toBe(9_000_000)
  })

  test.each<[StoredUsageLimits, unknown]>([
    [
      { type: 'cost', creditLimit: 5, periodicReset: 'monthly', since },
      { every: 'month', since },
    ],
    [
      { type: 'cost', creditLimit: 5, periodicReset: 'weekly', since },
      { every: 'week', since },
    ],
    [
      { type: 'cost', creditLimit: 5, periodicResetDays: 9, since },
      { every: 9, since },
    ],
    [{ type: 'cost', creditLimit: 5, since }, { since }],
  ])('has its schedule: %p', (given, expected) => {
    expect(scheduleOf(given)).toEqual(expected as ReturnType<typeof scheduleOf>)
  })

  test('travels with its owner; owners without one do not', () => {
    const one: StoredUsageLimits = { type: 'tokens', creditLimit: 100, alertThreshold: 50, enforcement: 'reserve' }
    expect(toOwnedBudgets(['api_key', 'k', null], ['workspace', 'w', []])).toEqual({})
    expect(toOwnedBudgets(['api_key', 'k', null], ['workspace', 'w', [one]])).toMatchObject({
      budgets: [
        {
          owner: 'workspace',
          id: 'w',
          budgets: [{ type: 'tokens', limit: 100, alertThreshold: 50, enforcement: 'reserve' }],
        },
      ],
    })
  })
})
