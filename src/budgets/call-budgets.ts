import type { BudgetCharge, BudgetType, BudgetUnits, TargetSpent } from '../core/budgets.ts'
import { unitsOf } from '../core/budgets.ts'
import { defined } from '../core/defined.ts'
import type { AdmitOptions, TargetFacts } from '../core/limits.ts'
import type { BudgetExhausted } from '../errors/gateway-error.ts'
import { worded } from './amounts.ts'
import type { BudgetClaim, BudgetHold, BudgetVerdict, Counter } from './counter.ts'
import { type RefusingBudget, toBudgetRefusal, toUnpricedRefusal } from './refusal.ts'
import type { BudgetFacts, BudgetRule } from './rule.ts'

/** A budget that a call asks, with what it asks for beyond what it holds there. */
export interface BudgetAsk extends BudgetClaim {
  readonly rule: BudgetRule
  /** What the attempt may take. */
  readonly need: BudgetUnits
}

/** A budget that let the call through. */
interface Entry {
  readonly rule: BudgetRule
  readonly counter: Counter
  /** Those that it was met at, where it looks at them. */
  readonly targets: object[]
  readonly holds: BudgetHold[]
  /** The most that attempts took that are over. */
  kept: BudgetUnits
  /** The most that the attempt takes that runs. */
  need: BudgetUnits
  /** Number of the last attempt that met it. */
  attempt: number
  /** What was left behind this call when it was let through. */
  remaining: BudgetUnits
}

/** What the budgets of one call need to work with. */
export interface CallBudgetsOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly release: (hold: BudgetHold, weight?: BudgetUnits) => void
  /** Hears of a budget in shadow mode that would have refused the call. */
  readonly onShadowRefusal: (id: string) => void
}

const UNPRICED = 'unpriced'
const NO_ASKS: readonly BudgetAsk[] = []
const NO_CHARGES: readonly BudgetCharge[] = []
const PICODOLLARS_A_UNIT = 1_000

/**
 * What a call may take of a budget, in the unit of limits. 0 where nothing is held back.
 * @returns `unpriced` where that refuses the call
 */
export const needOf = (
  { type, enforcement, onUnknownPrice }: BudgetFacts,
  options: AdmitOptions,
): BudgetUnits | typeof UNPRICED => {
  const isReserved = enforcement === 'reserve'
  if (type === 'cost') {
    if (!isReserved && onUnknownPrice === 'allow') return 0
    const cost = options.worstCost?.()
    if (cost === undefined) return onUnknownPrice === 'refuse' ? UNPRICED : 0
    return isReserved ? unitsOf(type, cost) : 0
  }
  if (!isReserved) return 0
  if (type === 'requests') return 1
  if (options.mostTokens !== undefined) return options.mostTokens()
  const { inputTokens, maxOutputTokens = 0 } = options.forecast()
  return inputTokens + maxOutputTokens
}

/** The budgets that one call has met, and what is held back for it in them. */
export class CallBudgets {
  readonly #options: CallBudgetsOptions
  /** When the call was admitted: all that it spends belongs to the periods of then. */
  readonly #admittedMs: number
  readonly #entries: Entry[] = []
  #refused: RefusingBudget | undefined
  #attempt = 0
  #isOver = false

  constructor(options: CallBudgetsOptions) {
    this.#options = options
    this.#admittedMs = options.now()
  }

  /**
   * What an attempt has to ask for, after what it does not need any more was given back.
   * @throws BudgetExhausted where that is known without asking
   */
  ask(rules: readonly BudgetRule[], options: AdmitOptions, target: TargetFacts): readonly BudgetAsk[] {
    this.#attempt += 1
    const asks: BudgetAsk[] = []
    let refusing: [RefusingBudget, ...RefusingBudget[]] | undefined
    for (const rule of rules) {
      const { facts } = rule
      const { limit } = facts
      const shadow = facts.mode === 'shadow'
      const counter = rule.counterAt(this.#admittedMs)
      const need = needOf(facts, options)
      if (need === UNPRICED) {
        if (!shadow) {
          this.attemptRefused()
          throw toUnpricedRefusal(facts, target.model ?? '', target.provider)
        }
        this.#options.onShadowRefusal(facts.id)
        continue
      }
      const entry = this.#find(counter)
      if (entry === undefined) {
        const spent = counter.stored + counter.pending
        if (spent >= limit && !shadow) {
          const each = { rule, counter, weight: need, used: spent }
          if (refusing === undefined) refusing = [each]
          else refusing.push(each)
        } else if (!asks.some((other) => other.counter === counter)) {
          asks.push({ rule, counter, limit, weight: need, need, shadow })
        }
        continue
      }
      entry.attempt = this.#attempt
      this.#continue(entry, shadow ? 0 : need, options.target)
      if (shadow) continue
      // A soft budget needs nothing more: it lets a call that is in flight finish.
      const more = needed(facts, entry.kept, need) - heldIn(entry)
      if (more > 0) asks.push({ rule, counter, limit, weight: more, need, shadow })
    }
    if (this.#attempt > 1) this.#giveBack()
    if (refusing !== undefined) {
      this.attemptRefused()
      throw this.refuse(refusing)
    }
    return asks.length === 0 ? NO_ASKS : asks
  }

  /** Notes what budgets said. @returns those that refuse the call */
  accept(
    asks: readonly BudgetAsk[],
    verdicts: readonly BudgetVerdict[],
    isAdmitted: boolean,
    target: object | undefined,
  ): [RefusingBudget, ...RefusingBudget[]] | undefined {
    let refusing: [RefusingBudget, ...RefusingBudget[]] | undefined
    for (let place = 0; place < asks.length; place += 1) {
      const ask = asks[place]
      const verdict = verdicts[place]
      if (ask === undefined || verdict === undefined) continue
      const { rule, counter, weight, need, limit, shadow } = ask
      const { fits, used, hold } = verdict
      if (!fits) {
        if (shadow) this.#options.onShadowRefusal(rule.facts.id)
        else {
          const each = { rule, counter, weight, used }
          if (refusing === undefined) refusing = [each]
          else refusing.push(each)
        }
      }
      if (!isAdmitted) continue
      const entry = this.#find(counter) ?? this.#add(rule, counter)
      if (hold !== undefined) entry.holds.push(hold)
      entry.remaining = Math.max(0, limit - used - weight)
      this.#continue(entry, shadow ? 0 : need, target)
    }
    return refusing
  }

  /** The error for a call that these refuse. @param alsoRefusedBy ids of limits that refuse it too */
  refuse(refusing: readonly [RefusingBudget, ...RefusingBudget[]], alsoRefusedBy?: readonly string[]): BudgetExhausted {
    const [first] = refusing
    this.#refused = first
    return toBudgetRefusal(refusing, this.#options.now(), alsoRefusedBy)
  }

  /** @param hasUsed it may have cost something */
  attemptEnded(reachedProvider: boolean, hasUsed: boolean): void {
    if (this.#isOver) return
    for (const entry of this.#entries) {
      if (entry.attempt !== this.#attempt || entry.need === 0) continue
      const isTaken = entry.rule.facts.type === 'requests' ? reachedProvider : hasUsed
      if (isTaken) entry.kept = needed(entry.rule.facts, entry.kept, entry.need)
      entry.need = 0
    }
  }

  /** The attempt that was asked for is not made: what it would have taken is given back. */
  attemptRefused(): void {
    for (const entry of this.#entries) entry.need = 0
    this.#giveBack()
  }

  /** What the call adds to the counts, now that it is over. Gives back all that is held. */
  charge(spent: readonly TargetSpent[]): readonly BudgetCharge[] {
    if (this.#isOver) return NO_CHARGES
    this.end()
    const charges: BudgetCharge[] = []
    for (const entry of this.#entries) {
      const amount = amountOf(entry, spent)
      if (amount > 0) charges.push(toCharge(entry.counter, amount))
    }
    return charges
  }

  /**
   * What the call is taken to have spent if its end is never written: what is held back for it. Where that is known of one
   * budget, those of its type that hold nothing back count it too, as they would have counted what the call spent.
   */
  held(): readonly BudgetCharge[] {
    const most = new Map<BudgetType, BudgetUnits>()
    for (const entry of this.#entries) {
      const units = heldIn(entry)
      const { type } = entry.counter
      if (units > (most.get(type) ?? 0)) most.set(type, units)
    }
    if (most.size === 0) return NO_CHARGES
    const held: BudgetCharge[] = []
    for (const entry of this.#entries) {
      const { counter } = entry
      const units = heldIn(entry) || (most.get(counter.type) ?? 0)
      if (units > 0) held.push(toCharge(counter, counter.type === 'cost' ? units * PICODOLLARS_A_UNIT : units))
    }
    return held
  }

  /** Gives back all that is held, once. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    for (const { holds } of this.#entries) for (const hold of holds) this.#options.release(hold)
  }

  /** What is left of the tightest budget that could refuse a call, for a header: `0.42 USD; budget=api_key.cost`. */
  tightest(): string | undefined {
    if (this.#refused !== undefined) {
      const { rule, counter, used } = this.#refused
      return toHeader(rule.facts, counter, Math.max(0, rule.facts.limit - used))
    }
    let found: Entry | undefined
    for (const entry of this.#entries) {
      if (entry.rule.facts.mode === 'shadow') continue
      if (found === undefined || shareLeft(entry) < shareLeft(found)) found = entry
    }
    return found && toHeader(found.rule.facts, found.counter, found.remaining)
  }

  #find(counter: Counter): Entry | undefined {
    for (const entry of this.#entries) if (entry.counter === counter) return entry
    return undefined
  }

  #add(rule: BudgetRule, counter: Counter): Entry {
    const entry: Entry = {
      rule,
      counter,
      targets: [],
      holds: [],
      kept: 0,
      need: 0,
      attempt: this.#attempt,
      remaining: 0,
    }
    this.#entries.push(entry)
    return entry
  }

  #continue(entry: Entry, need: BudgetUnits, target: object | undefined): void {
    entry.need = need
    const { rule, targets } = entry
    if (rule.facts.scope === 'target' && target !== undefined && !targets.includes(target)) targets.push(target)
  }

  /** What neither the attempt that begins nor one that is over takes. */
  #giveBack(): void {
    for (const entry of this.#entries) {
      const { rule, kept, need, attempt, holds } = entry
      let spare = heldIn(entry) - (attempt === this.#attempt ? needed(rule.facts, kept, need) : kept)
      for (const hold of holds) {
        if (!(spare > 0)) break
        const given = Math.min(spare, hold.weight)
        this.#options.release(hold, given)
        entry.remaining += given
        spare -= given
      }
    }
  }
}

/** The header of a budget, with what is left of it. */
const toHeader = ({ id, type }: BudgetFacts, { endMs }: Counter, remaining: BudgetUnits): string =>
  `${worded(type, remaining)}; budget=${id}${endMs === undefined ? '' : `; reset=${new Date(endMs).toISOString()}`}`

/** A call is one request, however many attempts it takes. */
const needed = ({ type }: BudgetFacts, kept: BudgetUnits, need: BudgetUnits): BudgetUnits =>
  type === 'requests' ? Math.max(kept, need) : kept + need

const heldIn = ({ holds }: Entry): BudgetUnits => {
  let sum = 0
  for (const { weight } of holds) sum += weight
  return sum
}

const shareLeft = ({ remaining, rule }: Entry): number => remaining / Math.max(1, rule.facts.limit)

const amountOf = ({ rule, targets }: Entry, spent: readonly TargetSpent[]): number => {
  const { type, scope } = rule.facts
  let amount = 0
  for (const { target, wasAsked, cost, tokens } of spent) {
    if (scope === 'target' && !targets.includes(target)) continue
    if (type === 'requests') amount = wasAsked ? 1 : amount
    else amount += type === 'cost' ? cost : tokens
  }
  return amount
}

const toCharge = ({ key, type, label, endMs }: Counter, amount: number): BudgetCharge => {
  const { budgetId, group, startMs } = key
  return { budgetId, group, startMs, type, label, ...defined({ endMs }), amount }
}
