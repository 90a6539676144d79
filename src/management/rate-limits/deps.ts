import type { LimitExplanation } from '../../core/limits.ts'
import type { LimitPolicy } from '../../limits/policy.ts'
import type { ImaginedCall } from '../imagined-call.ts'
import type { Page } from '../list.ts'

/** The values that the calls of one window share, by key of `group_by`; null where they have none. */
export type GroupValues = Readonly<Record<string, string | null>>

/** What a group of a policy has used. */
export interface UsedGroup {
  readonly group: GroupValues
  readonly used: number
  /** Milliseconds until the oldest part of it has left the window. */
  readonly releaseMs: number
  /** Milliseconds until all of it has. */
  readonly resetMs: number
}

export interface LimitUsage {
  /** @throws LimitsUnavailable when the shared store is away */
  usage(policy: LimitPolicy, page: Page): Promise<{ readonly total: number; readonly groups: readonly UsedGroup[] }>
  /** Forgets what a group has used, if it has used anything. @throws LimitsUnavailable when the shared store is away */
  reset(policy: LimitPolicy, group: GroupValues): Promise<void>
}

export interface DryRun {
  /**
   * What the limits would say to the call, changing nothing.
   * @throws GatewayError what the chain refuses the call with before it comes to its limits
   */
  evaluate(call: ImaginedCall): Promise<LimitExplanation>
}

export interface RateLimitsDeps {
  readonly limits: LimitUsage & DryRun
  /** Milliseconds since 1970. */
  readonly now: () => number
}
