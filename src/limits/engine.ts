import { type BudgetRules, type BudgetRulesOptions, createBudgetRules } from '../budgets/rules.ts'
import type { AdmitOptions, OwnedLimits, TokenForecast } from '../core/limits.ts'
import type { Clock, Logger } from '../core/ports.ts'
import type { LimitCharge, LimitStore } from './away/limit-store.ts'
import { cached } from './cached.ts'
import { createDenials, type Denials } from './denials.ts'
import { compilePolicies, type Facts, type MatchedPolicy } from './match/compile.ts'
import type { LimitPolicy } from './match/policy.ts'
import { createReservations, type Reservations } from './reservations.ts'
import { fromOwned, fromPolicy, type Rule } from './rule.ts'

/** Where active policies come from. */
export interface PolicySource {
  /** Gives the same array as long as nothing of the workspace has changed. */
  list(workspaceId: string): readonly LimitPolicy[]
}

/** What all calls share. */
export interface Engine {
  readonly policies: PolicySource
  readonly store: LimitStore
  readonly denials: Denials
  readonly reservations: Reservations
  readonly clock: Clock
  /** A limit as this process may let it through. */
  share<Limit extends { readonly value: number }>(limit: Limit): Limit
  /** Absent where nothing keeps count of them. */
  readonly budgets?: BudgetRules
  /** Limits that apply, in a stable order: policies by their age, then those of the caller and the target. */
  rulesFor(facts: Facts, owned: readonly OwnedLimits[]): readonly Rule[]
}

export interface EngineOptions {
  readonly policies: PolicySource
  readonly store: LimitStore
  readonly clock: Clock
  readonly log: Logger
  /** Groups of one policy in one window; more share one ring. */
  readonly maximumGroups: number
  /** What of a limit this process may let through. Absent: all of it. */
  readonly shareOf?: (value: number) => number
  /** Absent: there are no budgets. */
  readonly budgets?: Pick<BudgetRulesOptions, 'counters' | 'onCount' | 'policies'>
}

const NO_RULES: readonly Rule[] = []

export const createEngine = (options: EngineOptions): Engine => {
  const { policies, store, clock, log, maximumGroups, budgets, shareOf } = options
  const compiledFor = (target: LimitPolicy['target']) =>
    cached((list: readonly LimitPolicy[]) =>
      compilePolicies(list, {
        target,
        maximumGroups,
        now: clock.now,
        onOverflow: (policy) =>
          log.warn('a rate limits policy has more groups than are told apart; new ones share one window', {
            policy: policy.id,
            maximumGroups,
          }),
      }),
    )
  const ofModels = compiledFor('llm')
  const ofTools = compiledFor('mcp_tools')
  const share = <Limit extends { readonly value: number }>(limit: Limit): Limit =>
    shareOf === undefined ? limit : { ...limit, value: shareOf(limit.value) }
  // Once for each group of a policy that is at hand, and for each record of a key, workspace or provider.
  const ruleOf = cached(({ policy, group }: MatchedPolicy) => fromPolicy({ policy: share(policy), group }))
  const rulesOf = cached((owned: OwnedLimits, workspaceId: string) =>
    fromOwned({ ...owned, limits: owned.limits.map(share) }, workspaceId),
  )

  return {
    policies,
    store,
    denials: createDenials(),
    reservations: createReservations(),
    clock,
    share,
    ...(budgets === undefined
      ? {}
      : { budgets: createBudgetRules({ ...budgets, now: clock.now, log, maximumGroups }) }),
    rulesFor(facts, owned) {
      const { workspaceId } = facts
      const active = (facts.mcpServer === undefined ? ofModels : ofTools)(policies.list(workspaceId))
      if (active.size === 0 && owned.length === 0) return NO_RULES
      const rules = active.match(facts).map((matched) => ruleOf(matched))
      for (const each of owned) rules.push(...rulesOf(each, workspaceId))
      return rules
    },
  }
}

/** A rule, and what it charges a call. */
export interface RuleCharge {
  readonly rule: Rule
  readonly charge: LimitCharge
}

/** What rules charge a call, before it is made. */
export const toCharges = (
  { reservations }: Engine,
  rules: readonly Rule[],
  options: Pick<AdmitOptions, 'forecast'>,
  model: string,
): readonly RuleCharge[] => {
  let known: TokenForecast | undefined
  return rules.map((rule) => {
    const { id, type, key, value, grain, mode, onStoreFailure, reservation } = rule
    let weight = 1
    if (type === 'tokens') {
      known ??= options.forecast()
      weight = reservations.of(reservation, known, id, model)
    }
    return { rule, charge: { key, limit: value, weight, grain, shadow: mode === 'shadow', onStoreFailure } }
  })
}
