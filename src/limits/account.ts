import { type BudgetAsk, CallBudgets } from '../budgets/call-budgets.ts'
import type { BudgetCharge, TargetSpent } from '../core/budgets.ts'
import {
  type AdmitOptions,
  BUDGET_HEADER,
  type CallAccount,
  type CallFacts,
  type Spent,
  type TargetFacts,
} from '../core/limits.ts'
import { LimitsUnavailable } from '../errors/gateway-error.ts'
import { type LimitAdmission, mustBeAsked, type Origin, StoreFailedClosed } from './away/limit-store.ts'
import { type Engine, type RuleCharge, toCharges } from './engine.ts'
import { type AskedRule, toLimitHeaders } from './limit-headers.ts'
import type { Facts } from './match/compile.ts'
import { type RuleVerdict, toRefusal } from './refusal.ts'
import type { Verdict } from './ring/ring.ts'
import type { Rule } from './rule.ts'

/** A rule that was asked for the call, and what came of it. */
interface Entry extends AskedRule {
  /** Charged, and not settled yet. */
  isHeld: boolean
  /** Number of the last attempt that it applied to. */
  attempt: number
  /** A provider was asked by an attempt that is over. */
  wasUsed: boolean
}

const NO_CHARGES: readonly BudgetCharge[] = []
const NO_ASKS: readonly BudgetAsk[] = []
const NO_BUDGETS: readonly never[] = []
const MOST_SHADOWS_NAMED = 8

/** The account of one call: what it was charged, until the real usage is known. */
export class Account implements CallAccount {
  readonly #engine: Engine
  readonly #facts: CallFacts
  /** At most one of each ring. */
  readonly #entries: Entry[] = []
  readonly #shadowRefusals: string[] = []
  /** Absent for the many calls that meet none. */
  #budgets: CallBudgets | undefined
  #attempt = 0
  #model: string
  #isLocal = false

  constructor(engine: Engine, facts: CallFacts) {
    this.#engine = engine
    this.#facts = facts
    this.#model = facts.model ?? ''
  }

  get shadowRefusals(): readonly string[] {
    return this.#shadowRefusals
  }

  admit(options: AdmitOptions, target: TargetFacts): void | Promise<void> {
    const { isFree } = options
    this.#attempt += 1
    this.#model = target.model ?? this.#facts.model ?? ''
    const facts: Facts = { ...this.#facts, target }
    const all = this.#engine.rulesFor(facts, options.owned)
    const rules = options.isPart === true ? all.filter(({ type }) => type !== 'requests') : all
    const isFirst = this.#attempt === 1 && isFree !== true
    const missing = isFirst
      ? rules
      : rules.filter((rule) => (isFree !== true || rule.value === 0) && !this.#holds(rule))
    if (this.#attempt > 1) this.#releaseOthers()
    const asks = isFree === true ? NO_ASKS : this.#askBudgets(facts, options, target)
    if (missing.length === 0 && asks.length === 0) return undefined
    const charges = toCharges(this.#engine, missing, options, this.#model)
    if (this.#engine.denials.size > 0) this.#refuseDenied(charges)
    let admission: LimitAdmission | Promise<LimitAdmission>
    try {
      admission = this.#engine.store.admit(
        charges.map(({ charge }) => charge),
        asks,
      )
    } catch (thrown) {
      throw asUnavailable(thrown, charges)
    }
    if (!(admission instanceof Promise)) return this.#accept(charges, asks, admission, options.target)
    return admission.then(
      (arrived) => this.#accept(charges, asks, arrived, options.target),
      (thrown: unknown) => {
        throw asUnavailable(thrown, charges)
      },
    )
  }

  attemptEnded(reachedProvider: boolean, hasUsed = reachedProvider): void {
    for (const entry of this.#entries) if (entry.attempt === this.#attempt) entry.wasUsed ||= reachedProvider
    this.#budgets?.attemptEnded(reachedProvider, hasUsed)
  }

  settle({ reachedProvider, totalTokens, outputTokens }: Spent): void {
    for (const entry of this.#entries) {
      if (!entry.isHeld) continue
      const { rule, weight } = entry
      const spent = rule.type === 'requests' ? weight : totalTokens
      this.#settleOne(entry, reachedProvider ? spent : 0)
      if (rule.type === 'tokens' && reachedProvider && outputTokens > 0)
        this.#engine.reservations.learn(rule.id, this.#model, outputTokens)
    }
    // Of a call whose end nobody told of.
    this.#budgets?.end()
  }

  charge(spent: readonly TargetSpent[]): readonly BudgetCharge[] {
    return this.#budgets?.charge(spent) ?? NO_CHARGES
  }

  held(): readonly BudgetCharge[] {
    return this.#budgets?.held() ?? NO_CHARGES
  }

  headers(): ReadonlyMap<string, string> {
    const headers = toLimitHeaders(this.#entries)
    const left = this.#budgets?.tightest()
    if (left !== undefined) headers.set(BUDGET_HEADER, left)
    if (this.#isLocal) headers.set('x-gateway-rate-limit-mode', 'local')
    if (this.#shadowRefusals.length > 0) {
      headers.set('x-gateway-rate-limit-shadow', this.#shadowRefusals.slice(0, MOST_SHADOWS_NAMED).join(', '))
    }
    return headers
  }

  /** @throws BudgetExhausted where that is known without asking */
  #askBudgets(facts: Facts, options: AdmitOptions, target: TargetFacts): readonly BudgetAsk[] {
    const { budgets, clock, store } = this.#engine
    if (budgets === undefined) return NO_ASKS
    const all = budgets.rulesFor(facts, options.budgets ?? NO_BUDGETS)
    const rules = options.isPart === true ? all.filter((rule) => rule.facts.type !== 'requests') : all
    if (rules.length === 0 && this.#budgets === undefined) return NO_ASKS
    this.#budgets ??= new CallBudgets({
      now: clock.now,
      release: store.release,
      onShadowRefusal: (id) => this.#noteShadow(id),
    })
    return this.#budgets.ask(rules, options, target)
  }

  #noteShadow(id: string): void {
    if (!this.#shadowRefusals.includes(id)) this.#shadowRefusals.push(id)
  }

  #holds({ ring }: Rule): boolean {
    const entry = this.#find(ring)
    if (entry?.isHeld !== true) return false
    entry.attempt = this.#attempt
    return true
  }

  /** Gives back what was held for a target that failed, but for a request that was made. */
  #releaseOthers(): void {
    for (const entry of this.#entries) {
      if (!entry.isHeld || entry.attempt === this.#attempt) continue
      this.#settleOne(entry, entry.rule.type === 'requests' && entry.wasUsed ? entry.weight : 0)
    }
  }

  #refuseDenied(charges: readonly RuleCharge[]): void {
    const { denials, clock } = this.#engine
    const nowMs = clock.monotonicMs()
    const denied: RuleVerdict[] = []
    for (const { rule, charge } of charges) {
      const { weight, limit, shadow } = charge
      const verdict = shadow ? undefined : denials.find(rule.ring, weight, limit, nowMs)
      if (verdict === undefined) continue
      denied.push({ rule, weight, verdict })
      this.#note(rule, weight, verdict, 'shared', false)
    }
    const refusal = toRefusal(denied)
    if (refusal !== undefined) throw refusal
  }

  #accept(
    charges: readonly RuleCharge[],
    asks: readonly BudgetAsk[],
    { admitted, verdicts, budgets, origin }: LimitAdmission,
    target: object | undefined,
  ): void {
    const { store, denials, clock } = this.#engine
    if (origin !== 'shared') this.#isLocal = store.state === 'local'
    let refusing: RuleVerdict[] | undefined
    for (let place = 0; place < charges.length; place += 1) {
      const asked = charges[place]
      const verdict = verdicts[place]
      if (asked === undefined || verdict === undefined) continue
      const { rule, charge } = asked
      const { weight, limit, shadow } = charge
      this.#note(rule, weight, verdict, origin, admitted)
      if (verdict.fits === 'yes') continue
      if (shadow) {
        this.#noteShadow(rule.id)
        continue
      }
      refusing ??= []
      refusing.push({ rule, weight, verdict })
      if (verdict.fits === 'later') denials.remember(rule.ring, { weight, limit, verdict }, clock.monotonicMs())
    }
    const spent = this.#budgets?.accept(asks, budgets, admitted, target)
    if (!admitted) this.#budgets?.attemptRefused()
    // A full window is open again sooner: that is no news for a call whose budget is used up.
    if (spent !== undefined) {
      throw this.#budgets?.refuse(
        spent,
        refusing?.map(({ rule }) => rule.id),
      )
    }
    const refusal = refusing && toRefusal(refusing)
    if (refusal !== undefined) throw refusal
  }

  #find(ring: string): Entry | undefined {
    for (const entry of this.#entries) if (entry.rule.ring === ring) return entry
    return undefined
  }

  /** In the place of what was said of the ring before. */
  #note(rule: Rule, weight: number, verdict: Verdict, origin: Origin, isHeld: boolean): void {
    const entry: Entry = { rule, weight, verdict, origin, isHeld, attempt: this.#attempt, wasUsed: false }
    const before = this.#attempt === 1 ? undefined : this.#find(rule.ring)
    if (before === undefined) this.#entries.push(entry)
    else this.#entries[this.#entries.indexOf(before)] = entry
  }

  #settleOne(entry: Entry, actual: number): void {
    entry.isHeld = false
    const { rule, weight, verdict, origin } = entry
    const delta = actual - weight
    if (delta === 0 || (origin !== 'shared' && rule.onStoreFailure === 'open')) return
    if (delta < 0) this.#engine.denials.forget(rule.ring)
    this.#engine.store.settle([{ key: rule.key, index: verdict.index, delta, grain: rule.grain }], origin)
  }
}

/**
 * A store that must be asked and cannot be is an error of the catalogue for the caller.
 * @param charges that were asked for: one that looks at the call alone would be refused at any target
 */
export const asUnavailable = (thrown: unknown, charges: readonly RuleCharge[] = []): unknown =>
  thrown instanceof StoreFailedClosed
    ? new LimitsUnavailable('A rate limit that has to be asked cannot be reached now.', {
        cause: thrown,
        retryAfterMs: 1000,
        endsCall: charges.some(({ rule, charge }) => rule.scope === 'call' && mustBeAsked(charge)),
      })
    : thrown
