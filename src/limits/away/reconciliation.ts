import type { Verdict } from '../ring/ring.ts'
import type { Charge, RingKey, Settlement } from '../ring/ring-store.ts'
import type { Doubt, Doubts, Fate } from './doubts.ts'
import type { LocalFallback } from './local-fallback.ts'
import type { Unmerged } from './unmerged.ts'

/** A call that was decided here after the shared store had been asked. */
export interface LateCall {
  readonly charges: readonly Charge[]
  /** As the decision gave them; none when the call was refused or nothing of it was counted here. */
  readonly doubts: readonly (Doubt | undefined)[]
}

/** Sees to it that what both this process and the shared store may have counted is counted once. */
export interface Reconciliation {
  /** The shared store has charged the call: it is taken out of what is counted here, or given back when it was not made. */
  wasCharged(call: LateCall, verdicts: readonly Verdict[]): void
  /** The shared store has certainly not charged it. */
  wasNotCharged(call: LateCall): void
  /** Nobody will ever know: it may have been charged, so the shared store is not told of it again. */
  isLost(call: LateCall): void
  /** Gives back weight of a charge that was counted here. */
  refund(settlement: Settlement): void
}

export interface ReconciliationOptions {
  readonly local: LocalFallback
  readonly doubts: Doubts
  readonly unmerged: Unmerged
  /** Gives back to the shared store. */
  readonly refundShared: (settlement: Settlement) => void
}

export const createReconciliation = (options: ReconciliationOptions): Reconciliation => {
  const { local, doubts, unmerged, refundShared } = options

  const giveBack = ({ key, grain }: { key: RingKey; grain: number }, index: number, weight: number): void => {
    if (weight > 0) refundShared({ key, index, delta: -weight, grain })
  }

  const resolveAll = ({ doubts: open }: LateCall, fate: Fate): void => {
    for (const doubt of open) if (doubt !== undefined) doubts.resolve(doubt, fate)
  }

  return {
    wasCharged({ charges, doubts: open }, verdicts) {
      for (const [place, charge] of charges.entries()) {
        const verdict = verdicts[place]
        if (verdict === undefined) continue
        const doubt = open[place]
        if (doubt !== undefined) doubts.resolve(doubt, { kind: 'there', index: verdict.index })
        giveBack(charge, verdict.index, doubt === undefined ? charge.weight : doubt.returned)
      }
    },

    wasNotCharged(call) {
      resolveAll(call, { kind: 'here' })
      for (const doubt of call.doubts) {
        if (doubt === undefined || doubt.returned >= doubt.charge.weight) continue
        const { charge, index, returned } = doubt
        unmerged.add(charge.key, charge.grain, index, charge.weight - returned)
      }
    },

    isLost(call) {
      resolveAll(call, { kind: 'lost' })
    },

    refund({ key, index, delta, grain }) {
      const weight = -delta
      const doubt = index < 0 ? doubts.take(index) : undefined
      // Settled too late to know what it was: it stays charged.
      if (index < 0 && doubt === undefined) return
      const bucket = doubt?.index ?? index
      local.refund(key, bucket, weight)
      const fate = doubt?.fate ?? { kind: 'here' }
      switch (fate.kind) {
        case 'here':
          // What the shared store has been told of by now is given back there.
          giveBack({ key, grain }, bucket, unmerged.take(key, bucket, weight))
          return
        case 'there':
          giveBack({ key, grain }, fate.index, weight)
          return
        case 'unknown':
          if (doubt !== undefined) doubt.returned += weight
          return
        case 'lost':
          return
      }
    },
  }
}
