import type { Counter } from '../../budgets/counter.ts'
import type { BudgetUnits } from '../../core/budgets.ts'
import { UsageMeter } from '../leases/usage-meter.ts'

/** Milliseconds for which it may be used. */
export const LEASE_MS = 2_000
/** What is held ahead, in parts of what was used in the time of a lease. */
const HEADROOM = 1.25
/** Calls in the time of two leases below which each asks for itself: a lease would cost as much as it saves. */
const LEAST_CALLS = 8
/** Less than that is not worth it. */
export const LEAST_AHEAD: BudgetUnits = 2
/** Part of its time that is left when it is asked for anew. */
const RENEW_LEFT = 1 / 3

/**
 * What this process holds ahead of one count, in the shared store and for the calls to come. A call that it covers asks
 * nobody: what it holds or spends is taken from what is left, so that the sum that the store was told stays as it is. What
 * the ledger counts meanwhile does not come back. All times are those of the monotonic clock.
 */
export class BudgetLease {
  readonly counter: Counter
  /** For which it was leased: a changed one is asked for anew. */
  readonly limit: BudgetUnits
  /** An ask is on its way, or about to be. */
  isAsking = false
  /** Grows with each end: what was asked for before is not used. */
  epoch = 0
  readonly #meter = new UsageMeter(LEASE_MS)
  /** What this process may have taken in all. */
  #upTo: BudgetUnits = 0
  #size: BudgetUnits = 0
  #untilMs = Number.NEGATIVE_INFINITY
  #notBeforeMs = Number.NEGATIVE_INFINITY
  /** Used by all, with all that is ahead, when that was heard last. */
  #used: BudgetUnits = 0
  /** What this process had taken when a call was noted last. */
  #seen: BudgetUnits

  constructor(counter: Counter, limit: BudgetUnits) {
    this.counter = counter
    this.limit = limit
    this.#seen = takenOf(counter)
  }

  /** The most that may be left. 0: there is none. */
  get size(): BudgetUnits {
    return this.#size
  }

  get isEmpty(): boolean {
    return this.#size === 0
  }

  /** What may be taken without asking. What calls give back beyond its size is left to others, for good. */
  get left(): BudgetUnits {
    if (this.#size === 0) return 0
    // One that is not found any more is of no use to a call.
    if (!this.counter.isKept) return 0
    const left = this.#upTo - takenOf(this.counter)
    this.#upTo -= Math.max(0, left - this.#size)
    return Math.max(0, Math.min(left, this.#size))
  }

  /** @param weight 0: of a call that goes through where anything is left */
  covers(weight: BudgetUnits, limit: BudgetUnits, nowMs: number): boolean {
    if (limit !== this.limit || nowMs >= this.#untilMs) return false
    const { left } = this
    return left > 0 && weight <= left
  }

  /** Nothing of it may be used any more. */
  isOver(nowMs: number): boolean {
    return nowMs >= this.#untilMs
  }

  /** Used by all before a call of that weight that it covers. What is ahead counts as used, here and elsewhere. */
  usedBefore(weight: BudgetUnits): BudgetUnits {
    return Math.max(0, this.#used - weight)
  }

  /** A call was let through: how much, and how often, tells what to hold ahead. */
  note(weight: BudgetUnits, nowMs: number): void {
    const taken = takenOf(this.counter)
    this.#meter.add(weight > 0 ? weight : Math.max(0, taken - this.#seen), nowMs)
    this.#seen = taken
  }

  /** The store has said what is used. */
  heard(used: BudgetUnits): void {
    this.#used = used
  }

  isDue(nowMs: number): boolean {
    if (this.isAsking || nowMs < this.#notBeforeMs || this.#meter.calls(nowMs) < LEAST_CALLS) return false
    // What calls spend that hold nothing back is not known before they have ended.
    if (this.#wanted(nowMs) < LEAST_AHEAD) return false
    return this.isUrgent || this.#untilMs - nowMs < LEASE_MS * RENEW_LEFT
  }

  /** Half of it is used up. */
  get isUrgent(): boolean {
    return this.left * 2 <= this.#size
  }

  /**
   * What to hold beyond what is left. 0: the same for longer.
   * @param share one in so many of what all have left
   * @returns undefined where it would be too little, or was refused lately
   */
  toAsk(share: number, nowMs: number): BudgetUnits | undefined {
    if (nowMs < this.#notBeforeMs) return undefined
    const room = Math.floor(Math.max(0, this.limit - this.#used) / share)
    const wanted = Math.min(room, this.#wanted(nowMs))
    if (wanted < LEAST_AHEAD) return undefined
    this.#size = Math.min(this.#size, wanted)
    return Math.max(0, wanted - this.left)
  }

  #wanted(nowMs: number): BudgetUnits {
    return Math.ceil(this.#meter.weight(nowMs) * HEADROOM)
  }

  /** @param used by all before it @param sentMs when it was asked for */
  granted(weight: BudgetUnits, used: BudgetUnits, sentMs: number): void {
    const left = this.left + weight
    this.#size = left
    this.#upTo = takenOf(this.counter) + left
    this.#untilMs = sentMs + LEASE_MS
    this.#used = used + weight
  }

  /** Asks no sooner than after half of a lease. */
  wait(nowMs: number): void {
    this.#notBeforeMs = nowMs + LEASE_MS / 2
  }

  /** What is left is for others, and what was asked for as well. */
  end(): void {
    this.epoch += 1
    this.#size = 0
    this.#untilMs = Number.NEGATIVE_INFINITY
  }
}

/** All that calls of this process have spent and hold. */
const takenOf = ({ pending, counted, held }: Counter): BudgetUnits => pending + counted + held
