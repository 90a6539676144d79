import type { AdmitOptions, CallAccount, CallFacts, Spent, TargetFacts, TokenForecast } from '../core/limits.ts'
import { LimitsUnavailable } from '../errors/gateway-error.ts'
import type { Facts } from './compile.ts'
import type { Engine } from './engine.ts'
import { type Asked, toLimitHeaders } from './limit-headers.ts'
import { type Origin, type ResilientAdmission, type ResilientCharge, StoreFailedClosed } from './limit-store.ts'
import { type Refusing, toRefusal } from './refusal.ts'
import type { Verdict } from './ring.ts'
import type { Rule } from './rule.ts'

/** A rule that the call met, and what came of it. */
interface Met extends Asked {
  readonly weight: number
  readonly verdict: Verdict
  readonly origin: Origin
  /** Charged for the attempt that runs, not for the call as a whole. */
  readonly ofAttempt: boolean
  /** Charged, and not settled yet. */
  isHeld: boolean
}

/** A charge and the rule that it is for. */
interface Ask {
  readonly rule: Rule
  readonly charge: ResilientCharge
}

const MOST_SHADOWS_NAMED = 8

/** The account of one call: what it was charged, until the real usage is known. */
export class Account implements CallAccount {
  readonly #engine: Engine
  readonly #facts: CallFacts
  /** At most one of each ring. */
  readonly #met: Met[] = []
  readonly #shadowRefusals: string[] = []
  #target: TargetFacts | undefined
  #reachedProvider = false
  #isLocal = false

  constructor(engine: Engine, facts: CallFacts) {
    this.#engine = engine
    this.#facts = facts
  }

  get shadowRefusals(): readonly string[] {
    return this.#shadowRefusals
  }

  admitCall(options: AdmitOptions, target?: TargetFacts): void | Promise<void> {
    this.#target = target
    return this.#admit(this.#rules(target === undefined ? 'call' : 'all', options, target), options, false)
  }

  admitTarget(options: AdmitOptions, target: TargetFacts): void | Promise<void> {
    // All that such a target is charged has been charged with the call.
    if (this.#target !== undefined && isSame(this.#target, target)) return undefined
    return this.#admit(this.#rules('target', options, target), options, true)
  }

  attemptFailed({ reachedProvider, totalTokens }: Spent): void {
    this.#reachedProvider ||= reachedProvider
    for (const met of this.#met) {
      const isRequest = met.rule.type === 'requests'
      // A request that was made stays charged; tokens are held back anew for the next attempt.
      if (!met.isHeld || !met.ofAttempt || (isRequest && reachedProvider)) continue
      this.#settleOne(met, isRequest ? 0 : totalTokens)
    }
  }

  settle({ reachedProvider, totalTokens, outputTokens }: Spent): void {
    this.#reachedProvider ||= reachedProvider
    for (const met of this.#met) {
      if (!met.isHeld) continue
      const { rule } = met
      if (rule.type === 'requests') {
        this.#settleOne(met, this.#reachedProvider ? met.weight : 0)
        continue
      }
      this.#settleOne(met, reachedProvider ? totalTokens : 0)
      if (reachedProvider && outputTokens > 0) this.#engine.reservations.learn(rule.id, this.#model(), outputTokens)
    }
  }

  headers(): ReadonlyMap<string, string> {
    const headers = toLimitHeaders(this.#met)
    if (this.#isLocal) headers.set('x-gateway-rate-limit-mode', 'local')
    if (this.#shadowRefusals.length > 0) {
      headers.set('x-gateway-rate-limit-shadow', this.#shadowRefusals.slice(0, MOST_SHADOWS_NAMED).join(', '))
    }
    return headers
  }

  #model(): string {
    return this.#target?.model ?? this.#facts.model ?? ''
  }

  #rules(
    phase: 'call' | 'target' | 'all',
    { owned, isFree }: AdmitOptions,
    target: TargetFacts | undefined,
  ): readonly Rule[] {
    const facts: Facts = target === undefined ? this.#facts : { ...this.#facts, target }
    const rules = this.#engine.rulesFor(facts, phase, owned)
    return isFree === true ? rules.filter(({ value }) => value === 0) : rules
  }

  #admit(rules: readonly Rule[], { forecast }: AdmitOptions, ofAttempt: boolean): void | Promise<void> {
    if (rules.length === 0) return undefined
    const asks = this.#asks(rules, forecast)
    if (asks.length === 0) return undefined
    if (this.#engine.denials.size > 0) this.#refuseDenied(asks)
    let admission: ResilientAdmission | Promise<ResilientAdmission>
    try {
      admission = this.#engine.store.admit(asks.map(({ charge }) => charge))
    } catch (thrown) {
      throw asUnavailable(thrown)
    }
    if (!(admission instanceof Promise)) return this.#accept(asks, admission, ofAttempt)
    return admission.then(
      (arrived) => this.#accept(asks, arrived, ofAttempt),
      (thrown: unknown) => {
        throw asUnavailable(thrown)
      },
    )
  }

  #asks(rules: readonly Rule[], forecast: () => TokenForecast): readonly Ask[] {
    const asks: Ask[] = []
    let known: TokenForecast | undefined
    for (const rule of rules) {
      if (this.#find(rule.ring)?.isHeld === true) continue
      let weight = 1
      if (rule.type === 'tokens') {
        known ??= forecast()
        weight = this.#engine.reservations.of(rule.reservation, known, rule.id, this.#model())
      }
      asks.push({ rule, charge: toCharge(rule, weight) })
    }
    return asks
  }

  #refuseDenied(asks: readonly Ask[]): void {
    const nowMs = this.#engine.clock.monotonicMs()
    const refusing: Refusing[] = []
    for (const { rule, charge } of asks) {
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
      this.#meet({ rule, weight: 0, verdict, origin: 'shared', ofAttempt: false, isHeld: false })
    }
    const [first, ...others] = refusing
    if (first !== undefined) throw toRefusal([first, ...others])
  }

  #accept(asks: readonly Ask[], { admitted, verdicts, origin }: ResilientAdmission, ofAttempt: boolean): void {
    if (origin !== 'shared') this.#isLocal = this.#engine.store.state === 'local'
    let refusing: Refusing[] | undefined
    for (let place = 0; place < asks.length; place += 1) {
      const ask = asks[place]
      const verdict = verdicts[place]
      if (ask === undefined || verdict === undefined) continue
      const { rule } = ask
      const { weight } = ask.charge
      this.#meet({ rule, weight, verdict, origin, ofAttempt, isHeld: admitted })
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

  #find(ring: string): Met | undefined {
    for (const met of this.#met) if (met.rule.ring === ring) return met
    return undefined
  }

  /** In the place of what was said of the ring before. */
  #meet(met: Met): void {
    const before = this.#find(met.rule.ring)
    if (before === undefined) this.#met.push(met)
    else this.#met[this.#met.indexOf(before)] = met
  }

  #settleOne(met: Met, actual: number): void {
    met.isHeld = false
    const { rule, weight, verdict, origin } = met
    const delta = actual - weight
    if (delta === 0 || (origin !== 'shared' && rule.onStoreFailure === 'open')) return
    if (delta < 0) this.#engine.denials.forget(rule.ring)
    this.#engine.store.settle([{ key: rule.key, index: verdict.index, delta, grain: rule.grain }], origin)
  }
}

const toCharge = ({ key, value, grain, mode, onStoreFailure }: Rule, weight: number): ResilientCharge => ({
  key,
  limit: value,
  weight,
  grain,
  shadow: mode === 'shadow',
  onStoreFailure,
})

const isSame = (left: TargetFacts, right: TargetFacts): boolean =>
  left.provider === right.provider && left.virtualKey === right.virtualKey && left.model === right.model

/** A store that must be asked and cannot be is an error of the catalogue for the caller. */
export const asUnavailable = (thrown: unknown): unknown =>
  thrown instanceof StoreFailedClosed
    ? new LimitsUnavailable('A rate limit that has to be asked cannot be reached now.', {
        cause: thrown,
        retryAfterMs: 1000,
      })
    : thrown
