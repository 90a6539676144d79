import type { OwnedLimits } from '../core/limits.ts'
import type { Clock, Logger } from '../core/ports.ts'
import type { LimitStore } from './away/limit-store.ts'
import { createDenials, type Denials } from './denials.ts'
import { type CompiledPolicies, compilePolicies, type Facts, type MatchedPolicy } from './match/compile.ts'
import type { LimitPolicy } from './match/policy.ts'
import { createReservations, type Reservations } from './reservations.ts'
import { fromOwned, fromPolicy, type Rule } from './rule.ts'

/** Where active policies come from. */
export interface PolicySource {
  /** The same array as long as nothing of the workspace has changed. */
  list(workspaceId: string): readonly LimitPolicy[]
}

/** What all calls share. */
export interface Engine {
  readonly policies: PolicySource
  readonly store: LimitStore
  readonly denials: Denials
  readonly reservations: Reservations
  readonly clock: Clock
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
}

const NO_RULES: readonly Rule[] = []

export const createEngine = ({ policies, store, clock, log, maximumGroups }: EngineOptions): Engine => {
  const compiled = new WeakMap<readonly LimitPolicy[], CompiledPolicies>()
  const ownedRules = new WeakMap<OwnedLimits, readonly Rule[]>()
  const policyRules = new WeakMap<MatchedPolicy, Rule>()

  const compiledFor = (workspaceId: string): CompiledPolicies => {
    const list = policies.list(workspaceId)
    const known = compiled.get(list)
    if (known !== undefined) return known
    const made = compilePolicies(list, {
      target: 'llm',
      maximumGroups,
      now: clock.now,
      onOverflow: (policy) =>
        log.warn('a rate limits policy has more groups than are told apart; new ones share one window', {
          policy: policy.id,
          maximumGroups,
        }),
    })
    compiled.set(list, made)
    return made
  }

  /** Made once for each record of a key, workspace or provider. */
  const rulesOf = (workspaceId: string, owned: OwnedLimits): readonly Rule[] => {
    const known = ownedRules.get(owned)
    if (known !== undefined) return known
    const made = fromOwned(workspaceId, owned)
    ownedRules.set(owned, made)
    return made
  }

  /** Made once for each group of a policy that is at hand. */
  const ruleOf = (matched: MatchedPolicy): Rule => {
    const known = policyRules.get(matched)
    if (known !== undefined) return known
    const made = fromPolicy(matched)
    policyRules.set(matched, made)
    return made
  }

  return {
    policies,
    store,
    denials: createDenials(),
    reservations: createReservations(),
    clock,
    rulesFor(facts, owned) {
      const { workspaceId } = facts
      const active = compiledFor(workspaceId)
      if (active.size === 0 && owned.length === 0) return NO_RULES
      const rules = active.match(facts).map(ruleOf)
      for (const each of owned) rules.push(...rulesOf(workspaceId, each))
      return rules
    },
  }
}
