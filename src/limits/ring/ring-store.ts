import type { Chunk, Claim, Grant, LeaseAsk, Verdict } from './ring.ts'
import type { LimitUnit } from './units.ts'

/** Names one ring: one limit and one group of calls. */
export interface RingKey {
  /** All rings of a workspace live together: in a Redis Cluster, in one slot. */
  readonly workspaceId: string
  /** Names the policy, or what a limit belongs to: `api_key.requests`. Letters, digits, `.`, `_` and `-` only. */
  readonly limitId: string
  readonly unit: LimitUnit
  /** 128-bit hash of the group's values in base64url: values themselves never become part of a key. */
  readonly group: string
  /** The group's values as JSON, for people: what `groups` lists. At most 512 characters. */
  readonly label: string
}

export interface Charge extends Claim {
  readonly key: RingKey
}

/** Correction of a charge once the real usage is known. */
export interface Settlement {
  readonly key: RingKey
  /** `index` of the verdict that made the charge. */
  readonly index: number
  /** Below 0: given back to the bucket that was charged. Above 0: added to the current bucket. */
  readonly delta: number
  readonly grain: number
}

export interface Admission {
  /** False: at least one charge that is no shadow did not fit, and nothing was charged at all. */
  readonly admitted: boolean
  /** One for each charge, in order. */
  readonly verdicts: readonly Verdict[]
}

/** One group of a limit that is in use. */
export interface GroupUsage {
  readonly group: string
  readonly label: string
  readonly used: number
  readonly releaseMs: number
  readonly resetMs: number
}

export interface GroupPage {
  readonly groups: readonly GroupUsage[]
  /** Counts all pages together. */
  readonly total: number
}

/** Names all rings of a limit. */
export type LimitKey = Pick<RingKey, 'workspaceId' | 'limitId' | 'unit'>

export interface Page {
  readonly offset: number
  readonly limit: number
}

/** What was counted in one ring, to be added to the same ring elsewhere. */
export interface RingAddition {
  readonly key: RingKey
  readonly grain: number
  readonly buckets: readonly (readonly [index: number, weight: number])[]
}

/** What a process asks of a ring ahead of its calls. */
export interface RingLeaseAsk extends LeaseAsk {
  readonly key: RingKey
  /** Of what is in hand: that of the grant that it came with, empty when nothing is. */
  readonly generation: string
}

/** What was leased, and is over before it was used up. */
export interface RingGiveBack extends Chunk {
  readonly key: RingKey
  readonly generation: string
}

export interface RingGrant extends Grant {
  /**
   * Names the life of the ring. Where it is another one than before, the ring was forgotten meanwhile: what was leased
   * earlier is counted nowhere, and must not be used any more. Empty when nothing was ever leased of the ring.
   */
  readonly generation: string
}
