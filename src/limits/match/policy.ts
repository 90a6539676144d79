import type { LimitUnit } from '../ring/units.ts'

/** One test of a call. All conditions of a policy must hold. */
export interface Condition {
  /** `api_key`, `metadata.<name>`, `workspace_id`, …: see `condition-keys.ts`. */
  readonly key: string
  /** Any one of these is enough. The single text `*` stands for any value that is there. */
  readonly value: string | readonly string[]
  /** None of these may be the value. Looked at first. */
  readonly excludes?: string | readonly string[]
}

/** What matching has to know of a policy, whatever it limits. */
export interface Matchable {
  readonly id: string
  readonly conditions: readonly Condition[]
  /** Keys; calls with the same values of all of them are counted together. Empty: all calls are. */
  readonly groupBy: readonly string[]
}

/** What happens to calls while the shared store is away: count in this process, let them through, refuse them. */
export type OnStoreFailure = 'local' | 'open' | 'closed'

/** How many tokens are held back for a call before it is made. */
export type Reservation = 'max' | 'bounded' | 'input' | 'post'

/** An active rate limits policy as calls meet it. */
export interface LimitPolicy extends Matchable {
  readonly organisationId: string
  readonly workspaceId: string
  readonly name: string | null
  readonly target: 'llm' | 'mcp_tools'
  readonly type: 'requests' | 'tokens'
  readonly unit: LimitUnit
  /** A whole number of at least 1. */
  readonly value: number
  readonly onStoreFailure: OnStoreFailure
  readonly reservation: Reservation
  /** `shadow`: counted and reported, never refuses. */
  readonly mode: 'enforce' | 'shadow'
}
