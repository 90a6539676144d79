import type { RateLimits } from '../core/limits.ts'
import { Account, asUnavailable } from './account.ts'
import { createEngine, type EngineOptions } from './engine.ts'
import { explainCall } from './explain.ts'
import { groupOf } from './groups.ts'
import type { LimitUsage } from './usage.ts'

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
