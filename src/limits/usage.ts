import type { LimitPolicy } from './policy.ts'

/** The values that the calls of one window share, by key of `groupBy`; null where they have none. */
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

/** Use of policies, for their operators. */
export interface LimitUsage {
  /** Of this process alone while the shared store is away. */
  usage(
    policy: LimitPolicy,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly total: number; readonly groups: readonly UsedGroup[] }>
  /** Forgets what a group has used, if it has used anything. @throws LimitsUnavailable when the shared store is away */
  reset(policy: LimitPolicy, group: GroupValues): Promise<void>
}
