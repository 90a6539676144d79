import { createCounters, type OwnCounters } from '../../../src/budgets/counters.ts'
import type { BudgetPolicy } from '../../../src/budgets/policy.ts'
import { type Enforcement, limitUnits } from '../../../src/core/budgets.ts'
import type { AdmitOptions, CallFacts, RateLimits, TargetFacts } from '../../../src/core/limits.ts'
import { createLimitStore } from '../../../src/limits/away/shared-limit-store.ts'
import type { LimitPolicy } from '../../../src/limits/match/policy.ts'
import { createRateLimits } from '../../../src/limits/rate-limits.ts'
import type { RedisStore } from '../../../src/limits/redis/redis-store.ts'
import { createMemoryStore } from '../../../src/limits/ring/memory-store.ts'

const KEYS = 100
const AMOUNT = 1_000_000_000
/** Records that the ledger takes at a time. */
const BATCH = 500

const target = { path: 'config.targets[0]' }
const TARGET: TargetFacts = { provider: 'openai', model: 'gpt' }
const OPTIONS: AdmitOptions = {
  owned: [],
  target,
  forecast: () => ({ inputTokens: 100, maxOutputTokens: 400 }),
  worstCost: () => AMOUNT,
  mostTokens: () => 500,
}
const SPENT = [{ target, wasAsked: true, cost: AMOUNT / 2, tokens: 120 }]
const ENDED = { reachedProvider: true, totalTokens: 120, outputTokens: 20 }

const LIMITS: readonly LimitPolicy[] = (['requests', 'tokens'] as const).map((type) => ({
  id: `limit-${type}`,
  organisationId: 'organisation',
  workspaceId: 'workspace',
  name: null,
  target: 'llm',
  conditions: [{ key: 'api_key', value: '*' }],
  groupBy: ['api_key'],
  type,
  unit: 'rpm',
  value: 1_000_000_000,
  onStoreFailure: 'local',
  reservation: 'bounded',
  mode: 'enforce',
}))

const budgetsOf = (enforcement: Enforcement): readonly BudgetPolicy[] =>
  (['cost', 'tokens'] as const).map((type) => ({
    id: `budget-${type}`,
    organisationId: 'organisation',
    workspaceId: 'workspace',
    name: null,
    conditions: [{ key: 'api_key', value: '*' }],
    groupBy: ['api_key'],
    type,
    limit: type === 'cost' ? limitUnits('cost', 9_000_000) : 1e15,
    schedule: { every: 'month', since: { startMs: 0, setAtMs: 0 } },
    enforcement,
    onUnknownPrice: 'allow',
    mode: 'enforce',
  }))

const CALLERS: readonly CallFacts[] = Array.from({ length: KEYS }, (_, key) => ({
  organisationId: 'organisation',
  workspaceId: 'workspace',
  apiKeyId: `key-${key}`,
  metadata: { team: 'search' },
  endpointType: 'chatComplete',
  model: 'gpt',
}))

/** All that limits and budgets do for a call, from its beginning to its end. */
export interface Engine {
  /** A promise where another process is asked. */
  call(turn: number): void | Promise<void>
}

/** Two rate limits, and beside them two budgets or none. */
export const createEngine = (budgets: Enforcement | undefined, shared?: RedisStore): Engine => {
  const clock = { now: Date.now, monotonicMs: () => performance.now() }
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const counters = createCounters({ clock })
  const policies = budgets === undefined ? [] : budgetsOf(budgets)
  const limits = createRateLimits({
    policies: { list: () => LIMITS },
    store: createLimitStore({
      memory: createMemoryStore({ now: clock.now }),
      ...(shared === undefined ? {} : { shared }),
      // As in a gateway: what was spent is told, too.
      counters,
      clock,
      log,
      // However busy the machine is: what is measured is the way through Redis.
      deadlineMs: 5_000,
      replicas: () => 2,
    }),
    clock,
    log,
    maximumGroups: 10_000,
    budgets: { policies: { list: () => policies }, counters },
  })
  const end = endOf(counters)
  return {
    call(turn) {
      const account = limits.open(CALLERS[turn % KEYS] as CallFacts)
      const admitted = account.admit(OPTIONS, TARGET)
      return admitted instanceof Promise ? admitted.then(() => end(account)) : end(account)
    },
  }
}

type Account = ReturnType<RateLimits['open']>

/** Ends a call as the logging stage and the recorder do. */
const endOf = (counters: OwnCounters): ((account: Account) => void) => {
  let position = 0
  return (account) => {
    account.headers()
    account.held()
    account.attemptEnded(true)
    const charges = account.charge(SPENT)
    position++
    if (charges.length > 0) {
      counters.spent('workspace', charges, Date.now() * 1_000, position)
      if (position % BATCH === 0) counters.hear({ type: 'news', position, totals: [] })
    }
    account.settle(ENDED)
  }
}
