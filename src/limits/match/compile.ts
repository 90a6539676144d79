import type { ConditionVerdict } from '../../core/limits.ts'
import { GRIDS } from '../ring/units.ts'
import { type CardinalityGuard, createCardinalityGuard, isOpenEnded } from './cardinality.ts'
import type { Facts, Read } from './condition-keys.ts'
import { type CompiledCondition, compileCondition } from './conditions.ts'
import { GroupCache } from './group-cache.ts'
import { type Group, groupReaderOf, overflowGroup, toGroup } from './groups.ts'
import type { LimitPolicy, Matchable } from './policy.ts'
import { type Indexed, PolicyIndex } from './policy-index.ts'

export type { Facts } from './condition-keys.ts'
export type { Group } from './groups.ts'

/** A policy that applies to a call, and the group that the call belongs to there. */
export interface MatchedPolicy<P extends Matchable = LimitPolicy> {
  readonly policy: P
  readonly group: Group
}

/** The active policies of one workspace, for one kind of call. */
export interface CompiledPolicies<P extends Matchable = LimitPolicy> {
  /** Those that apply, in the order in which they were given. */
  match(facts: Facts): readonly MatchedPolicy<P>[]
  readonly size: number
}

export interface MatchOptions<P extends Matchable> {
  /** Groups of one policy that are told apart, for keys whose values the caller makes up. */
  readonly maximumGroups?: number
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Numbers the windows of time of a policy: in each its groups are counted anew. */
  readonly windowsOf: (policy: P) => (nowMs: number) => number
  /** A policy has more groups than are told apart: new ones are counted as one. Once for each window of time. */
  readonly onOverflow?: (policy: P) => void
}

export interface CompileOptions extends Omit<MatchOptions<LimitPolicy>, 'windowsOf'> {
  /** Policies for other calls are left out. */
  readonly target: LimitPolicy['target']
}

const MAXIMUM_GROUPS = 100_000
/** Groups that all policies together keep at hand, in each half of the cache. */
const CACHED_GROUPS = 10_000
const NONE: readonly never[] = []

/** The rate limits policies for one kind of call. */
export const compilePolicies = (
  policies: readonly LimitPolicy[],
  { target, ...options }: CompileOptions,
): CompiledPolicies =>
  compileMatching(
    policies.filter((policy) => policy.target === target),
    {
      ...options,
      windowsOf({ unit }) {
        const { windowMs } = GRIDS[unit]
        return (nowMs) => Math.floor(nowMs / windowMs)
      },
    },
  )

/** Policies of any kind. */
export const compileMatching = <P extends Matchable>(
  policies: readonly P[],
  options: MatchOptions<P>,
): CompiledPolicies<P> => {
  const known = new GroupCache<Known<P>>(CACHED_GROUPS)
  const index = new PolicyIndex(policies.map((policy, ordinal) => new CompiledPolicy(policy, ordinal, known, options)))
  return {
    match(facts) {
      const found = index.collect(facts)
      return found === undefined ? NONE : inOrder(found).map((policy) => policy.matched(facts))
    },
    size: policies.length,
  }
}

/** Every condition's verdict, for the dry run. */
export const judgePolicy = (
  policy: Matchable,
  facts: Facts,
): { matches: boolean; conditions: ConditionVerdict[]; group: Group } => {
  const conditions = policy.conditions.map((condition) => compileCondition(condition).judge(facts))
  return {
    matches: conditions.every(({ holds }) => holds),
    conditions,
    group: toGroup(
      policy,
      policy.groupBy.map((key) => groupReaderOf(key)(facts) ?? null),
    ),
  }
}

/** By age, each once. */
const inOrder = <P extends Matchable>(found: CompiledPolicy<P>[]): readonly CompiledPolicy<P>[] => {
  for (let place = 1; place < found.length; place += 1) {
    if ((found[place - 1]?.ordinal ?? 0) < (found[place]?.ordinal ?? 0)) continue
    return found
      .sort((left, right) => left.ordinal - right.ordinal)
      .filter((policy, index) => policy !== found[index - 1])
  }
  return found
}

/** What is kept of a group. */
interface Known<P extends Matchable> {
  readonly matched: MatchedPolicy<P>
  /** Window of time in which the guard let it through last. */
  window: number
}

class CompiledPolicy<P extends Matchable> implements Indexed {
  readonly policy: P
  readonly ordinal: number
  readonly conditions: readonly CompiledCondition[]
  readonly #reads: readonly Read[]
  readonly #known: GroupCache<Known<P>>
  readonly #guard: CardinalityGuard | undefined
  readonly #windowAt: (nowMs: number) => number
  readonly #now: () => number
  #overflow: MatchedPolicy<P> | undefined

  constructor(policy: P, ordinal: number, known: GroupCache<Known<P>>, options: MatchOptions<P>) {
    const { maximumGroups = MAXIMUM_GROUPS, now, onOverflow, windowsOf } = options
    this.policy = policy
    this.ordinal = ordinal
    this.conditions = policy.conditions.map(compileCondition)
    this.#reads = policy.groupBy.map(groupReaderOf)
    this.#known = known
    this.#windowAt = windowsOf(policy)
    this.#now = now
    if (policy.groupBy.some(isOpenEnded)) {
      this.#guard = createCardinalityGuard(maximumGroups, () => onOverflow?.(policy))
    }
  }

  /** For a call that it matches. */
  matched(facts: Facts): MatchedPolicy<P> {
    const name = this.#nameIn(facts)
    const known = this.#known.get(this.ordinal, name)
    const window = this.#guard === undefined ? 0 : this.#windowAt(this.#now())
    if (known?.window === window) return known.matched
    const matched = known?.matched ?? { policy: this.policy, group: toGroup(this.policy, this.#valuesIn(facts)) }
    if (this.#guard?.(matched.group.hash, window) === false) {
      this.#overflow ??= { policy: this.policy, group: overflowGroup(this.policy) }
      return this.#overflow
    }
    if (known === undefined) this.#known.add(this.ordinal, name, { matched, window })
    else known.window = window
    return matched
  }

  #valuesIn(facts: Facts): readonly (string | null)[] {
    return this.#reads.map((read) => read(facts) ?? null)
  }

  /** One text for the values of a group, among those of its policy. A value is never empty, so a lone one that is missing may be. */
  #nameIn(facts: Facts): string {
    if (this.#reads.length > 1) return JSON.stringify(this.#valuesIn(facts))
    return this.#reads[0]?.(facts) ?? ''
  }
}
