import type { MasterKeys } from '../../secrets/master-key.ts'
import { createPassingSeal, type PassingSeal } from '../../secrets/own-seal.ts'

/** What a sign-in must still know when its issuer sends the browser back. */
export interface Flow {
  /** Id of the issuer. */
  readonly issuer: string
  readonly state: string
  readonly nonce: string
  /** Of PKCE. */
  readonly verifier: string
  /** A path of this gateway. */
  readonly returnTo: string
  /** Secret of the invite by which somebody comes. */
  readonly invite?: string
}

/** A sign-in lasts no longer, in seconds. */
export const FLOW_SECONDS = 600

/** Flows as browsers carry them. */
export type FlowSeal = PassingSeal<Flow>

export const createFlowSeal = (masterKeys: MasterKeys, now: () => number): FlowSeal =>
  createPassingSeal(masterKeys, 'sign-in', { now, lifeMs: FLOW_SECONDS * 1_000 })
