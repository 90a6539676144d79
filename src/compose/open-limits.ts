import type { Counters } from '../budgets/counter.ts'
import type { Counting } from '../budgets/rule.ts'
import { type BudgetUsage, createBudgetUsage } from '../budgets/usage.ts'
import type { OperatorConfig } from '../config/schema.ts'
import { defined } from '../core/defined.ts'
import type { RateLimits } from '../core/limits.ts'
import type { Clock, Logger } from '../core/ports.ts'
import { errorFields } from '../errors/error-fields.ts'
import type { LimitStore } from '../limits/away/limit-store.ts'
import { createLimitStore } from '../limits/away/shared-limit-store.ts'
import type { LimitUsage } from '../limits/rate-limits.ts'
import { createRateLimits } from '../limits/rate-limits.ts'
import { checkRedis } from '../limits/redis/redis-checks.ts'
import { createRedisStore } from '../limits/redis/redis-store.ts'
import { createReplicas } from '../limits/redis/replicas.ts'
import { createMemoryStore } from '../limits/ring/memory-store.ts'
import { createBudgetPolicySnapshot } from '../store/memory/budget-policy-snapshot.ts'
import { createPolicySnapshot } from '../store/memory/policy-snapshot.ts'
import type { RedisConnection } from '../store/redis.ts'
import type { Store } from '../store/types.ts'

/** The limits of this process. */
export interface OwnLimits {
  readonly limits: RateLimits & LimitUsage
  readonly budgets: BudgetUsage
  /** Where they are counted now. */
  readonly state: () => LimitStore['state']
  close(): Promise<void>
}

export interface LimitsOptions {
  readonly store: Store
  readonly redis: RedisConnection | undefined
  readonly config: OperatorConfig
  readonly clock: Clock
  readonly log: Logger
  readonly randomId: () => string
  /** What budgets have counted. */
  readonly counters: Counters
  readonly onCount: Counting['onCount'] | undefined
  /** Which of how many workers this is, from 1 on. */
  readonly worker: { readonly id: number; readonly of: number } | undefined
}

/** @throws StoreUnavailable when the policies cannot be read the first time */
export const openLimits = async (options: LimitsOptions): Promise<OwnLimits> => {
  const { store, redis, config, clock, log, randomId, counters, onCount, worker } = options
  const following = {
    onError: (error: unknown) =>
      log.warn('the policies could not be read again; those read last stay in use', errorFields(error)),
  }
  const policies = await createPolicySnapshot(store, following)
  const budgetPolicies = await createBudgetPolicySnapshot(store, following)
  const replicas = redis && createReplicas({ client: redis.client, id: randomId(), now: clock.now })
  if (redis !== undefined) await checkRedis(redis.client, redis.kind, log, clock.now)
  // What is counted here while Redis is away continues its windows, and goes back into them.
  const now = (): number => clock.now() + (replicas?.clockAheadMs ?? 0)
  const limitStore = createLimitStore({
    memory: createMemoryStore({ now }),
    ...(redis === undefined ? {} : { shared: createRedisStore({ client: redis.client, kind: redis.kind }) }),
    counters,
    clock: { ...clock, now },
    log,
    deadlineMs: config.limits.storeTimeoutMs,
    replicas: () => replicas?.count ?? 1,
    leases: config.limits.leases,
  })
  const limits = createRateLimits({
    policies,
    store: limitStore,
    clock,
    log,
    maximumGroups: config.limits.maxGroups,
    budgets: { policies: budgetPolicies, counters, ...defined({ onCount }) },
    ...(redis === undefined && worker !== undefined ? { shareOf: shareOf(worker) } : {}),
  })
  return {
    limits,
    budgets: createBudgetUsage({ counters, now: clock.now }),
    state: () => limitStore.state,
    async close() {
      await limitStore.close()
      await Promise.allSettled([policies.close(), budgetPolicies.close(), replicas?.close()])
    },
  }
}

/** Part of one worker in a limit that each counts by itself: the parts of all add up to the limit. */
const shareOf =
  ({ id, of }: { readonly id: number; readonly of: number }) =>
  (value: number): number =>
    Math.floor(value / of) + (id <= value % of ? 1 : 0)
