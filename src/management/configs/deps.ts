import type { RouteExplanation } from '../../core/route-explanation.ts'
import type { GatewayError } from '../../errors/gateway-error.ts'
import type { CheckDirectory } from '../../kit/check.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import type { DryRunCall } from '../dry-run-call.ts'
import type { RunningProvider } from '../integrations/deps.ts'

export interface ConfigDeps {
  /** Those that run now: their settings are fields of a config. */
  readonly providers: () => readonly RunningProvider[]
  /**
   * Checks a base URL.
   * @throws EgressRefused for a host that calls may not reach.
   */
  readonly checkCustomHost: (url: string) => string
  /** What guardrails can be made of now. */
  readonly checks: CheckDirectory
  readonly secretBox: Pick<SecretBox, 'seal'>
  /** Version 4 UUID. */
  readonly randomId: () => string
}

/** How the router would go about a call, and what would refuse it. */
export interface RouteVerdict extends RouteExplanation {
  readonly error?: GatewayError
}

export interface RouteDryRun {
  /** Goes through the chain as far as the choice of a target, without making the call. */
  readonly dryRunRoute: (call: DryRunCall) => Promise<RouteVerdict>
}
