import type { OwnedLimits, OwnLimit, RateLimits } from '../core/limits.ts'
import { Account, asUnavailable } from './account.ts'
import { dryRunCall } from './dry-run.ts'
import { createEngine, type EngineOptions } from './engine.ts'
import { groupOf } from './match/groups.ts'
import type { LimitPolicy } from './match/policy.ts'
import type { Charge } from './ring/ring-store.ts'
import { fromOwned, type Rule } from './rule.ts'

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
  /** Tells of this process alone while the shared store is away. */
  usage(
    policy: LimitPolicy,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly total: number; readonly groups: readonly UsedGroup[] }>
  /** One for each pair of type and unit. Of this process alone while the shared store is away. */
  ownedUsage(workspaceId: string, owned: OwnedLimits): Promise<readonly UsedLimit[]>
  /** Forgets what a group has used, if it has used anything. @throws LimitsUnavailable when the shared store is away */
  reset(policy: LimitPolicy, group: GroupValues): Promise<void>
}

/** A ring is asked what it would say to the smallest call. */
const PROBE_WEIGHT = 1

const toProbe = ({ key, value, grain }: Rule): Charge => ({
  key,
  limit: value,
  weight: PROBE_WEIGHT,
  grain,
  shadow: false,
})

/** The limits of every workspace: what the chain asks, and what the management interface shows. */
export const createRateLimits = (options: EngineOptions): RateLimits & LimitUsage => {
  const engine = createEngine(options)
  const { store } = engine
  return {
    open: (facts) => new Account(engine, facts),
    dryRun: (facts, targets) => dryRunCall(engine, facts, targets),
    async usage({ id, workspaceId, unit }, page) {
      const { groups, total } = await store.groups({ workspaceId, limitId: id, unit }, page)
      return {
        total,
        groups: groups.map(({ label, used, releaseMs, resetMs }) => ({
          group: Object.fromEntries(JSON.parse(label)),
          used,
          releaseMs,
          resetMs,
        })),
      }
    },
    async ownedUsage(workspaceId, owned) {
      const rules = fromOwned(owned, workspaceId)
      const { admitted, verdicts } = await store.peek(rules.map(toProbe))
      return rules.map(({ type, unit, value }, index) => {
        // What a peek would admit is in `used` already.
        const used = (verdicts[index]?.used ?? 0) - (admitted ? PROBE_WEIGHT : 0)
        return { type, unit, value, used, remaining: Math.max(0, value - used) }
      })
    },
    async reset(policy, values) {
      const { id, workspaceId, unit } = policy
      const { hash, label } = groupOf(policy, values)
      try {
        await store.reset({ workspaceId, limitId: id, unit, group: hash, label })
      } catch (thrown) {
        throw asUnavailable(thrown)
      }
      engine.denials.forget(`${id}:${unit}:${hash}`)
    },
  }
}
