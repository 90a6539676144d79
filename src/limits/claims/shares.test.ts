import { describe, expect, test } from 'bun:test'
import type { BudgetClaim, Counter } from '../../budgets/counter.ts'
import { createCounters } from '../../budgets/counters.ts'
import { createShares } from './shares.ts'

const about = { type: 'tokens', label: '[]' } as const
const newCounter = (): Counter =>
  createCounters({ clock: { now: () => 0, monotonicMs: () => 0 } }).of(
    { workspaceId: 'workspace', budgetId: 'budget', group: 'group', startMs: 0 },
    about,
  )
const claimOf = (counter: Counter, weight: number): BudgetClaim => ({ counter, limit: 100, weight, shadow: false })

describe('what a process may take by itself', () => {
  /** Holds back as many of `weight` as fit. */
  const takeAll = (shares: ReturnType<typeof createShares>, counter: Counter, weight: number): number => {
    let taken = 0
    while (shares.judge([claimOf(counter, weight)])[0]?.fits === true) {
      counter.held += weight
      taken += weight
    }
    return taken
  }

  test('is an equal part of what was left, so that all together stay within the limit', () => {
    for (const replicas of [1, 2, 3, 7]) {
      let all = 40
      for (let process = 0; process < replicas; process++) {
        const shares = createShares(() => replicas)
        const counter = newCounter()
        shares.heard(claimOf(counter, 5), 40)
        all += takeAll(shares, counter, 5)
      }
      expect(all).toBeLessThanOrEqual(100)
      expect(all).toBeGreaterThan(100 - 5 * replicas - replicas)
    }
  })

  test('does not grow by what it takes, and what is given back can be taken again', () => {
    const shares = createShares(() => 2)
    const counter = newCounter()
    shares.heard(claimOf(counter, 1), 0)
    expect(takeAll(shares, counter, 10)).toBe(50)
    expect(takeAll(shares, counter, 1)).toBe(0)
    counter.held -= 30
    expect(takeAll(shares, counter, 10)).toBe(30)
  })

  test('is made anew once the shared counts are heard again', () => {
    const shares = createShares(() => 2)
    const counter = newCounter()
    expect(takeAll(shares, counter, 10)).toBe(50)
    shares.heard(claimOf(counter, 10), 60)
    expect(shares.judge([claimOf(counter, 10)])[0]).toMatchObject({ fits: true, used: 60 })
    expect(takeAll(shares, counter, 10)).toBe(20)
  })

  test('of a soft budget is anything, as long as something is left', () => {
    const shares = createShares(() => 4)
    const counter = newCounter()
    counter.held = 99
    expect(shares.judge([claimOf(counter, 0)])[0]?.fits).toBe(true)
    counter.held = 100
    expect(shares.judge([claimOf(counter, 0)])[0]?.fits).toBe(false)
    expect(shares.judge([])).toEqual([])
  })
})
