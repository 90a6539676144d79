import type { RateLimits } from '../core/limits.ts'
import { Account, asUnavailable } from './account.ts'
import { explainCall } from './dry-run.ts'
import { createEngine, type EngineOptions } from './engine.ts'
import { groupOf } from './match/groups.ts'
import type { Charge } from './ring/ring-store.ts'
import { fromOwned, type Rule } from './rule.ts'
import type { LimitUsage } from './usage.ts'

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
    explain: (facts, targets) => explainCall(engine, facts, targets),
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
      const rules = fromOwned(workspaceId, owned)
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
