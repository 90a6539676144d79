import type { LimitUsage } from '../../limits/rate-limits.ts'
import type { LimitDryRun } from '../policies/dry-run.ts'

export interface RateLimitsDeps {
  readonly limits: LimitUsage & LimitDryRun
  /** Words that `endpoint_type` of a condition may be: those of every endpoint that runs. */
  readonly endpointTypes: () => readonly string[]
  /** Milliseconds since 1970. */
  readonly now: () => number
}
