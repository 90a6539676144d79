import type { BudgetClaim, BudgetHold, Counter } from '../../budgets/counter.ts'
import type { OpenVerdict } from './claims.ts'

/** Milliseconds after which a call that never ended holds nothing any more. */
const LONGEST_MS = 3_600_000
const SWEEP_MS = 1_000
/** Holds that one sweep gives back. */
const SWEPT = 1_000

/** What calls of this process hold back. `held` of a counter is the sum of its holds. */
export interface Holds {
  /** Gives back what calls hold that are long over, of which nobody said so. Cheap: to be called before anything is judged. */
  sweep(): void
  /** Holds back what the claims of an admitted call say, and puts it into the verdicts. */
  take(claims: readonly BudgetClaim[], verdicts: readonly OpenVerdict[]): void
  /** Gives back all of it, or so much. */
  release(hold: BudgetHold, weight?: number): void
  /** Holds that were not given back. */
  readonly size: number
}

export interface HoldsOptions {
  readonly monotonicMs: () => number
  /** Hears that less is held. */
  readonly onRelease?: (counter: Counter) => void
}

export const createHolds = ({ monotonicMs, onRelease }: HoldsOptions): Holds => {
  /** Oldest first. */
  const open = new Set<BudgetHold>()
  let sweptMs = Number.NEGATIVE_INFINITY

  const release = (hold: BudgetHold, weight = hold.weight): void => {
    const given = Math.min(weight, hold.weight)
    if (!(given > 0)) return
    hold.weight -= given
    hold.counter.held -= given
    if (hold.weight === 0) open.delete(hold)
    onRelease?.(hold.counter)
  }

  return {
    release,

    sweep() {
      if (open.size === 0) return
      const nowMs = monotonicMs()
      if (nowMs < sweptMs + SWEEP_MS) return
      sweptMs = nowMs
      let left = SWEPT
      for (const hold of open) {
        if (hold.sinceMs + LONGEST_MS > nowMs || left === 0) return
        left -= 1
        release(hold)
      }
    },

    take(claims, verdicts) {
      for (let place = 0; place < claims.length; place += 1) {
        const claim = claims[place]
        const verdict = verdicts[place]
        if (claim === undefined || verdict === undefined || claim.shadow || !(claim.weight > 0)) continue
        const { counter, weight } = claim
        counter.held += weight
        verdict.hold = { counter, weight, sinceMs: monotonicMs() }
        open.add(verdict.hold)
      }
    },

    get size() {
      return open.size
    },
  }
}
