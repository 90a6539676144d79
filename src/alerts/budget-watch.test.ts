import { describe, expect, test } from 'bun:test'
import { createWorld } from '../../test/conformance/management/world.ts'
import type { Counter } from '../budgets/counter.ts'
import { createCounters } from '../budgets/counters.ts'
import type { BudgetCharge } from '../core/budgets.ts'
import { describeOnBothStores } from '../store/testing.ts'
import { type BudgetWatch, budgetSubject, type WatchedBudget, watchBudgets } from './budget-watch.ts'
import { type NewAlert, raiseAlert } from './raise.ts'
import { sentAlerts } from './sent.ts'

const DAY_MS = 86_400_000
const key = { workspaceId: 'workspace', budgetId: 'api_key.cost', group: 'group', startMs: DAY_MS }
const about = { type: 'cost', label: '[["api_key","key"]]', endMs: 2 * DAY_MS } as const
const charge = (amount: number): BudgetCharge => ({ ...key, ...about, amount })
const budget: WatchedBudget = {
  organisationId: 'organisation',
  owner: 'api_key',
  ownerId: 'key',
  name: null,
  limit: 1_000_000_000,
  alertThreshold: 800_000_000,
}

const begin = () => {
  const raised: NewAlert[] = []
  const counters = createCounters({ clock: { now: () => DAY_MS, monotonicMs: () => 0 } })
  const watch: BudgetWatch = watchBudgets(counters, { raise: (alert) => void raised.push(alert) })
  const counter = counters.of(key, about)
  let position = 0
  const spend = async (dollars: number): Promise<void> => {
    counters.spent(key.workspaceId, [charge(dollars * 1e12)], DAY_MS * 1_000, ++position)
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  }
  return { raised, counters, watch, counter, spend, kinds: () => raised.map(({ kind }) => kind) }
}

describe('a budget that is watched', () => {
  test('is told of at its threshold and at its limit, each once', async () => {
    const { watch, counter, spend, kinds, raised } = begin()
    watch.watch(counter, budget)
    await spend(0.79)
    expect(kinds()).toEqual([])
    await spend(0.01)
    expect(kinds()).toEqual(['budget.threshold_reached'])
    await spend(0.1)
    await spend(0.2)
    await spend(0.3)
    expect(kinds()).toEqual(['budget.threshold_reached', 'budget.exhausted'])
    expect(raised[1]).toMatchObject({
      organisationId: 'organisation',
      workspaceId: 'workspace',
      audit: { action: 'budgets.exhausted', objectKind: 'api_key', objectId: 'key' },
      data: {
        budget: { owner: 'api_key', id: 'key', type: 'cost', credit_limit: 1, alert_threshold: 0.8 },
        current_usage: 1.1,
        period_started_at: '1970-01-02T00:00:00.000Z',
        next_usage_reset_at: '1970-01-03T00:00:00.000Z',
      },
    })
  })

  test('is told of at once where it is met behind its limit, and again after a reset by hand', async () => {
    const { watch, counter, spend, kinds, counters } = begin()
    await spend(2)
    expect(kinds()).toEqual([])
    watch.watch(counter, budget)
    expect(kinds()).toEqual(['budget.threshold_reached', 'budget.exhausted'])
    counters.hear({
      type: 'news',
      position: 10,
      totals: [{ ...key, ...about, total: 0n, generation: 1, resetAtUs: DAY_MS * 1_000 }],
    })
    await spend(0)
    expect(kinds()).toHaveLength(2)
    counters.spent(key.workspaceId, [charge(3e12)], DAY_MS * 1_000 + 1, 20)
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    expect(kinds()).toHaveLength(4)
  })

  test('is judged by what it is now', async () => {
    const { watch, counter, spend, kinds } = begin()
    watch.watch(counter, { ...budget, alertThreshold: undefined, limit: 5_000_000_000 })
    await spend(2)
    expect(kinds()).toEqual([])
    watch.watch(counter, { ...budget, alertThreshold: undefined })
    expect(kinds()).toEqual(['budget.exhausted'])
  })
})

describeOnBothStores('alerts that were sent', (store) => {
  test('are known by count, period and reset', async () => {
    const { ours } = await createWorld(store(), [])
    const count = { key: { ...key, workspaceId: ours.first.id }, generation: 0 }
    const others: readonly Pick<Counter, 'key' | 'generation'>[] = [
      { ...count, generation: 1 },
      { ...count, key: { ...count.key, startMs: 2 * DAY_MS } },
      { ...count, key: { ...count.key, group: 'other' } },
    ]
    await raiseAlert(
      store().db,
      {
        organisationId: ours.organisationId,
        workspaceId: ours.first.id,
        kind: 'budget.exhausted',
        subject: budgetSubject(count),
        data: {},
        audit: { action: 'budgets.exhausted', objectKind: 'api_key', objectId: 'key' },
      },
      false,
    )
    const sent = await sentAlerts(store().db, ours.organisationId, [count, ...others])
    expect(sent(count)).toEqual({ threshold: false, exhausted: true })
    for (const other of others) expect(sent(other)).toEqual({ threshold: false, exhausted: false })
    expect((await sentAlerts(store().db, crypto.randomUUID(), [count]))(count).exhausted).toBe(false)
  })
})
