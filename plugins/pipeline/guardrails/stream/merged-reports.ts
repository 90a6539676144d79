import type { CompiledGuardrail } from '#calls/guardrails/compile'
import { toReport } from '#calls/guardrails/run-guardrail'
import type { CheckReport, HookReport } from '#core/guardrails'
import type { Share } from './plan.ts'

type Mutable<Value> = { -readonly [Name in keyof Value]: Value[Name] }

/** What the looks of one guardrail came to so far. */
interface Merged {
  readonly checks: (Mutable<CheckReport> | undefined)[]
  ms: number
  transformed: boolean
}

/** What guardrails came to over all their looks at a stream: one report each. */
export class MergedReports {
  readonly #merged = new Map<CompiledGuardrail, Merged>()

  /** @param reports of these shares, in order; fewer where one of them refuses */
  add(shares: readonly Share[], reports: readonly HookReport[]): void {
    for (let index = 0; index < reports.length; index++) {
      const { of, places } = shares[index] as Share
      const report = reports[index] as HookReport
      const merged = this.#of(of)
      merged.ms += report.execution_time
      merged.transformed ||= report.transformed
      for (let at = 0; at < places.length; at++) {
        const place = places[at] as number
        const check = report.checks[at]
        if (check !== undefined) merged.checks[place] = merge(merged.checks[place], check)
      }
    }
  }

  /** One for each guardrail of these that has looked. */
  reportsOf(guardrails: readonly CompiledGuardrail[], nowMs: number): readonly HookReport[] {
    return guardrails.flatMap((guardrail) => {
      const merged = this.#merged.get(guardrail)
      if (merged === undefined) return []
      const checks = merged.checks.filter((check) => check !== undefined)
      return toReport(guardrail, checks, merged.ms, nowMs, merged.transformed)
    })
  }

  #of(guardrail: CompiledGuardrail): Merged {
    const known = this.#merged.get(guardrail)
    if (known !== undefined) return known
    const merged: Merged = { checks: [], ms: 0, transformed: false }
    this.#merged.set(guardrail, merged)
    return merged
  }
}

/** The look that says most is told of: the first that failed, else the first that changed something, else the last. */
const merge = (before: Mutable<CheckReport> | undefined, now: CheckReport): Mutable<CheckReport> => {
  if (before === undefined) return { ...now }
  const saysMore = before.verdict && (!now.verdict || !before.transformed)
  if (saysMore && now.data !== undefined) before.data = now.data
  if (saysMore && now.log !== undefined) before.log = now.log
  before.verdict &&= now.verdict
  before.transformed ||= now.transformed
  before.error ??= now.error
  before.execution_time = Math.round((before.execution_time + now.execution_time) * 1000) / 1000
  return before
}
