import type { OwnedLimits, OwnLimit } from '../core/limits.ts'
import type { LimitPolicy } from './match/policy.ts'

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

/** What the window of a limit holds that is part of a key, a workspace or a provider. */
export interface UsedLimit extends OwnLimit {
  readonly used: number
  readonly remaining: number
}

/** Use of limits, for their operators. */
export interface LimitUsage {
  /** Of this process alone while the shared store is away. */
  usage(
    policy: LimitPolicy,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly total: number; readonly groups: readonly UsedGroup[] }>
  /** One for each pair of type and unit. Of this process alone while the shared store is away. */
  ownedUsage(workspaceId: string, owned: OwnedLimits): Promise<readonly UsedLimit[]>
  /** Forgets what a group has used, if it has used anything. @throws LimitsUnavailable when the shared store is away */
  reset(policy: LimitPolicy, group: GroupValues): Promise<void>
}
