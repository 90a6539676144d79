import type { OnStoreFailure } from '../match/policy.ts'
import type { Admission, Charge, GroupPage, LimitKey, Page, RingKey, Settlement } from '../ring/ring-store.ts'

/**
 * How a call was decided: by the store that all processes share (or the only one, where there is no Redis), by this
 * process alone, or not at all.
 */
export type Origin = 'shared' | 'local' | 'open'

export interface LimitCharge extends Charge {
  readonly onStoreFailure: OnStoreFailure
}

export interface LimitAdmission extends Admission {
  /** `local` as soon as one charge was counted here; those with `open` are then let through beside it. */
  readonly origin: Origin
}

/** Whether a charge may not be decided without the shared store. A limit in shadow mode refuses nothing. */
export const mustBeAsked = ({ onStoreFailure, shadow }: LimitCharge): boolean => onStoreFailure === 'closed' && !shadow

/** A limit that must not be guessed cannot be asked now. */
export class StoreFailedClosed extends Error {
  override readonly name = 'StoreFailedClosed'

  constructor(cause?: unknown) {
    super('The shared store of the rate limits does not answer', cause === undefined ? undefined : { cause })
  }
}

/** Where calls are counted, whatever happens to Redis. */
export interface LimitStore {
  /**
   * Gives a plain value when nobody else has to be asked.
   * @throws StoreFailedClosed when the shared store is away and a charge says `closed`; a limit in shadow mode never does
   */
  admit(charges: readonly LimitCharge[]): LimitAdmission | Promise<LimitAdmission>
  /**
   * Never throws and never waits: what goes to the shared store goes there later.
   * @param origin that of the admission
   */
  settle(settlements: readonly Settlement[], origin: Origin): void
  /** Tells of this process alone while the shared store is away. */
  peek(charges: readonly Charge[]): Admission | Promise<Admission>
  /** Tells of this process alone while the shared store is away. */
  groups(limit: LimitKey, page: Page): GroupPage | Promise<GroupPage>
  /** @throws StoreFailedClosed while the shared store is away */
  reset(key: RingKey): boolean | Promise<boolean>
  /** Where calls are counted now; `memory` without Redis. */
  readonly state: 'memory' | 'shared' | 'local'
  /** Sends what is waiting. Takes a second at most. */
  close(): Promise<void>
}
