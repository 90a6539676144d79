import type { AdmitOptions, CallAccount, CallFacts, Spent, TargetFacts, TokenForecast } from '../core/limits.ts'
import { LimitsUnavailable } from '../errors/gateway-error.ts'
import {
  type LimitAdmission,
  type LimitCharge,
  mustBeAsked,
  type Origin,
  StoreFailedClosed,
} from './away/limit-store.ts'
import type { Engine } from './engine.ts'
import { type AskedRule, toLimitHeaders } from './limit-headers.ts'
import { type Refusing, toRefusal } from './refusal.ts'
import type { Verdict } from './ring/ring.ts'
import type { Rule } from './rule.ts'

/** A rule that was asked for the call, and what came of it. */
interface Entry extends AskedRule {
  readonly weight: number
  readonly verdict: Verdict
  readonly origin: Origin
  /** Charged, and not settled yet. */
  isHeld: boolean
  /** Number of the last attempt that it applied to. */
  attempt: number
  /** A provider was asked by an attempt that is over. */
  wasUsed: boolean
}

interface RuleCharge {
  readonly rule: Rule
  readonly charge: LimitCharge
}

const MOST_SHADOWS_NAMED = 8

/** The account of one call: what it was charged, until the real usage is known. */
export class Account implements CallAccount {
  readonly #engine: Engine
  readonly #facts: CallFacts
  /** At most one of each ring. */
  readonly #entries: Entry[] = []
  readonly #shadowRefusals: string[] = []
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
    this.#attempt += 1
    this.#model = target.model ?? this.#facts.model ?? ''
    const charges = this.#missing(this.#rules(options, target), options.forecast)
    if (this.#attempt > 1) this.#releaseOthers()
    if (charges.length === 0) return undefined
    if (this.#engine.denials.size > 0) this.#refuseDenied(charges)
    let admission: LimitAdmission | Promise<LimitAdmission>
    try {
      admission = this.#engine.store.admit(charges.map(({ charge }) => charge))
    } catch (thrown) {
      throw asUnavailable(thrown, charges)
    }
    if (!(admission instanceof Promise)) return this.#accept(charges, admission)
    return admission.then(
      (arrived) => this.#accept(charges, arrived),
      (thrown: unknown) => {
        throw asUnavailable(thrown, charges)
      },
    )
  }

  attemptEnded(reachedProvider: boolean): void {
    for (const entry of this.#entries) if (entry.attempt === this.#attempt) entry.wasUsed ||= reachedProvider
  }

  settle({ reachedProvider, totalTokens, outputTokens }: Spent): void {
    for (const entry of this.#entries) {
      if (!entry.isHeld) continue
      const { rule, weight } = entry
      if (rule.type === 'requests') {
        this.#settleOne(entry, reachedProvider ? weight : 0)
        continue
      }
      this.#settleOne(entry, reachedProvider ? totalTokens : 0)
      if (reachedProvider && outputTokens > 0) this.#engine.reservations.learn(rule.id, this.#model, outputTokens)
    }
  }

  headers(): ReadonlyMap<string, string> {
    const headers = toLimitHeaders(this.#entries)
    if (this.#isLocal) headers.set('x-gateway-rate-limit-mode', 'local')
    if (this.#shadowRefusals.length > 0) {
      headers.set('x-gateway-rate-limit-shadow', this.#shadowRefusals.slice(0, MOST_SHADOWS_NAMED).join(', '))
    }
    return headers
  }

  #rules({ owned, isFree }: AdmitOptions, target: TargetFacts): readonly Rule[] {
    const rules = this.#engine.rulesFor({ ...this.#facts, target }, owned)
    return isFree === true ? rules.filter(({ value }) => value === 0) : rules
  }

  /** Charges of the rules that the call does not hold yet. */
  #missing(rules: readonly Rule[], forecast: () => TokenForecast): readonly RuleCharge[] {
    const charges: RuleCharge[] = []
    let known: TokenForecast | undefined
    for (const rule of rules) {
      const held = this.#find(rule.ring)
      if (held?.isHeld === true) {
        held.attempt = this.#attempt
        continue
      }
      let weight = 1
      if (rule.type === 'tokens') {
        known ??= forecast()
        weight = this.#engine.reservations.of(rule.reservation, known, rule.id, this.#model)
      }
      charges.push({ rule, charge: toCharge(rule, weight) })
    }
    return charges
  }

  /** Gives back what was held for a target that failed, but for a request that was made. */
  #releaseOthers(): void {
    for (const entry of this.#entries) {
      if (!entry.isHeld || entry.attempt === this.#attempt) continue
      this.#settleOne(entry, entry.rule.type === 'requests' && entry.wasUsed ? entry.weight : 0)
    }
  }

  #refuseDenied(charges: readonly RuleCharge[]): void {
    const nowMs = this.#engine.clock.monotonicMs()
    const refusing: Refusing[] = []
    for (const { rule, charge } of charges) {
      const denial =
        rule.mode === 'shadow' ? undefined : this.#engine.denials.find(rule.ring, charge.weight, rule.value, nowMs)
      if (denial === undefined) continue
      const { used, fitAtMs, resetAtMs } = denial
      const fitMs = fitAtMs - nowMs
      const verdict: Verdict = {
        fits: 'later',
        used,
        index: 0,
        releaseMs: fitMs,
        fitMs,
        resetMs: Math.max(0, resetAtMs - nowMs),
      }
      refusing.push({ rule, weight: charge.weight, verdict })
      this.#note({ rule, weight: 0, verdict, origin: 'shared' }, false)
    }
    const [first, ...others] = refusing
    if (first !== undefined) throw toRefusal([first, ...others])
  }

  #accept(charges: readonly RuleCharge[], { admitted, verdicts, origin }: LimitAdmission): void {
    if (origin !== 'shared') this.#isLocal = this.#engine.store.state === 'local'
    let refusing: Refusing[] | undefined
    for (let place = 0; place < charges.length; place += 1) {
      const asked = charges[place]
      const verdict = verdicts[place]
      if (asked === undefined || verdict === undefined) continue
      const { rule } = asked
      const { weight } = asked.charge
      this.#note({ rule, weight, verdict, origin }, admitted)
      if (verdict.fits === 'yes') continue
      if (rule.mode !== 'shadow') {
        refusing ??= []
        refusing.push({ rule, weight, verdict })
      } else if (!this.#shadowRefusals.includes(rule.id)) this.#shadowRefusals.push(rule.id)
    }
    if (admitted || refusing === undefined) return
    this.#remember(refusing)
    const [first, ...others] = refusing
    if (first !== undefined) throw toRefusal([first, ...others])
  }

  #remember(refusing: readonly Refusing[]): void {
    const { denials, clock } = this.#engine
    const nowMs = clock.monotonicMs()
    for (const { rule, weight, verdict } of refusing) {
      if (verdict.fits === 'never') continue
      const { used, fitMs, resetMs } = verdict
      denials.remember(
        rule.ring,
        { weight, limit: rule.value, used, fitAtMs: nowMs + fitMs, resetAtMs: nowMs + resetMs },
        nowMs,
      )
    }
  }

  #find(ring: string): Entry | undefined {
    for (const entry of this.#entries) if (entry.rule.ring === ring) return entry
    return undefined
  }

  /** In the place of what was said of the ring before. */
  #note(asked: Pick<Entry, 'rule' | 'weight' | 'verdict' | 'origin'>, isHeld: boolean): void {
    const before = this.#find(asked.rule.ring)
    const entry: Entry = { ...asked, isHeld, attempt: this.#attempt, wasUsed: false }
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

const toCharge = ({ key, value, grain, mode, onStoreFailure }: Rule, weight: number): LimitCharge => ({
  key,
  limit: value,
  weight,
  grain,
  shadow: mode === 'shadow',
  onStoreFailure,
})

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
