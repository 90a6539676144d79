import { describe, expect, test } from 'bun:test'
import { type BudgetCharge, limitUnits, type OwnedBudgets } from '../core/budgets.ts'
import { LimitsUnavailable } from '../errors/gateway-error.ts'
import { ownedKey, ownedLabel } from './owned.ts'
import { createFakeCounters } from './test-support/fake-counters.ts'
import { createBudgetUsage, type UsedPolicy } from './usage.ts'

const WORKSPACE = 'workspace'
const MONDAY = Date.parse('2026-11-23T00:00:00Z')
const WEEK_MS = 7 * 86_400_000

const policy: UsedPolicy = {
  id: 'policy',
  workspaceId: WORKSPACE,
  type: 'cost',
  limit: limitUnits('cost', 1),
  schedule: { every: 'week', since: { startMs: 0, setAtMs: 0 } },
}

const bench = () => {
  const counters = createFakeCounters()
  const time = { nowMs: MONDAY + 5_000 }
  return { counters, time, usage: createBudgetUsage({ counters, now: () => time.nowMs }) }
}

const charge = (user: string, amount: number, startMs = MONDAY): BudgetCharge => ({
  budgetId: policy.id,
  group: `hash of ${user}`,
  startMs,
  endMs: startMs + WEEK_MS,
  type: 'cost',
  label: JSON.stringify([['metadata._user', user]]),
  amount,
})

describe('what a policy has used', () => {
  test('is told by group in the order of their values, with what the ledger has not yet', () => {
    const { counters, usage } = bench()
    counters.spent(WORKSPACE, [charge('bob', 250_000_000_000), charge('anna', 999_999_999_999)], 10, 1)
    counters.apply()
    counters.spent(WORKSPACE, [charge('bob', 1)], 10, 2)
    expect(usage.usage(policy)).toMatchObject([
      { group: { 'metadata._user': 'anna' }, used: 0.999999999999, isExhausted: true, startMs: MONDAY },
      { group: { 'metadata._user': 'bob' }, used: 0.250000000001, isExhausted: false, endMs: MONDAY + WEEK_MS },
    ])
  })

  test('is that of the period that runs', () => {
    const { counters, time, usage } = bench()
    counters.spent(WORKSPACE, [charge('anna', 5)], 10, 1)
    time.nowMs = MONDAY + WEEK_MS
    expect(usage.usage(policy)).toEqual([])
    counters.spent(WORKSPACE, [charge('anna', 7_000_000_000, time.nowMs)], 10, 2)
    expect(usage.usage(policy).map(({ used }) => used)).toEqual([0.007])
  })

  test('is 0 after a reset, and as it was after one that failed', async () => {
    const { counters, usage } = bench()
    counters.spent(WORKSPACE, [charge('anna', 5_000_000_000)], 10, 1)
    const used = () => usage.usage(policy).map((each) => each.used)
    const [anna] = usage.usage(policy)
    if (anna === undefined) throw new Error('there is no count')
    counters.failure = new Error('the ledger is away')
    await expect(usage.reset(anna.counter)).rejects.toBeInstanceOf(LimitsUnavailable)
    expect(used()).toEqual([0.005])
    counters.failure = undefined
    await usage.reset(anna.counter)
    expect(used()).toEqual([0])
    // A group that was met, and has spent nothing, is no news.
    counters.of({ ...anna.counter.key, group: 'hash of bob' }, anna.counter)
    expect(used()).toEqual([0])
  })
})

describe('what an owner has used', () => {
  const schedule = { since: { startMs: 0, setAtMs: 0 } }
  const owned: OwnedBudgets = {
    owner: 'api_key',
    id: 'key-1',
    budgets: [
      { type: 'cost', limit: 2, schedule, enforcement: 'soft' },
      { type: 'tokens', limit: 100, schedule, enforcement: 'soft' },
    ],
  }
  const spend = (type: 'cost' | 'tokens', amount: number): BudgetCharge => {
    const { budgetId, group } = ownedKey(owned, type, WORKSPACE)
    return { budgetId, group, startMs: 0, type, label: ownedLabel(owned), amount }
  }

  test('is told for each budget; nothing is counted by asking', () => {
    const { counters, usage } = bench()
    expect(usage.ownedUsage(WORKSPACE, owned)).toEqual(
      owned.budgets.map((budget) => ({ budget, used: 0, isExhausted: false, startMs: 0 })),
    )
    expect(counters.list(WORKSPACE, 'api_key.cost', 0)).toEqual([])
    counters.spent(WORKSPACE, [spend('cost', 500_000_000_000), spend('tokens', 100)], 10, 1)
    expect(usage.ownedUsage(WORKSPACE, owned)).toMatchObject([
      { used: 0.5, isExhausted: false },
      { used: 100, isExhausted: true },
    ])
    expect(usage.ownedUsage(WORKSPACE, { ...owned, id: 'key-2' })).toMatchObject([{ used: 0 }, { used: 0 }])
    expect(usage.ownedUsage('other', owned)).toMatchObject([{ used: 0 }, { used: 0 }])
  })

  test('is 0 of all its budgets after a reset', async () => {
    const { counters, usage } = bench()
    counters.spent(WORKSPACE, [spend('cost', 500), spend('tokens', 100)], 10, 1)
    await usage.resetOwned(WORKSPACE, owned)
    expect(usage.ownedUsage(WORKSPACE, owned)).toMatchObject([{ used: 0 }, { used: 0, isExhausted: false }])
  })

  test('of a limit of 0 is always all of it', () => {
    const nothing = { ...owned, budgets: [{ type: 'cost', limit: 0, schedule, enforcement: 'soft' }] } as const
    expect(bench().usage.ownedUsage(WORKSPACE, nothing)).toMatchObject([{ isExhausted: true }])
  })
})
