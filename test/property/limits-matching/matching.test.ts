import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { compilePolicies, judgePolicy } from '../../../src/limits/match/compile.ts'
import { needsTarget } from '../../../src/limits/match/conditions.ts'
import { calls, policyLists } from './arbitraries.ts'
import { groupValues, holds, looksAtTarget, matches } from './naive.ts'

const RUNS = 10_000
const TIMEOUT_MS = 120_000

test.each(['llm', 'mcp_tools'] as const)(
  'the index finds what trying every policy finds: %s',
  (target) => {
    let judged = 0
    let matched = 0
    fc.assert(
      fc.property(policyLists(target), fc.array(calls, { minLength: 1, maxLength: 8 }), (policies, list) => {
        const compiled = compilePolicies(policies, { target, now: () => 0 })
        for (const facts of list) {
          const found = compiled.match(facts)
          expect(found.map(({ policy }) => policy)).toEqual(policies.filter((policy) => matches(policy, facts)))
          // What says that it looks at the call alone says the same whatever the target.
          const { target: _, ...before } = facts
          const early = found.filter(({ policy }) => !needsTarget(policy))
          expect(compiled.match(before).filter(({ policy }) => !needsTarget(policy))).toEqual(early)
          judged += policies.length
          matched += found.length
        }
        expect(policies.filter(needsTarget)).toEqual(policies.filter(looksAtTarget))
        expect(compiled.size).toBe(policies.length)
      }),
      { numRuns: RUNS },
    )
    expect(judged).toBeGreaterThan(100_000)
    // Else nothing was shown: calls and policies have to meet, and to miss each other.
    expect(matched).toBeGreaterThan(judged / 20)
    expect(matched).toBeLessThan(judged / 2)
  },
  TIMEOUT_MS,
)

test(
  'a call belongs to the group of its values, and the explanation agrees',
  () => {
    let compared = 0
    fc.assert(
      fc.property(policyLists('llm'), fc.array(calls, { minLength: 1, maxLength: 8 }), (policies, list) => {
        const compiled = compilePolicies(policies, { target: 'llm', now: () => 0 })
        const valuesByHash = new Map<string, string>()
        const hashByValues = new Map<string, string>()
        for (const facts of list) {
          const explained = new Map(policies.map((policy) => [policy, judgePolicy(policy, facts)]))
          for (const [policy, { matches: isMatch, conditions }] of explained) {
            expect(isMatch).toBe(matches(policy, facts))
            expect(conditions.map((condition) => condition.holds)).toEqual(
              policy.conditions.map((condition) => holds(condition, facts)),
            )
          }
          for (const { policy, group } of compiled.match(facts)) {
            const values = groupValues(policy, facts)
            expect(Object.entries(group.values)).toEqual(
              policy.groupBy.map((key, index) => [key, values[index] ?? null]),
            )
            expect(explained.get(policy)?.group).toEqual(group)
            const name = JSON.stringify([policy.id, values])
            expect(valuesByHash.get(group.hash) ?? name).toBe(name)
            expect(hashByValues.get(name) ?? group.hash).toBe(group.hash)
            valuesByHash.set(group.hash, name)
            hashByValues.set(name, group.hash)
            compared += 1
          }
        }
      }),
      { numRuns: RUNS / 5 },
    )
    expect(compared).toBeGreaterThan(5_000)
  },
  TIMEOUT_MS,
)
