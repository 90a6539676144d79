import { type BudgetType, type BudgetUnits, type CounterKey, unitsOf } from '../core/budgets.ts'
import type { Counter } from './counter.ts'
import type { CounterAbout, LedgerTotal } from './ledger/ledger.ts'

/** From so many waiting charges of one count on, those that lie together in the spool become one. */
const MANY_WAITING = 16_384
/** Bytes of the spool that lie together. */
const TOGETHER: number = 1024 * 1024
/** Of charges that were counted, before their room is given back. */
const MANY_COUNTED = 512

/** A count in the memory of this process, with what its ledger has not got yet. */
export class OwnCounter implements Counter {
  readonly key: CounterKey
  readonly type: BudgetType
  label: string
  endMs?: number
  stored: BudgetUnits = 0
  pending: BudgetUnits = 0
  counted: BudgetUnits = 0
  held: BudgetUnits = 0
  generation = 0
  isKept = true
  /** What the ledger has, exactly. */
  total = 0n
  #resetAtUs = 0
  /** 10⁻¹² dollars in a unit; 1 where nothing is smaller than a unit. */
  readonly #perUnit: number
  /** Of what waits: whole units, and the rest of each charge. Two numbers, so that any sum is exact. */
  #whole = 0
  #rest = 0
  // Charges that wait, one behind the other by their positions: three lists, as there may be very many.
  readonly #positions: number[] = []
  readonly #amounts: number[] = []
  readonly #endedUs: number[] = []
  /** Those before were counted. */
  #first = 0
  /** Of calls whose records are still to come. */
  readonly #coming = new Set<{ readonly amount: number; readonly endedUs: number }>()
  /** Without a place in the spool. */
  readonly #unkept: { readonly amount: number; readonly endedUs: number }[] = []

  constructor({ workspaceId, budgetId, group, startMs, type, label, endMs }: CounterAbout) {
    this.key = { workspaceId, budgetId, group, startMs }
    this.type = type
    this.label = label
    if (endMs !== undefined) this.endMs = endMs
    this.#perUnit = type === 'cost' ? 1_000 : 1
  }

  /** Something waits that the ledger will tell of. */
  get isWaiting(): boolean {
    return this.#first < this.#positions.length
  }

  /** Nothing would be forgotten with it that nobody else knows. */
  get isIdle(): boolean {
    return this.held === 0 && !this.isWaiting && this.#unkept.length === 0 && this.#coming.size === 0
  }

  /** What was spent in all, as far as this process knows. */
  get spent(): bigint {
    return this.total + BigInt(this.#whole) * BigInt(this.#perUnit) + BigInt(this.#rest)
  }

  /** @param position absent: the ledger will never hear of it */
  add(amount: number, endedUs: number, position: number | undefined): void {
    // Spent before the reset, as the ledger sees it too.
    if (endedUs <= this.#resetAtUs) return
    if (position === undefined) this.#addUnkept(amount, endedUs)
    else this.#wait(amount, endedUs, position)
    this.#change(amount, 1)
  }

  /** Counts what a call spent whose record is still to come. @returns takes it back, for `add` */
  announce(amount: number, endedUs: number): () => void {
    const coming = { amount, endedUs }
    if (endedUs > this.#resetAtUs) {
      this.#coming.add(coming)
      this.#change(amount, 1)
    }
    return () => {
      if (this.#coming.delete(coming)) this.#change(amount, -1)
    }
  }

  /** The ledger has counted all before this place. @returns whether that changed anything */
  countedTo(position: number): boolean {
    const first = this.#first
    const before = this.pending
    let next = first
    while (next < this.#positions.length && (this.#positions[next] as number) <= position) {
      this.#change(this.#amounts[next] as number, -1)
      next++
    }
    this.#first = next
    this.counted += before - this.pending
    if (next === this.#positions.length || next >= MANY_COUNTED) this.#forgetCounted()
    return next !== first
  }

  /** @returns whether it is news */
  told({ total, generation, resetAtUs, label, endMs }: LedgerTotal): boolean {
    // Answers may come in another order than they were read in; within a generation a total never falls.
    if (generation < this.generation || (generation === this.generation && total <= this.total)) return false
    if (generation > this.generation) {
      this.generation = generation
      this.#resetAtUs = resetAtUs
      this.#forgetUntil(resetAtUs)
    }
    this.total = total
    this.stored = unitsOf(this.type, total)
    this.describe(label, endMs)
    return true
  }

  /** A changed schedule may end a period at another time. */
  describe(label: string, endMs: number | undefined): void {
    this.label = label
    if (endMs === undefined) delete this.endMs
    else this.endMs = endMs
  }

  #wait(amount: number, endedUs: number, position: number): void {
    const last = this.#positions.length - 1
    const waiting = last + 1 - this.#first
    if (waiting >= MANY_WAITING && this.#isTogether(last, position, amount)) {
      this.#positions[last] = position
      this.#amounts[last] = (this.#amounts[last] as number) + amount
      this.#endedUs[last] = Math.max(this.#endedUs[last] as number, endedUs)
      return
    }
    this.#positions.push(position)
    this.#amounts.push(amount)
    this.#endedUs.push(endedUs)
  }

  /**
   * The ledger is away, or far behind: what lies together is counted together, so that hours of calls take little room. Such a
   * lump counts twice for the moment in which the ledger has a part of it.
   */
  #isTogether(last: number, position: number, amount: number): boolean {
    const before = this.#positions[last] as number
    return (
      Math.floor(before / TOGETHER) === Math.floor(position / TOGETHER) &&
      Number.isSafeInteger((this.#amounts[last] as number) + amount)
    )
  }

  #addUnkept(amount: number, endedUs: number): void {
    const last = this.#unkept.at(-1)
    if (last === undefined || !Number.isSafeInteger(last.amount + amount)) this.#unkept.push({ amount, endedUs })
    else this.#unkept[this.#unkept.length - 1] = { amount: last.amount + amount, endedUs }
  }

  #change(amount: number, sign: 1 | -1): void {
    this.#whole += sign * Math.floor(amount / this.#perUnit)
    this.#rest += sign * (amount % this.#perUnit)
    this.pending = this.#whole + Math.ceil(this.#rest / this.#perUnit)
  }

  #forgetCounted(): void {
    this.#positions.splice(0, this.#first)
    this.#amounts.splice(0, this.#first)
    this.#endedUs.splice(0, this.#first)
    this.#first = 0
  }

  /** What had ended by then was set to 0. */
  #forgetUntil(atUs: number): void {
    this.#forgetCounted()
    for (let index = this.#positions.length - 1; index >= 0; index--) {
      if ((this.#endedUs[index] as number) > atUs) continue
      this.#change(this.#amounts[index] as number, -1)
      this.#positions.splice(index, 1)
      this.#amounts.splice(index, 1)
      this.#endedUs.splice(index, 1)
    }
    for (const coming of this.#coming) {
      if (coming.endedUs > atUs) continue
      this.#coming.delete(coming)
      this.#change(coming.amount, -1)
    }
    const later = this.#unkept.filter(({ endedUs }) => endedUs > atUs)
    for (const { amount } of this.#unkept.filter((each) => !later.includes(each))) this.#change(amount, -1)
    this.#unkept.splice(0, Infinity, ...later)
  }
}
