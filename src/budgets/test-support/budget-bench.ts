import type { OwnedBudgets, TargetSpent } from '../../core/budgets.ts'
import { limitUnits } from '../../core/budgets.ts'
import type { AdmitOptions, CallAccount, CallFacts, TargetFacts } from '../../core/limits.ts'
import { BudgetExhausted } from '../../errors/gateway-error.ts'
import type { LimitStore } from '../../limits/away/limit-store.ts'
import { createLimitStore } from '../../limits/away/shared-limit-store.ts'
import type { LimitPolicy } from '../../limits/match/policy.ts'
import { createRateLimits } from '../../limits/rate-limits.ts'
import { createMemoryStore } from '../../limits/ring/memory-store.ts'
import type { BudgetPolicy } from '../policy.ts'
import { type BudgetUsage, createBudgetUsage } from '../usage.ts'
import { createFakeCounters, type FakeCounters } from './fake-counters.ts'

export const WORKSPACE = '0199b1de-0000-7000-8000-000000000001'
/** A Tuesday. */
export const NOON = Date.parse('2026-11-24T12:00:00Z')

/** The engine of limits and budgets, in memory, with a clock and a ledger in the hands of a test. */
export interface BudgetBench {
  readonly counters: FakeCounters
  readonly usage: BudgetUsage
  readonly limits: ReturnType<typeof createRateLimits>
  readonly time: { nowMs: number }
  /** Questions to the store. */
  readonly asked: () => number
  account(facts?: Partial<CallFacts>): CallAccount
  /** Ends a call as the logging stage and the recorder do. */
  end(account: CallAccount, spent: readonly Spending[]): void
  /** A call that is let through, and spends that. */
  call(spent: Spending, options?: Partial<AdmitOptions>, facts?: Partial<CallFacts>): void
}

export interface BenchOptions {
  readonly policies?: readonly BudgetPolicy[] | (() => readonly BudgetPolicy[])
  readonly rateLimits?: readonly LimitPolicy[]
  readonly maximumGroups?: number
}

let ids = 0

/** A budget of a dollar for each key, without resets, unless said otherwise. `dollars` in the place of the limit. */
export const budgetPolicy = (fields: Partial<BudgetPolicy> & { readonly dollars?: number } = {}): BudgetPolicy => {
  const { dollars = 1, ...rest } = fields
  return {
    id: `0199b1de-0000-7000-9000-${String(++ids).padStart(12, '0')}`,
    organisationId: 'organisation',
    workspaceId: WORKSPACE,
    name: null,
    conditions: [{ key: 'api_key', value: '*' }],
    groupBy: ['api_key'],
    type: 'cost',
    limit: limitUnits('cost', dollars),
    schedule: { since: { startMs: 0, setAtMs: 0 } },
    enforcement: 'soft',
    onUnknownPrice: 'allow',
    mode: 'enforce',
    ...rest,
  }
}

export const OPENAI: TargetFacts = { provider: 'openai', model: 'gpt' }
export const OTHER: TargetFacts = { provider: 'anthropic', model: 'claude' }
/** What names the targets again. */
export const AT_OPENAI = { path: 'config.targets[0]' }
export const AT_OTHER = { path: 'config.targets[1]' }

const PICODOLLARS = 1_000_000_000_000

export interface Spending {
  readonly target?: object
  readonly dollars?: number
  readonly tokens?: number
  readonly wasAsked?: boolean
}

export const spentAt = ({ target = AT_OPENAI, dollars = 0, tokens = 0, wasAsked = true }: Spending): TargetSpent => ({
  target,
  wasAsked,
  cost: Math.round(dollars * PICODOLLARS),
  tokens,
})

/** @param dollars that the call costs at most; undefined where no price is known */
export const optionsOf = (dollars?: number, fields: Partial<AdmitOptions> = {}): AdmitOptions => ({
  owned: [],
  forecast: () => ({ inputTokens: 100, maxOutputTokens: 400 }),
  target: AT_OPENAI,
  worstCost: () => (dollars === undefined ? undefined : Math.round(dollars * PICODOLLARS)),
  mostTokens: () => 1_000,
  ...fields,
})

export const ownedBudgets = (
  owner: OwnedBudgets['owner'],
  budget: Partial<OwnedBudgets['budgets'][number]> = {},
): OwnedBudgets => ({
  owner,
  id: `the ${owner}`,
  budgets: [
    { type: 'cost', limit: 1, schedule: { since: { startMs: 0, setAtMs: 0 } }, enforcement: 'soft', ...budget },
  ],
})

/** The store of these tests is in memory, so nothing has to be waited for. */
export const atOnce = (admitted: void | Promise<void>): void => {
  if (admitted !== undefined) throw new Error('the answer came later')
}

/** What budgets refused a call with. */
export const refusalOf = (run: () => void | Promise<void>): BudgetExhausted => {
  try {
    atOnce(run())
  } catch (thrown) {
    if (thrown instanceof BudgetExhausted) return thrown
    throw thrown
  }
  throw new Error('the call was let through')
}

export const budgetBench = ({
  policies = [],
  rateLimits = [],
  maximumGroups = 1_000,
}: BenchOptions = {}): BudgetBench => {
  const time = { nowMs: NOON }
  const now = (): number => time.nowMs
  // Wall time is set forth and back in these tests; no hour passes in which holds would be given up.
  const clock = { now, monotonicMs: () => 0 }
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const counters = createFakeCounters()
  let asked = 0
  const store = createLimitStore({ memory: createMemoryStore({ now }), clock, log, replicas: () => 1 })
  const admit: LimitStore['admit'] = (charges, claims) => {
    asked++
    return store.admit(charges, claims)
  }
  const limits = createRateLimits({
    policies: { list: () => rateLimits },
    store: { ...store, admit },
    clock,
    log,
    maximumGroups,
    budgets: { policies: { list: typeof policies === 'function' ? policies : () => policies }, counters },
  })
  const bench: BudgetBench = {
    counters,
    usage: createBudgetUsage({ counters, now }),
    limits,
    time,
    asked: () => asked,
    account: (facts = {}) =>
      limits.open({
        organisationId: 'organisation',
        workspaceId: WORKSPACE,
        apiKeyId: 'key-1',
        metadata: {},
        endpointType: 'chatComplete',
        model: 'gpt',
        ...facts,
      }),
    end(account, spent) {
      const charges = account.charge(spent.map(spentAt))
      counters.spent(WORKSPACE, charges, time.nowMs * 1000, 1)
      account.settle({ reachedProvider: true, totalTokens: 0, outputTokens: 0 })
    },
    call(spent, options = {}, facts = {}) {
      const account = bench.account(facts)
      atOnce(account.admit(optionsOf(spent.dollars, options), OPENAI))
      bench.end(account, [spent])
    },
  }
  return bench
}
