import type { GuardrailUses } from '../core/guardrails.ts'
import type { Resilience } from '../core/ports.ts'
import type { StepBudget } from '../core/step-budget.ts'

/** How often, and after which answers, one target is asked again. */
export interface RetryPolicy {
  /** Beyond the first: 0 to 5. */
  readonly attempts: number
  readonly onStatusCodes: ReadonlySet<number>
  /** Wait as long as a 429 asks, instead of backing off. Absent: the config does not say. */
  readonly useRetryAfterHeader?: boolean
}

export interface CachePolicy {
  readonly mode: 'simple' | 'semantic'
  readonly maxAgeSeconds: number
}

/** When a target is left alone for a while. */
export interface BreakerPolicy {
  /** Failures in a row of requests that are counted. At least one of the two thresholds is there. */
  readonly failureThreshold?: number
  readonly failureThresholdPercentage?: number
  readonly minimumRequests: number
  readonly cooldownMs: number
  /** Absent: 500 and above. */
  readonly failureStatusCodes?: ReadonlySet<number>
}

export interface StickyPolicy {
  /** `metadata.x`, `params.user`, `headers.y`. */
  readonly hashFields: readonly string[]
  readonly ttlSeconds: number
}

/** What becomes of a stream that breaks after its first piece was handed out. */
export type StreamRecovery = Resilience['streamRecovery']

/** One place a call may go to, with all that it inherits. Nothing of a call is in it yet: `CallConfig.bind` adds that. */
export interface Leaf {
  readonly kind: 'leaf'
  /** Its place in the config, by which the answer names it: `config` or `config.targets[0].targets[1]`. */
  readonly path: string
  readonly name?: string
  /** Id of a provider, or `@slug` of a stored one. */
  readonly provider?: string
  readonly virtualKey?: string
  readonly apiKey?: string
  readonly customHost?: string
  /** Provider settings by their snake_case name. */
  readonly settings: Readonly<Record<string, string>>
  readonly overrideParams?: Readonly<Record<string, unknown>>
  readonly defaultParams?: Readonly<Record<string, unknown>>
  readonly dropParams?: readonly string[]
  readonly requestTimeoutMs?: number
  /** Milliseconds until the first meaningful piece of an answer; then the next target is tried. Ours. */
  readonly firstTokenTimeoutMs?: number
  readonly forwardHeaders?: readonly string[]
  readonly strict?: boolean
  readonly promptId?: string
  readonly retry?: RetryPolicy
  readonly cache?: CachePolicy
  /** Besides those that hold for every call of the workspace. */
  readonly guardrails?: GuardrailUses
}

interface BranchBase {
  readonly kind: 'branch'
  readonly path: string
  readonly name?: string
  readonly children: readonly PlanNode[]
  /** Absent: the config does not say. */
  readonly streamRecovery?: StreamRecovery
  readonly breaker?: BreakerPolicy
}

export interface SingleBranch extends BranchBase {
  readonly mode: 'single'
}

export interface FallbackBranch extends BranchBase {
  readonly mode: 'fallback'
  /** Absent: any answer that is not a 2xx. */
  readonly onStatusCodes?: ReadonlySet<number>
  /** Also when the model refused the content. Ours; false unless asked. */
  readonly onContentRefusal: boolean
}

export interface BalanceBranch extends BranchBase {
  readonly mode: 'loadbalance'
  /** By child; relative, 0 is never chosen, at least one is above 0. */
  readonly weights: readonly number[]
  readonly sticky?: StickyPolicy
}

/** What the conditions of a config can look at. */
export interface ConditionSubject {
  /** Metadata of workspace, key and request, merged. */
  readonly metadata: Readonly<Record<string, string>>
  /** The body of the request. May be a getter: it is only read when a condition asks for it. */
  readonly params: Readonly<Record<string, unknown>>
  /** Path of the request without its query. */
  readonly pathname: string
  /** What all searches for patterns of one call may take; beyond it none of them finds anything. */
  readonly searchBudget: StepBudget
}

/** A query of a conditional strategy, compiled. */
export interface ConditionQuery {
  /** What was written, for explanations. */
  readonly source: Readonly<Record<string, unknown>>
  holds(subject: ConditionSubject): boolean
}

export interface ConditionalBranch extends BranchBase {
  readonly mode: 'conditional'
  readonly conditions: readonly { readonly query: ConditionQuery; readonly then: number }[]
  /** Index of the child for a call that no condition fits. */
  readonly otherwise?: number
}

export type Branch = SingleBranch | FallbackBranch | BalanceBranch | ConditionalBranch
export type PlanNode = Leaf | Branch

/** A config, compiled once for each of its versions. */
export interface Plan {
  readonly root: PlanNode
  /** In the order of their paths. */
  readonly leaves: readonly Leaf[]
  /** True when any leaf may be answered from the cache. */
  readonly usesCache: boolean
  /** True when any branch leaves targets alone that fail. */
  readonly usesBreakers: boolean
}
