import type { BudgetClaim, BudgetHold, BudgetVerdict } from '../../budgets/counter.ts'
import type { BudgetUnits } from '../../core/budgets.ts'
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

/** What limits and budgets say to a call. Its `admitted` is of all of them: where one refuses, nothing is charged or held. */
export interface LimitJudgement extends Admission {
  /** One for each claim, in order. */
  readonly budgets: readonly BudgetVerdict[]
}

export interface LimitAdmission extends LimitJudgement {
  /** `local` as soon as one charge or claim was decided here; charges with `open` are then let through beside it. */
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
  admit(charges: readonly LimitCharge[], claims?: readonly BudgetClaim[]): LimitAdmission | Promise<LimitAdmission>
  /**
   * Never throws and never waits: what goes to the shared store goes there later.
   * @param origin that of the admission
   */
  settle(settlements: readonly Settlement[], origin: Origin): void
  /**
   * Gives back what a call holds, or part of it: in the same step in which `Counters.spent` hears what the call spent, so
   * that nobody meets the one without the other. Never throws; nothing where all was given back.
   */
  release(hold: BudgetHold, weight?: BudgetUnits): void
  /** What `admit` would say, changing nothing. Tells of this process alone while the shared store is away. */
  peek(charges: readonly Charge[], claims?: readonly BudgetClaim[]): LimitJudgement | Promise<LimitJudgement>
  /** Tells of this process alone while the shared store is away. */
  groups(limit: LimitKey, page: Page): GroupPage | Promise<GroupPage>
  /** @throws StoreFailedClosed while the shared store is away */
  reset(key: RingKey): boolean | Promise<boolean>
  /** Where calls are counted now; `memory` without Redis. */
  readonly state: 'memory' | 'shared' | 'local'
  /** Sends what is waiting. Takes a second at most. */
  close(): Promise<void>
}
