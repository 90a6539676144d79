import type { MemoryStore } from '../ring/memory-store.ts'
import type { Verdict } from '../ring/ring.ts'
import type { Admission, Charge, RingKey, Settlement } from '../ring/ring-store.ts'
import type { Doubt, Doubts } from './doubts.ts'
import { type LastReplies, type LastReply, ringIdOf } from './last-replies.ts'
import { mustBeAsked, type ResilientAdmission, type ResilientCharge, StoreFailedClosed } from './limit-store.ts'
import { localLimitOf, toLocalVerdict } from './local-share.ts'
import type { Unmerged } from './unmerged.ts'

/** Rings freed at a time. */
const FREED_AT_ONCE = 1_000
/** Rings noted beyond those held before the notes are looked through. */
const SPARE_NOTES = 1_000

export interface LocalDecision {
  readonly admission: ResilientAdmission
  /** One for each charge in question; only those that weigh something. */
  readonly doubts: readonly (Doubt | undefined)[]
}

/** Rings of this process, for the time in which the shared store does not answer. */
export interface LocalFallback {
  /**
   * Charges with `open` are let through and not counted; the rest is counted, all or none.
   * @param isInDoubt the shared store was asked and may have charged the call
   * @throws StoreFailedClosed when a charge that can refuse says `closed`
   */
  decide(charges: readonly ResilientCharge[], isInDoubt: boolean): LocalDecision
  peek(charges: readonly Charge[]): Admission
  /** Gives weight back to a bucket of this process. */
  refund(key: RingKey, index: number, weight: number): void
  /** Counts what was used beyond a charge, and notes it for the shared store. */
  debit(settlement: Settlement): void
  forget(key: RingKey): void
  /** Drops rings that the shared store knows all about. @returns whether there may be more */
  free(): boolean
}

export interface LocalFallbackOptions {
  readonly memory: MemoryStore
  readonly replies: LastReplies
  readonly unmerged: Unmerged
  readonly doubts: Doubts
  /** Processes that share the limits. */
  readonly replicas: () => number
  readonly now: () => number
}

const NOT_COUNTED: Verdict = { fits: 'yes', used: 0, index: 0, releaseMs: 0, resetMs: 0, fitMs: 0 }

/** A limit in shadow mode refuses nothing, whatever it says of failures. */
export const isCounted = ({ onStoreFailure, shadow }: ResilientCharge): boolean =>
  onStoreFailure === 'local' || (onStoreFailure === 'closed' && shadow)

export const createLocalFallback = (options: LocalFallbackOptions): LocalFallback => {
  const { memory, replies, unmerged, doubts, replicas, now } = options
  /** Rings in `memory`, and the reply that each began with. */
  const held = new Map<string, { readonly key: RingKey; readonly reply: LastReply | undefined }>()

  const note = (ring: string, key: RingKey, reply: LastReply | undefined): void => {
    held.set(ring, { key, reply })
    if (held.size <= 2 * memory.size + SPARE_NOTES) return
    for (const [other, noted] of held) if (!memory.has(noted.key)) held.delete(other)
  }

  /** Begins a ring anew when the shared store has said more since: with that, and what it does not know of. */
  const refresh = (key: RingKey): LastReply | undefined => {
    const ring = ringIdOf(key)
    const reply = replies.get(ring)
    const noted = held.get(ring)
    if (noted !== undefined && noted.reply === reply && memory.has(key)) return reply
    memory.reset(key)
    if (reply !== undefined) memory.seed(key, reply.index, reply.used)
    for (const [index, weight] of unmerged.of(ring)) memory.seed(key, index, weight)
    for (const { index, charge, returned } of doubts.of(ring)) memory.seed(key, index, charge.weight - returned)
    note(ring, key, reply)
    return reply
  }

  const toLocal = <Each extends Charge>(charge: Each): Each => ({
    ...charge,
    limit: localLimitOf(charge, refresh(charge.key), replicas(), now()),
  })

  /** @returns the doubt, when it is one */
  const record = (charge: Charge, { index }: Verdict, isInDoubt: boolean): Doubt | undefined => {
    if (charge.weight === 0) return undefined
    if (isInDoubt) return doubts.open(charge, index)
    unmerged.add(charge.key, charge.grain, index, charge.weight)
    return undefined
  }

  return {
    decide(charges, isInDoubt) {
      if (charges.some(mustBeAsked)) throw new StoreFailedClosed()
      const counted = charges.filter(isCounted)
      if (counted.length === 0) {
        const admission: ResilientAdmission = {
          admitted: true,
          verdicts: charges.map(() => NOT_COUNTED),
          origin: 'open',
        }
        return { admission, doubts: [] }
      }
      const { admitted, verdicts } = memory.admit(counted.map(toLocal))
      const opened: (Doubt | undefined)[] = []
      let place = 0
      const local = charges.map((charge): Verdict => {
        const verdict = isCounted(charge) ? verdicts[place++] : undefined
        const doubt = admitted && verdict !== undefined ? record(charge, verdict, isInDoubt) : undefined
        opened.push(doubt)
        if (verdict === undefined) return NOT_COUNTED
        return toLocalVerdict(charge, doubt === undefined ? verdict : { ...verdict, index: doubt.number })
      })
      return { admission: { admitted, verdicts: local, origin: 'local' }, doubts: opened }
    },

    peek(charges) {
      const { admitted, verdicts } = memory.peek(charges.map(toLocal))
      return {
        admitted,
        verdicts: verdicts.map((verdict, place) => {
          const charge = charges[place]
          return charge === undefined ? verdict : toLocalVerdict(charge, verdict)
        }),
      }
    },

    refund(key, index, weight) {
      memory.settle([{ key, index, delta: -weight, grain: 1 }])
    },

    debit({ key, grain, delta }) {
      refresh(key)
      // A charge in shadow mode goes beyond any limit, and says where it went.
      const charge: Charge = { key, grain, weight: delta, limit: Number.MAX_SAFE_INTEGER, shadow: true }
      const [verdict] = memory.admit([charge]).verdicts
      if (verdict !== undefined) unmerged.add(key, grain, verdict.index, delta)
    },

    forget(key) {
      const ring = ringIdOf(key)
      memory.reset(key)
      held.delete(ring)
      replies.forget(ring)
      unmerged.forget(ring)
    },

    free() {
      let freed = 0
      for (const [ring, { key }] of held) {
        if (unmerged.has(ring) || doubts.has(ring)) continue
        if (freed === FREED_AT_ONCE) return true
        memory.reset(key)
        held.delete(ring)
        freed += 1
      }
      return false
    },
  }
}
