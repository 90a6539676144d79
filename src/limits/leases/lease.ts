import type { Verdict } from '../ring/ring.ts'
import type { Charge, RingGiveBack, RingGrant, RingKey, RingLeaseAsk } from '../ring/ring-store.ts'
import { leaseMsOf } from '../ring/units.ts'
import { GATHER_MS } from './lease-schedule.ts'
import { UsageMeter } from './usage-meter.ts'

/** What is leased, in parts of what was used in the time of a lease. */
const HEADROOM = 1.25
/** Calls in the time of two leases below which each asks for itself: a lease would cost as much as it saves. */
const LEAST_CALLS = 8
/** Part of the time of a lease that is left when it is asked for anew: a Redis that stands still for a little less holds up nobody. */
const RENEW_LEFT = 1 / 3
/** Part of the time of a lease in which it may be used: the rest is for clocks that do not run at the same pace. */
const USABLE = 0.99

/** Weight that was charged ahead. */
interface LeasedChunk {
  readonly index: number
  weight: number
  /** By the monotonic clock. */
  untilMs: number
}

const NO_CHUNK = { index: 0, weight: 0 }

/** What this process may use of one ring without asking. All times are those of the monotonic clock. */
export class Lease {
  readonly key: RingKey
  /** Of the limit for which it was leased: a changed one is asked for anew. */
  readonly limit: number
  readonly grain: number
  readonly leaseMs: number
  /** An ask is on its way, or about to be. */
  isAsking = false
  /** Grows when what was leased is lost: a grant that was asked for before is as well. */
  epoch = 0
  /** Number of the last call that looked at it. */
  call = 0
  readonly #meter: UsageMeter
  /** The one that was leased last at the end. */
  #chunks: LeasedChunk[] = []
  /** The one that covers the call that was looked at last. */
  #covering: LeasedChunk | undefined
  #inHand = 0
  /** In hand after the last grant. */
  #size = 0
  #generation = ''
  #notBeforeMs = Number.NEGATIVE_INFINITY
  #heard: Pick<RingGrant, 'used' | 'releaseMs' | 'resetMs'> = { used: 0, releaseMs: 0, resetMs: 0 }
  #heardMs = 0
  #usedSince = 0

  constructor({ key, limit, grain }: Pick<Charge, 'key' | 'limit' | 'grain'>) {
    this.key = key
    this.limit = limit
    this.grain = grain
    this.leaseMs = leaseMsOf(key.unit, grain)
    this.#meter = new UsageMeter(this.leaseMs)
  }

  get isEmpty(): boolean {
    return this.#chunks.length === 0
  }

  /** Nothing of it may be used any more. */
  isOver(nowMs: number): boolean {
    return this.#chunks.every(({ untilMs }) => untilMs <= nowMs)
  }

  /** Whether a chunk has all that a call takes. One that has none of it has the shared store look whether anything is left. */
  covers({ weight, limit, grain }: Charge, nowMs: number): boolean {
    if (limit !== this.limit || grain !== this.grain || weight === 0) return false
    for (const chunk of this.#chunks) {
      if (chunk.weight < weight || chunk.untilMs <= nowMs) continue
      this.#covering = chunk
      return true
    }
    return false
  }

  /** Uses the chunk that `covers` found. */
  use(weight: number, nowMs: number): Verdict {
    const chunk = this.#covering
    if (chunk === undefined) throw new Error('What is used of a lease has to be covered by it')
    this.#covering = undefined
    chunk.weight -= weight
    this.#inHand -= weight
    this.#usedSince += weight
    this.#meter.add(weight, nowMs)
    const { used, releaseMs, resetMs } = this.#heard
    const passedMs = nowMs - this.#heardMs
    return {
      fits: 'yes',
      // All that is leased counts as used, and what was used of it once more: others may have used as much since.
      used: used + this.#usedSince,
      index: chunk.index,
      releaseMs: Math.max(0, releaseMs - passedMs),
      resetMs: Math.max(0, resetMs - passedMs),
      fitMs: 0,
    }
  }

  /** A call was let through by the shared store. */
  noteAsked(weight: number, nowMs: number): void {
    this.#usedSince += weight
    this.#meter.add(weight, nowMs)
  }

  /** Whether to ask now, so that calls need not wait when what is in hand is used up or over. Where there are few, each asks. */
  isDue(nowMs: number): boolean {
    if (this.isAsking || nowMs < this.#notBeforeMs || this.#meter.calls(nowMs) < LEAST_CALLS) return false
    return this.#isLow || (this.#chunks.at(-1)?.untilMs ?? 0) - nowMs < this.leaseMs * RENEW_LEFT
  }

  /** Half of it is used up. */
  get #isLow(): boolean {
    return this.#inHand * 2 < this.#size || this.#inHand === 0
  }

  /** It may be used up, or over, before asks are gathered. */
  get isUrgent(): boolean {
    return this.#isLow || this.leaseMs <= GATHER_MS
  }

  /** @returns undefined when the store has said since that there is too little room */
  toAsk(share: number, nowMs: number): RingLeaseAsk | undefined {
    if (nowMs < this.#notBeforeMs) return undefined
    return {
      key: this.key,
      limit: this.limit,
      grain: this.grain,
      wanted: Math.ceil(this.#meter.weight(nowMs) * HEADROOM),
      share,
      inHand: this.#inHand,
      last: this.#chunks.at(-1) ?? NO_CHUNK,
      leaseMs: this.leaseMs,
      generation: this.#generation,
    }
  }

  /**
   * What the store said.
   * @param sentMs when it was asked: by then at the earliest its clock began to count
   * @returns what is given back, as debts have filled the ring
   */
  granted(grant: RingGrant, sentMs: number, nowMs: number): readonly RingGiveBack[] {
    if (grant.generation !== this.#generation) {
      this.#clear()
      this.#generation = grant.generation
    }
    this.#heard = grant
    this.#heardMs = nowMs
    this.#usedSince = 0
    const untilMs = sentMs + this.leaseMs * USABLE
    const last = this.#chunks.at(-1)
    if (grant.index === 0) this.wait(nowMs)
    else if (last?.index === grant.index) {
      last.weight += grant.granted
      last.untilMs = Math.max(last.untilMs, untilMs)
    } else if (grant.granted > 0) this.#chunks.push({ index: grant.index, weight: grant.granted, untilMs })
    this.#inHand += grant.granted
    this.#size = this.#inHand
    return grant.used > this.limit ? this.takeAll(nowMs) : []
  }

  /** Asks no sooner than after half of a lease. */
  wait(nowMs: number): void {
    this.#notBeforeMs = nowMs + this.leaseMs / 2
  }

  /** What is over and was not used. */
  takeOver(nowMs: number): readonly RingGiveBack[] {
    return this.#take(({ untilMs }) => untilMs <= nowMs)
  }

  /** All that was not used. */
  takeAll(nowMs: number): readonly RingGiveBack[] {
    this.wait(nowMs)
    return this.#take(() => true)
  }

  /** What was leased is counted nowhere any more, or nobody knows. */
  lose(): void {
    this.epoch += 1
    this.#clear()
  }

  /**
   * Takes back what a call did not use, where it was leased, or adds what it used beyond its weight.
   * @returns false: the shared store has to do it
   */
  settle(index: number, delta: number, nowMs: number): boolean {
    const chunk = this.#chunks.find(
      (each) => each.untilMs > nowMs && (delta < 0 ? each.index === index : each.weight >= delta),
    )
    // No more than what it was: others are to have the rest.
    if (chunk === undefined || this.#inHand - delta > this.#size) return false
    chunk.weight -= delta
    this.#inHand -= delta
    this.#usedSince = Math.max(0, this.#usedSince + delta)
    return true
  }

  #take(isTaken: (chunk: LeasedChunk) => boolean): readonly RingGiveBack[] {
    if (!this.#chunks.some(isTaken)) return NOTHING
    const taken = this.#chunks.filter(isTaken)
    this.#chunks = this.#chunks.filter((chunk) => !isTaken(chunk))
    const backs: RingGiveBack[] = []
    for (const { index, weight } of taken) {
      this.#inHand -= weight
      if (weight > 0) backs.push({ key: this.key, index, weight, generation: this.#generation })
    }
    return backs
  }

  #clear(): void {
    this.#chunks = []
    this.#inHand = 0
    this.#size = 0
  }
}

const NOTHING: readonly RingGiveBack[] = []
