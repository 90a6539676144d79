import { describe, expect, test } from 'bun:test'
import type { Verdict } from '../ring/ring.ts'
import { chargeOf } from '../test-support/limit-world.ts'
import { localLimitOf, toLocalVerdict } from './local-share.ts'

const NOW_MS = Date.UTC(2026, 0, 1)
const BUCKET = NOW_MS / 100

describe('local limit', () => {
  test.each([
    // limit, seen, replicas, local limit
    [10, 0, 1, 10],
    [10, 4, 1, 10],
    [10, 4, 2, 7],
    [10, 4, 4, 5],
    [10, 4, 7, 4],
    [10, 10, 3, 10],
    // Debt: nothing fits until it has left.
    [10, 15, 3, 15],
    [2, 0, 3, 0],
    [10, 4, 0, 10],
  ])('of %d with %d seen, for %d replicas: %d', (limit, seen, replicas, expected) => {
    expect(localLimitOf(chargeOf({ limit }), { used: seen, index: BUCKET }, replicas, NOW_MS)).toBe(expected)
  })

  test('without a reply, or with one that has left the window, nothing is seen', () => {
    expect(localLimitOf(chargeOf(), undefined, 3, NOW_MS)).toBe(3)
    expect(localLimitOf(chargeOf(), { used: 4, index: BUCKET - 600 }, 3, NOW_MS)).toBe(6)
    expect(localLimitOf(chargeOf(), { used: 4, index: BUCKET - 601 }, 3, NOW_MS)).toBe(3)
  })

  test('all replicas together never let through more than is left', () => {
    for (let limit = 1; limit <= 30; limit += 1) {
      for (let seen = 0; seen <= limit; seen += 1) {
        for (let replicas = 1; replicas <= 12; replicas += 1) {
          const share = localLimitOf(chargeOf({ limit }), { used: seen, index: BUCKET }, replicas, NOW_MS) - seen
          expect(seen + replicas * share).toBeLessThanOrEqual(limit)
        }
      }
    }
  })
})

describe('local verdict', () => {
  const never: Verdict = { fits: 'never', used: 3, index: 7, releaseMs: 5, resetMs: 9, fitMs: 0 }

  test('what is too large for the share alone fits later', () => {
    expect(toLocalVerdict(chargeOf({ limit: 10, weight: 10 }), never)).toEqual({
      ...never,
      fits: 'later',
      fitMs: 1_000,
    })
  })

  test('what is too large for the limit never fits', () => {
    expect(toLocalVerdict(chargeOf({ limit: 10, weight: 11 }), never)).toEqual(never)
  })
})
