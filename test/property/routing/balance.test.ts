import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type BalanceFacts, pickByChance, pickSticky, stickyIdentity } from '../../../plugins/pipeline/route/balance.ts'
import { StepBudget } from '../../../src/core/step-budget.ts'
import { balanceOf } from '../../support/routing.ts'

const DRAWS = 4_000
/** For one degree of freedom less than eight weights, p is far below a millionth here: a correct balance never gets there. */
const CHI_SQUARE_BOUND = 60

const weights = fc
  .array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 8 })
  .filter((list) => list.some((weight) => weight > 0))

const branchOf = (list: readonly number[]) =>
  balanceOf({
    strategy: { mode: 'loadbalance' },
    targets: list.map((weight, index) => ({ provider: `p${index}`, weight })),
  })

/** Deterministic chance (mulberry32), so that the test says the same each time. */
const createChance = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** How far counts are from what the weights promise. Targets of weight 0 must not be hit at all. */
const expectConverged = (list: readonly number[], counts: readonly number[]): void => {
  const sum = list.reduce((total, weight) => total + weight, 0)
  const drawn = counts.reduce((total, count) => total + count, 0)
  let chiSquare = 0
  list.forEach((weight, index) => {
    const count = counts[index] ?? 0
    if (weight === 0) {
      expect(count).toBe(0)
      return
    }
    const promised = (drawn * weight) / sum
    chiSquare += (count - promised) ** 2 / promised
  })
  expect(chiSquare).toBeLessThan(CHI_SQUARE_BOUND)
}

const factsOf = (user: string, nowMs = 0): BalanceFacts => ({
  keyId: 'key-1',
  headers: new Headers(),
  subject: { metadata: { user }, params: {}, pathname: '/v1/chat/completions', searchBudget: new StepBudget(0) },
  nowMs,
})

const STICKY = { hashFields: ['metadata.user'], ttlSeconds: 3_600 }

const identityOf = (user: string, nowMs = 0): string => {
  const identity = stickyIdentity(STICKY, factsOf(user, nowMs))
  if (identity === undefined) throw new Error('the user has no identity')
  return identity
}

describe('shares converge to the weights', () => {
  test('by chance', () => {
    fc.assert(
      fc.property(weights, fc.integer(), (list, seed) => {
        const branch = branchOf(list)
        const all = list.map((_, index) => index)
        const draw = createChance(seed)
        const counts = list.map(() => 0)
        for (let call = 0; call < DRAWS; call++) {
          const chosen = pickByChance(branch, all, draw())
          if (chosen === undefined) throw new Error('nothing was chosen')
          counts[chosen] = (counts[chosen] ?? 0) + 1
        }
        expectConverged(list, counts)
      }),
      { numRuns: 40 },
    )
  })

  test('over callers that stick', () => {
    fc.assert(
      fc.property(weights, fc.nat(1_000_000), (list, first) => {
        const branch = branchOf(list)
        const all = list.map((_, index) => index)
        const counts = list.map(() => 0)
        for (let caller = 0; caller < DRAWS; caller++) {
          const chosen = pickSticky(branch, all, identityOf(`user-${first + caller}`))
          if (chosen === undefined) throw new Error('nothing was chosen')
          counts[chosen] = (counts[chosen] ?? 0) + 1
        }
        expectConverged(list, counts)
      }),
      { numRuns: 40 },
    )
  })
})

describe('a caller sticks', () => {
  const callers = fc.array(fc.string({ minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 30 })

  test('wherever and however often it comes, in whatever order the candidates are', () => {
    fc.assert(
      fc.property(weights, callers, (list, users) => {
        const all = list.map((_, index) => index)
        for (const user of users) {
          const chosen = pickSticky(branchOf(list), all, identityOf(user))
          expect(chosen === undefined ? 0 : list[chosen]).toBeGreaterThan(0)
          expect(pickSticky(branchOf(list), all.toReversed(), identityOf(user))).toBe(chosen as number)
        }
      }),
    )
  })

  test('when a target of others goes away', () => {
    fc.assert(
      fc.property(weights, callers, fc.nat(), (list, users, away) => {
        const branch = branchOf(list)
        const all = list.map((_, index) => index)
        const gone = away % list.length
        for (const user of users) {
          const before = pickSticky(branch, all, identityOf(user))
          const after = pickSticky(
            branch,
            all.filter((index) => index !== gone),
            identityOf(user),
          )
          if (before !== gone) expect(after).toBe(before as number)
        }
      }),
    )
  })

  test('when the weight of its target grows', () => {
    fc.assert(
      fc.property(weights, callers, fc.integer({ min: 1, max: 20 }), (list, users, more) => {
        const all = list.map((_, index) => index)
        for (const user of users) {
          const chosen = pickSticky(branchOf(list), all, identityOf(user))
          const grown = branchOf(list.map((weight, index) => (index === chosen ? weight + more : weight)))
          expect(pickSticky(grown, all, identityOf(user))).toBe(chosen as number)
        }
      }),
    )
  })

  test('for a stretch of the time it is given, which ends for each at a moment of its own', () => {
    const hourMs = STICKY.ttlSeconds * 1000
    const moments = new Set<number>()
    fc.assert(
      fc.property(fc.uuid(), fc.nat(2_000_000_000), (user, startMs) => {
        const end = firstChange(user, startMs, startMs + hourMs)
        expect(identityOf(user, end)).not.toBe(identityOf(user, end - 1))
        expect(identityOf(user, end + hourMs - 1)).toBe(identityOf(user, end))
        expect(identityOf(user, end + hourMs)).not.toBe(identityOf(user, end))
        moments.add(end % hourMs)
      }),
    )
    expect(moments.size).toBeGreaterThan(50)
  })

  /** The first millisecond after `low` at which the identity is not the same any more; it is not at `high`. */
  const firstChange = (user: string, low: number, high: number): number => {
    const before = identityOf(user, low)
    let [same, other] = [low, high]
    while (other - same > 1) {
      const middle = Math.floor((same + other) / 2)
      if (identityOf(user, middle) === before) same = middle
      else other = middle
    }
    return other
  }
})

test('other keys, and other values, have other identities', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (key, user, otherKey, otherUser) => {
      fc.pre(key !== otherKey || user !== otherUser)
      const policy = { hashFields: ['metadata.user', 'params.user'], ttlSeconds: Number.MAX_SAFE_INTEGER / 1000 }
      const identity = (keyId: string, value: string): string | undefined =>
        stickyIdentity(policy, { ...factsOf(value), keyId })?.split('\n')[0]
      expect(identity(key, user)).not.toBe(identity(otherKey, otherUser) as string)
    }),
  )
})

test('an identity is short, however long the values are, and the same for the same values', () => {
  const policy = { hashFields: ['params.messages'], ttlSeconds: 3_600 }
  const of = (text: string) =>
    stickyIdentity(policy, {
      ...factsOf('user'),
      subject: { ...factsOf('user').subject, params: { messages: [{ content: text }] } },
    })
  const long = 'x'.repeat(5_000_000)
  expect(of(long)?.length).toBeLessThan(100)
  expect(of(long)).toBe(of(long))
  expect(of(long)).not.toBe(of(`${long}y`))
})
