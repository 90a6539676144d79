import type { BudgetClaim, Counter } from '../../budgets/counter.ts'
import type { BudgetLease } from './budget-lease.ts'

/** What a claim tells of its count, and asks of it. */
export interface CountPart {
  /** What the ledger has, as far as this process knows. */
  readonly stored: number
  /** All that this process spent and the ledger has not, what it holds, and holds ahead: for a store that knows nothing of this process. */
  readonly own: number
  /** What `own` has grown by since it was told last. */
  readonly delta: number
}

/**
 * What the shared store knows of one count from this process, as this process believes. Commands of a process reach the
 * store in their order, but may be lost, so that all of it is told anew once in a while.
 */
export class SharedCount {
  readonly counter: Counter
  /** That of the counter when this began: a reset by hand begins another count. */
  readonly generation: number
  /** Whether the store may have other amounts than this believes: then it is told the whole. */
  isUnsure = false
  /** Round in which it was last used. */
  usedIn = 0
  /** Number of the last run of a script that it was part of, and its place there. */
  run = 0
  place = 0
  /** What the store calls it, made with its first call. */
  name: string | undefined
  /** What this process holds ahead, for calls that ask nobody. Made with the first. */
  lease: BudgetLease | undefined
  /** Is told anew with each round. */
  isActive = false
  /** Waits to be told. */
  isDue = false
  /** What the store has of this process once it has done all it was sent, but for calls without an answer. */
  #told = 0
  /** Weight of calls without an answer. */
  #asked = 0
  /** Times that the whole was told. Calls without an answer were part of it. */
  #wholes = 0

  constructor(counter: Counter) {
    this.counter = counter
    this.generation = counter.generation
  }

  /** Nothing is there that others have to know of. */
  get isEmpty(): boolean {
    return this.#own === 0 && this.#told === 0 && this.#asked === 0
  }

  /**
   * Whether the store has to hear of what was spent or given back here. While there is a lease, a store that has somewhat more
   * than there is hears of it with the next command.
   */
  get isBehind(): boolean {
    const more = this.#told - this.#own
    return this.isUnsure || more < 0 || more > (this.lease?.size ?? 0)
  }

  get #own(): number {
    const { pending, held } = this.counter
    return pending + held + (this.lease?.left ?? 0)
  }

  /** What goes to the store now, with a claim or by itself. */
  tell(): CountPart {
    const own = this.#own
    const delta = own - this.#told
    this.#told = own
    return { stored: this.counter.stored, own, delta }
  }

  /** What would go to the store, if nothing is to be changed there. */
  look(): CountPart {
    return { stored: this.counter.stored, own: this.#own, delta: this.#own - this.#told }
  }

  /** All of it, in the place of what the store has. Calls without an answer are taken to be admitted. */
  tellWhole(): CountPart {
    const own = this.#own
    this.#told = own
    this.#wholes += 1
    this.isUnsure = false
    return { stored: this.counter.stored, own: own + this.#asked, delta: 0 }
  }

  /** A call is sent that would hold so much. @returns for `answered` */
  ask(weight: number): number {
    this.#asked += weight
    return this.#wholes
  }

  /** Its answer is here. @param since what `ask` gave */
  answered(weight: number, since: number, admitted: boolean): void {
    this.#asked -= weight
    // Where the whole was told meanwhile, its weight is there even if it was refused.
    if (admitted || since !== this.#wholes) this.#told += weight
  }

  /** Nobody knows whether it was admitted. */
  unanswered(weight: number): void {
    this.#asked -= weight
    this.isUnsure = true
  }
}

/** A claim on its way to the shared store. */
export interface SharedClaim extends Pick<BudgetClaim, 'limit' | 'weight' | 'shadow'> {
  readonly count: SharedCount
  /** What `SharedCount.ask` gave. */
  readonly since: number
}
