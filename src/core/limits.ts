/** Rate limits and budgets as the chain sees them. The engines behind it are `src/limits` and `src/budgets`. */

import type { BudgetCharge, BudgetType, Enforcement, OwnedBudgets, TargetSpent } from './budgets.ts'

/** What limits can look at before a target is chosen. */
export interface CallFacts {
  readonly organisationId: string
  readonly workspaceId: string
  /** Absent where the caller has no key of ours. */
  readonly apiKeyId?: string | undefined
  /** Labels of workspace, key and request, merged. */
  readonly metadata: Readonly<Record<string, string>>
  /** Slug of the saved config. */
  readonly config?: string | undefined
  /** Slug of the prompt. */
  readonly prompt?: string | undefined
  /** Name of the interface: `chatComplete`, `complete`, `embed`, … */
  readonly endpointType: string
  /** Word that stands for all calls of its endpoint. Absent: for this one alone. */
  readonly widerEndpointType?: string
  /** Model as the request names it, without a provider in front. */
  readonly model?: string | undefined
  /** Slug of the MCP server that is asked: the policies for tools hold then, and not those for models. */
  readonly mcpServer?: string | undefined
  /** Name of the tool that is called there. */
  readonly mcpTool?: string | undefined
}

/** What limits can look at once a target is chosen. */
export interface TargetFacts {
  /** Id of the provider plugin. */
  readonly provider: string
  /** Slug of the stored provider. */
  readonly virtualKey?: string | undefined
  /** Model that this target will be asked for. */
  readonly model?: string | undefined
}

/** A limit that is part of a key, a workspace or a provider. */
export interface OwnLimit {
  readonly type: 'requests' | 'tokens'
  readonly unit: 'rps' | 'rpm' | 'rph' | 'rpd' | 'rpw'
  /** 0 lets nothing through. */
  readonly value: number
}

export interface OwnedLimits {
  readonly owner: 'api_key' | 'workspace' | 'virtual_key' | 'integration'
  /** Id of the owner; unique within the workspace and the kind. */
  readonly id: string
  readonly limits: readonly OwnLimit[]
}

/** How many tokens a call may use, before it is made. */
export interface TokenForecast {
  readonly inputTokens: number
  /** Most output that the request allows, over all choices; absent when it names no bound. */
  readonly maxOutputTokens?: number
}

export interface AdmitOptions {
  /** Only called when a limit counts tokens. */
  forecast(): TokenForecast
  /** Limits of the key, the workspace, the target. */
  readonly owned: readonly OwnedLimits[]
  /** Budgets of the key, the workspace, the target. */
  readonly budgets?: readonly OwnedBudgets[]
  /** Names the target again when `charge` tells what was spent there. */
  readonly target?: object
  /** The most that the call can cost at this target, in 10⁻¹² dollars; undefined where its price is not known. Only called when a budget asks. */
  worstCost?(): number | undefined
  /** The most tokens that the call can use at this target. Only called when a budget asks. */
  mostTokens?(): number
  /** A part of a call that was charged as a request already: only limits and budgets of tokens and money are asked. */
  readonly isPart?: boolean
  /** Asks no model, so nothing is charged: only a limit of 0, which turns its owner off, refuses the call. */
  readonly isFree?: boolean
}

/** Response header: what is left of the tightest budget of a call. */
export const BUDGET_HEADER = 'x-gateway-budget-remaining'

/** The end of a call, as limits need it. */
export interface Spent {
  /** False: no provider was asked, so nothing is counted. */
  readonly reachedProvider: boolean
  readonly totalTokens: number
  readonly outputTokens: number
}

/**
 * What one call owes. Each limit is charged at most once for each group, however many attempts there are.
 * Methods that may have to ask a store give a promise then, and nothing otherwise.
 */
export interface CallAccount {
  /**
   * Charges all that an attempt at a target meets and the call does not hold yet, in one step, all or nothing; gives back
   * what was held for another target.
   * @throws RateLimited, RequestExceedsLimit, BudgetExhausted, LimitsUnavailable: with `endsCall` when the limit looks at the call alone
   */
  admit(options: AdmitOptions, target: TargetFacts): void | Promise<void>
  /**
   * The attempt that was admitted last is over.
   * @param hasUsed it may have cost something, although it failed
   */
  attemptEnded(reachedProvider: boolean, hasUsed?: boolean): void
  /** The call is over: gives back what it did not use and adds what it used beyond. Once; never throws. */
  settle(spent: Spent): void
  /**
   * What the call adds to budgets, now that it is over: for its record, which is written next. Gives back what was held back
   * for it. Once; nothing the second time; never throws.
   */
  charge(spent: readonly TargetSpent[]): readonly BudgetCharge[]
  /** What budgets hold back for the call now. */
  held(): readonly BudgetCharge[]
  /** Response headers about the limits that were met, lower case. */
  headers(): ReadonlyMap<string, string>
  /** For the log: ids of limits in shadow mode that would have refused the call. */
  readonly shadowRefusals: readonly string[]
}

/** The limits of every workspace. */
export interface RateLimits {
  open(facts: CallFacts): CallAccount
  /** What would happen to a call that could go to these targets, changing nothing. */
  dryRun(
    facts: CallFacts,
    targets: readonly { readonly facts: TargetFacts; readonly options: AdmitOptions }[],
  ): Promise<LimitExplanation>
}

export interface ConditionVerdict {
  readonly key: string
  readonly value: string | readonly string[]
  readonly excludes?: string | readonly string[]
  /** What the call has; null when nothing. */
  readonly actual: string | null
  readonly holds: boolean
  readonly reason: string
}

/** What one limit says to a call. */
export interface LimitVerdict {
  /** Id of a policy, or `api_key.requests` and the like. */
  readonly id: string
  readonly name: string | null
  readonly owner: 'policy' | OwnedLimits['owner']
  readonly type: 'requests' | 'tokens'
  readonly unit: OwnLimit['unit']
  readonly value: number
  readonly mode: 'enforce' | 'shadow'
  readonly matches: boolean
  /** Empty for limits that are no policies. */
  readonly conditions: readonly ConditionVerdict[]
  /** The rest only for a limit that matches. Values by key; null where the call has none. */
  readonly group?: Readonly<Record<string, string | null>>
  readonly used?: number
  readonly remaining?: number
  /** What the call would be charged. */
  readonly weight?: number
  readonly wouldRefuse?: boolean
  /** Milliseconds until it would fit; absent when it never can, or does now. */
  readonly retryAfterMs?: number
}

/** What one budget says to a call. Amounts in dollars, tokens or requests, by its type. */
export interface ExplainedBudget {
  /** Id of a policy, or `api_key.cost` and the like. */
  readonly id: string
  readonly name: string | null
  readonly owner: 'policy' | OwnedBudgets['owner']
  readonly type: BudgetType
  readonly limit: number
  readonly enforcement: Enforcement
  readonly mode: 'enforce' | 'shadow'
  readonly matches: boolean
  /** Empty for budgets that are no policies. */
  readonly conditions: readonly ConditionVerdict[]
  /** The rest only for a budget that matches. Values by key; null where the call has none. */
  readonly group?: Readonly<Record<string, string | null>>
  /** Spent, and held back for calls that are in flight. */
  readonly used?: number
  readonly remaining?: number
  /** What would be held back for the call. */
  readonly reserved?: number
  /** The price of the call is not known, and the policy refuses such calls. */
  readonly isUnpriced?: boolean
  readonly wouldRefuse?: boolean
  /** When its period began and when it ends, in milliseconds since 1970. Without an end it never does. */
  readonly startMs?: number
  readonly endMs?: number
}

export interface LimitExplanation {
  /** What the answer would be, by limits and budgets alone. */
  readonly allowed: boolean
  readonly status: number
  readonly targets: readonly {
    readonly target: TargetFacts
    readonly allowed: boolean
    readonly status: number
    /** The message that the caller would get. */
    readonly message?: string
    readonly limits: readonly LimitVerdict[]
    readonly budgets: readonly ExplainedBudget[]
  }[]
}

const NOTHING_CHARGED: readonly BudgetCharge[] = []
const NOTHING_SAID: ReadonlyMap<string, string> = new Map()

/** For an engine without limits: everything is let through and nothing is counted. */
export const NO_LIMITS: RateLimits = {
  open: () => ({
    admit: () => undefined,
    attemptEnded: () => undefined,
    settle: () => undefined,
    charge: () => NOTHING_CHARGED,
    held: () => NOTHING_CHARGED,
    headers: () => NOTHING_SAID,
    shadowRefusals: [],
  }),
  dryRun: async (_facts, targets) => ({
    allowed: true,
    status: 200,
    targets: targets.map(({ facts }) => ({ target: facts, allowed: true, status: 200, limits: [], budgets: [] })),
  }),
}
