import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { periodAt } from '../../../src/budgets/schedule.ts'
import {
  AT_OPENAI,
  AT_OTHER,
  budgetBench,
  budgetPolicy,
  NOON,
  OPENAI,
  OTHER,
  optionsOf,
  spentAt,
  WORKSPACE,
} from '../../../src/budgets/test-support/budget-bench.ts'
import { BudgetExhausted } from '../../../src/errors/gateway-error.ts'

/** An exact model of what calls may do to budgets, beside the engine: amounts in the unit of limits. */

const HOUR_MS = 3_600_000
const since = { startMs: 0, setAtMs: 0 }
const atOpenai = [{ key: 'provider', value: 'openai' }]
const one = { groupBy: [], conditions: [] }

const POLICIES = [
  budgetPolicy({ ...one, limit: 1_000, schedule: { every: 1, since } }),
  budgetPolicy({ ...one, limit: 2_000, schedule: { every: 1, since }, enforcement: 'reserve' }),
  budgetPolicy({ ...one, limit: 1_500, schedule: { since }, enforcement: 'reserve', conditions: atOpenai }),
  budgetPolicy({ ...one, type: 'requests', limit: 12, schedule: { every: 'week', since }, enforcement: 'reserve' }),
  budgetPolicy({ ...one, type: 'tokens', limit: 900, schedule: { every: 2, since }, conditions: atOpenai }),
] as const

interface Attempt {
  readonly isOther: boolean
  readonly worst: number
  cost: number
  wasAsked: boolean
}

interface Modelled {
  readonly account: ReturnType<ReturnType<typeof budgetBench>['account']>
  readonly admittedMs: number
  readonly attempts: Attempt[]
  /** By policy: it was asked, and let the call through. */
  readonly met: Set<number>
  isRunning: boolean
}

const operation = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('open' as const), isOther: fc.boolean(), worst: fc.nat(400) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('fallback' as const),
      call: fc.nat(20),
      isOther: fc.boolean(),
      worst: fc.nat(400),
      fate: fc.constantFrom('unasked' as const, 'nothing' as const, 'part' as const),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      call: fc.nat(20),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      isLost: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('clock' as const), hours: fc.integer({ min: -30, max: 40 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reset' as const), policy: fc.nat(POLICIES.length - 1) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('apply' as const) }) },
)

test('calls of any kind are let through, held back for and charged as an exact model says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 120 }), async (operations) => {
      const our = budgetBench({ policies: POLICIES })
      const calls: Modelled[] = []
      /** By policy and start of the period. */
      const spent = new Map<string, number>()
      const nameOf = (policy: number, atMs: number): string =>
        `${policy} ${periodAt(POLICIES[policy]?.schedule ?? { since }, atMs).startMs}`
      const isOfTarget = (policy: number): boolean => (POLICIES[policy]?.conditions.length ?? 0) > 0

      const applies = (policy: number, isOther: boolean): boolean => !isOfTarget(policy) || !isOther
      const isReserve = (policy: number): boolean => POLICIES[policy]?.enforcement === 'reserve'
      const isRequests = (policy: number): boolean => POLICIES[policy]?.type === 'requests'

      /** What a call holds of a policy: bounds of what may have been spent, and of the attempt that runs. */
      const heldBy = ({ attempts, met, isRunning }: Modelled, policy: number): number => {
        if (!isReserve(policy) || !met.has(policy)) return 0
        const own = attempts.filter(({ isOther }) => applies(policy, isOther))
        const last = attempts.at(-1)
        const holding = own.filter(
          (each) => (each === last && isRunning) || (isRequests(policy) ? each.wasAsked : each.cost >= 0),
        )
        if (isRequests(policy)) return holding.length > 0 ? 1 : 0
        return holding.reduce((sum, { worst }) => sum + worst, 0)
      }
      const usedOf = (policy: number, atMs: number): number => {
        const name = nameOf(policy, atMs)
        const held = calls.reduce(
          (sum, call) => sum + (nameOf(policy, call.admittedMs) === name ? heldBy(call, policy) : 0),
          0,
        )
        return (spent.get(name) ?? 0) + held
      }

      const admits = (call: Modelled, attempt: Attempt): boolean =>
        POLICIES.every(({ limit, type }, policy) => {
          if (!applies(policy, attempt.isOther)) return true
          const isKnown = call.met.has(policy)
          if (!isReserve(policy)) return isKnown || usedOf(policy, call.admittedMs) < limit
          if (type === 'requests')
            return (isKnown && heldBy(call, policy) > 0) || usedOf(policy, call.admittedMs) + 1 <= limit
          if (attempt.worst === 0) return isKnown || usedOf(policy, call.admittedMs) < limit
          return usedOf(policy, call.admittedMs) + attempt.worst <= limit
        })

      const admit = (call: Modelled, attempt: Attempt): void => {
        call.isRunning = false
        const expected = admits(call, attempt)
        let isAdmitted = true
        try {
          const target = attempt.isOther ? AT_OTHER : AT_OPENAI
          void call.account.admit(
            optionsOf(0, { target, worstCost: () => attempt.worst * 1_000, mostTokens: () => attempt.worst }),
            attempt.isOther ? OTHER : OPENAI,
          )
        } catch (thrown) {
          if (!(thrown instanceof BudgetExhausted)) throw thrown
          isAdmitted = false
        }
        expect(isAdmitted).toBe(expected)
        if (!isAdmitted) return
        call.attempts.push(attempt)
        call.isRunning = true
        for (const policy of POLICIES.keys()) if (applies(policy, attempt.isOther)) call.met.add(policy)
      }

      /** -1: it used nothing, as far as anybody knows. */
      const finishAttempt = (
        { account, attempts }: Modelled,
        fate: 'unasked' | 'nothing' | 'part',
        share: number,
      ): void => {
        const last = attempts.at(-1)
        if (last === undefined) return
        last.wasAsked = fate !== 'unasked'
        last.cost = fate === 'part' ? Math.floor(last.worst * share) : -1
        account.attemptEnded(last.wasAsked, fate === 'part')
      }

      const end = (call: Modelled): void => {
        const told = call.attempts.map(({ isOther, cost, wasAsked }) =>
          spentAt({
            target: isOther ? AT_OTHER : AT_OPENAI,
            dollars: Math.max(0, cost) / 1e9,
            tokens: Math.max(0, cost),
            wasAsked,
          }),
        )
        our.counters.spent(WORKSPACE, call.account.charge(told), 0, 1)
        call.account.settle({ reachedProvider: true, totalTokens: 0, outputTokens: 0 })
        for (const policy of POLICIES.keys()) {
          if (!call.met.has(policy)) continue
          const own = call.attempts.filter(({ isOther }) => applies(policy, isOther))
          const amount = isRequests(policy)
            ? Number(own.some(({ wasAsked }) => wasAsked))
            : own.reduce((sum, { cost }) => sum + Math.max(0, cost), 0)
          const name = nameOf(policy, call.admittedMs)
          spent.set(name, (spent.get(name) ?? 0) + amount)
        }
        calls.splice(calls.indexOf(call), 1)
      }

      for (const each of operations) {
        switch (each.do) {
          case 'open': {
            const call: Modelled = {
              account: our.account(),
              admittedMs: our.time.nowMs,
              attempts: [],
              met: new Set(),
              isRunning: false,
            }
            admit(call, { isOther: each.isOther, worst: each.worst, cost: -1, wasAsked: false })
            if (call.attempts.length > 0) calls.push(call)
            break
          }
          case 'fallback': {
            const call = calls[each.call % Math.max(1, calls.length)]
            if (call === undefined) break
            if (call.isRunning) finishAttempt(call, each.fate, each.share)
            admit(call, { isOther: each.isOther, worst: each.worst, cost: -1, wasAsked: false })
            break
          }
          case 'end': {
            const call = calls[each.call % Math.max(1, calls.length)]
            if (call === undefined) break
            if (call.isRunning && !each.isLost) finishAttempt(call, 'part', each.share)
            end(call)
            break
          }
          case 'clock':
            our.time.nowMs = Math.max(NOON, our.time.nowMs + each.hours * HOUR_MS)
            break
          case 'reset': {
            const policy = POLICIES[each.policy]
            const [group] = policy === undefined ? [] : our.usage.usage(policy)
            if (group === undefined) break
            await our.usage.reset(group.counter)
            spent.set(`${each.policy} ${group.startMs}`, 0)
            break
          }
          case 'apply':
            our.counters.apply()
        }
        for (const [policy, { id, limit }] of POLICIES.entries()) {
          for (const counter of our.counters.list(WORKSPACE, id, 0)) {
            const name = `${policy} ${counter.key.startMs}`
            const amount = spent.get(name) ?? 0
            expect([name, counter.stored + counter.pending]).toEqual([name, amount])
            const held = calls
              .filter((call) => nameOf(policy, call.admittedMs) === name)
              .reduce((sum, call) => sum + heldBy(call, policy), 0)
            expect([name, counter.held]).toEqual([name, held])
            if (isReserve(policy)) expect(amount + held).toBeLessThanOrEqual(limit)
          }
        }
      }
      for (const call of [...calls]) end(call)
      for (const { id } of POLICIES) {
        for (const { held } of our.counters.list(WORKSPACE, id, 0)) expect(held).toBe(0)
      }
    }),
    { numRuns: 1_000 },
  )
}, 60_000)
