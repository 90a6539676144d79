import type { BudgetHold, Counter } from '../../../../src/budgets/counter.ts'
import type { LimitAdmission, LimitStore } from '../../../../src/limits/away/limit-store.ts'
import { createLimitStore } from '../../../../src/limits/away/shared-limit-store.ts'
import { createMemoryStore } from '../../../../src/limits/ring/memory-store.ts'
import { claimOf, counterOf, type TestCounter } from '../../../../src/limits/test-support/claims.ts'
import { createManualTime, type ManualTime } from '../../../../src/limits/test-support/manual-time.ts'
import type { Wire } from './wire.ts'

export const LIMIT = 20

/** What a call asks of each budget; undefined: nothing. */
export type Weights = readonly (number | undefined)[]

interface OpenCall {
  readonly holds: readonly BudgetHold[]
  /** Places of the budgets that hold nothing back for it, and what it will spend there. */
  readonly soft: readonly number[]
  readonly spend: number
  /** Counts what is asked and what ends, in their order. */
  readonly askedAt: number
  endedAt: number
}

interface Process {
  readonly wire: Wire
  readonly store: LimitStore
  readonly counters: readonly TestCounter[]
  readonly calls: OpenCall[]
  /** Also those that have ended. */
  readonly admitted: OpenCall[]
  /** All that was spent here, by budget. */
  readonly spent: number[]
  /** What of it the ledger has. */
  readonly applied: number[]
  changed(counter: Counter): void
}

export interface ProcessesOptions {
  readonly count: number
  readonly budgets: readonly string[]
  readonly workspaceId: string
  readonly deadlineMs: number
  /** 20 when absent. */
  readonly limit?: number
  /** Calls of budgets that are far from used up ask nobody. */
  readonly leases?: boolean
  readonly wireOf: (time: ManualTime, process: string) => Wire
}

/** Several processes that share budgets, their ledger, and all that can happen between them. */
export class Processes {
  readonly time = createManualTime()
  readonly alive: Process[]
  /** What the ledger has of each budget. */
  readonly totals: number[]
  /** Of dead processes, by budget: what the ledger will have from their spools. */
  readonly orphaned: number[]
  admitted = 0
  refused = 0
  /** Calls that were admitted without a question. */
  covered = 0
  /** Resets by hand so far. */
  generation = 0
  #started = 0
  #at = 0
  readonly #options: ProcessesOptions

  constructor(options: ProcessesOptions) {
    this.#options = options
    this.totals = options.budgets.map(() => 0)
    this.orphaned = options.budgets.map(() => 0)
    this.alive = Array.from({ length: options.count }, () => this.#start())
  }

  #start(): Process {
    const { budgets, workspaceId, deadlineMs, wireOf } = this.#options
    this.#started += 1
    const wire = wireOf(this.time, `process-${this.#started}`)
    const listeners: ((counter: Counter) => void)[] = []
    const store = createLimitStore({
      memory: createMemoryStore({ now: this.time.clock.now }),
      shared: wire.store,
      counters: { onChange: (listener) => void listeners.push(listener) },
      clock: this.time.clock,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      replicas: () => this.#options.count,
      leases: this.#options.leases ?? false,
      timers: this.time.timers,
      deadlineMs,
    })
    return {
      wire,
      store,
      counters: budgets.map((name, place) =>
        counterOf(name, {
          key: { workspaceId, budgetId: name, group: 'group', startMs: 0 },
          stored: this.totals[place] ?? 0,
          generation: this.generation,
        }),
      ),
      calls: [],
      admitted: [],
      spent: budgets.map(() => 0),
      applied: budgets.map(() => 0),
      changed: (counter) => {
        for (const listener of listeners) listener(counter)
      },
    }
  }

  at(which: number): Process {
    const process = this.alive[which % this.alive.length]
    if (process === undefined) throw new Error('nobody is alive')
    return process
  }

  /**
   * Asks; the answer comes when its command arrives.
   * @param spend of a call with weight 0, in each of its budgets
   */
  call(which: number, weights: Weights, shadow: boolean, spend = 0): void {
    const process = this.at(which)
    const { limit = LIMIT } = this.#options
    const claims = process.counters.flatMap((counter, place) => {
      const weight = weights[place]
      return weight === undefined ? [] : [claimOf(counter, { limit, weight, shadow })]
    })
    if (claims.length === 0) return
    const soft = [...weights.entries()].flatMap(([place, weight]) => (weight === 0 ? [place] : []))
    const conclude = ({ admitted, budgets }: LimitAdmission): void => {
      if (admitted) this.admitted += 1
      else this.refused += 1
      if (!admitted || !this.alive.includes(process)) return
      const holds = budgets.flatMap(({ hold }) => (hold === undefined ? [] : [hold]))
      const call: OpenCall = { holds, soft, spend, askedAt, endedAt: Number.POSITIVE_INFINITY }
      process.calls.push(call)
      process.admitted.push(call)
    }
    const askedAt = ++this.#at
    const admission = process.store.admit([], claims)
    if (admission instanceof Promise) void admission.then(conclude)
    else {
      this.covered += 1
      conclude(admission)
    }
  }

  /** A call ends, and has spent at most what it held. */
  finish(which: number, call: number, share: number): void {
    const process = this.at(which)
    const [ended] = process.calls.splice(call % Math.max(1, process.calls.length), 1)
    const add = (place: number, actual: number): void => {
      const counter = process.counters[place]
      if (counter === undefined) return
      counter.pending += actual
      process.spent[place] = (process.spent[place] ?? 0) + actual
      process.changed(counter)
    }
    if (ended !== undefined) ended.endedAt = ++this.#at
    for (const hold of ended?.holds ?? []) {
      const place = process.counters.findIndex(({ key }) => key === hold.counter.key)
      const actual = Math.floor(hold.weight * share)
      process.store.release(hold)
      add(place, actual)
    }
    for (const place of ended?.soft ?? []) add(place, ended?.spend ?? 0)
  }

  /** The ledger takes all that a process has spent; the process does not know yet. */
  apply(which: number): void {
    const process = this.at(which)
    for (const [place, spent] of process.spent.entries()) {
      this.totals[place] = (this.totals[place] ?? 0) + spent - (process.applied[place] ?? 0)
      process.applied[place] = spent
    }
  }

  /** All that was spent until now is void. Processes do not know yet; what calls in flight hold stays held. */
  reset(): void {
    this.generation += 1
    for (const amounts of [this.totals, this.orphaned, ...this.alive.flatMap(({ spent, applied }) => [spent, applied])])
      amounts.fill(0)
  }

  /** A process hears of the ledger, of its own calls and those of others, and of resets. */
  hear(which: number): void {
    const process = this.at(which)
    for (const [place, counter] of process.counters.entries()) {
      const pending = (process.spent[place] ?? 0) - (process.applied[place] ?? 0)
      if (counter.generation === this.generation) counter.counted += counter.pending - pending
      counter.generation = this.generation
      counter.stored = this.totals[place] ?? 0
      counter.pending = pending
      process.changed(counter)
    }
  }

  /** A process dies: calls in flight become records of what they held. Another one starts in its place. */
  die(which: number): void {
    const place = which % this.alive.length
    const process = this.at(which)
    for (const [budget, counter] of process.counters.entries()) {
      const unapplied = (process.spent[budget] ?? 0) - (process.applied[budget] ?? 0)
      const held = process.calls
        .flatMap(({ holds }) => holds)
        .reduce((sum, hold) => sum + (hold.counter === counter ? hold.weight : 0), 0)
      this.orphaned[budget] = (this.orphaned[budget] ?? 0) + unapplied + held
    }
    for (const command of process.wire.waiting.splice(0)) command.lose()
    this.alive[place] = this.#start()
  }

  /** The spools of the dead are taken over. */
  takeOver(): void {
    for (const [place, amount] of this.orphaned.entries()) {
      this.totals[place] = (this.totals[place] ?? 0) + amount
      this.orphaned[place] = 0
    }
  }

  /** What was spent and is held of a budget: what can never be more than the limit. */
  committed(place: number): number {
    const own = this.alive.map((process) => {
      const unapplied = (process.spent[place] ?? 0) - (process.applied[place] ?? 0)
      return unapplied + (process.counters[place]?.held ?? 0)
    })
    return own.reduce((sum, amount) => sum + amount, (this.totals[place] ?? 0) + (this.orphaned[place] ?? 0))
  }

  /**
   * How far soft calls may pass a limit: what those spend that were in flight at each process when it asked for the last one
   * that was let through.
   */
  allowedBeyond(place: number): number {
    const own = this.alive.map(({ admitted }) => {
      const calls = admitted.filter(({ soft }) => soft.includes(place))
      const lastAsked = Math.max(...calls.map(({ askedAt }) => askedAt))
      return calls.reduce((sum, { spend, endedAt }) => sum + (endedAt > lastAsked ? spend : 0), 0)
    })
    return own.reduce((sum, amount) => sum + amount, 0)
  }

  async deliver(which: number): Promise<void> {
    await this.at(which).wire.waiting.shift()?.run()
    await this.time.settle()
  }

  /** Lets all arrive that is sent, and all that follows from it. */
  async deliverAll(): Promise<void> {
    await this.time.settle()
    while (this.alive.some(({ wire }) => wire.waiting.length > 0)) {
      for (const which of this.alive.keys()) await this.deliver(which)
    }
  }

  /** From now on everything arrives at once. */
  async open(): Promise<void> {
    await this.deliverAll()
    for (const { wire } of this.alive) wire.isOpen = true
  }
}
