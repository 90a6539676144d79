import type { LimitExplanation } from '../../core/limits.ts'
import type { LimitUsage } from '../../limits/rate-limits.ts'
import type { DryRunCall } from '../dry-run-call.ts'

export interface LimitDryRun {
  /**
   * What the limits would say to the call, changing nothing.
   * @throws GatewayError what the chain refuses the call with before it comes to its limits
   */
  dryRunLimits(call: DryRunCall): Promise<LimitExplanation>
}

export interface RateLimitsDeps {
  readonly limits: LimitUsage & LimitDryRun
  /** Words that `endpoint_type` of a condition may be: those of every endpoint that runs. */
  readonly endpointTypes: () => readonly string[]
  /** Milliseconds since 1970. */
  readonly now: () => number
}
