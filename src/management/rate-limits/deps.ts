import type { LimitExplanation } from '../../core/limits.ts'
import type { LimitUsage } from '../../limits/usage.ts'
import type { ImaginedCall } from '../imagined-call.ts'

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
