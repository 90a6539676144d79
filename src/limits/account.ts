import type { AdmitOptions, CallAccount, CallFacts, Spent, TargetFacts, TokenForecast } from '../core/limits.ts'
import { LimitsUnavailable } from '../errors/gateway-error.ts'
import type { Facts } from './compile.ts'
import type { Engine } from './engine.ts'
import { type Asked, toLimitHeaders } from './limit-headers.ts'
import { type Origin, type ResilientAdmission, type ResilientCharge, StoreFailedClosed } from './limit-store.ts'
import { type Refusing, toRefusal } from './refusal.ts'
import type { Verdict } from './ring.ts'
import type { Settlement } from './ring-store.ts'
import type { Rule } from './rule.ts'

/** What one rule was charged for the call. */
interface Held {
  readonly rule: Rule
  readonly weight: number
  readonly verdict: Verdict
  readonly origin: Origin
  /** Charged for the attempt that runs, not for the call as a whole. */
  readonly ofAttempt: boolean
}

interface Ask {
  readonly rule: Rule
  readonly weight: number
}

/** The account of one call: what it was charged, until the real usage is known. */
export class Account implements CallAccount {
  readonly #engine: Engine
  readonly #facts: CallFacts
  readonly #held = new Map<string, Held>()
  readonly #asked = new Map<string, Asked>()
  readonly #shadowRefusals = new Set<string>()
  #target: TargetFacts | undefined
  #reachedProvider = false
  #isLocal = false

  constructor(engine: Engine, facts: CallFacts) {
    this.#engine = engine
    this.#facts = facts
  }

  get shadowRefusals(): readonly string[] {
    return [...this.#shadowRefusals]
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
    const settlements: (Settlement & { readonly origin: Origin })[] = []
    for (const [ring, held] of this.#held) {
      // A request that was made stays charged; tokens are held back anew for the next attempt.
      if (!held.ofAttempt || (held.rule.type === 'requests' && reachedProvider)) continue
      this.#held.delete(ring)
      settlements.push(...this.#settlement(held, held.rule.type === 'requests' ? 0 : totalTokens))
    }
    this.#send(settlements)
  }

  settle({ reachedProvider, totalTokens, outputTokens }: Spent): void {
    this.#reachedProvider ||= reachedProvider
    const model = this.#target?.model ?? this.#facts.model ?? ''
    const settlements: (Settlement & { readonly origin: Origin })[] = []
    for (const held of this.#held.values()) {
      const { rule } = held
      if (rule.type === 'requests') {
        if (!this.#reachedProvider) settlements.push(...this.#settlement(held, 0))
        continue
      }
      settlements.push(...this.#settlement(held, reachedProvider ? totalTokens : 0))
      if (reachedProvider && outputTokens > 0) this.#engine.reservations.learn(rule.id, model, outputTokens)
    }
    this.#held.clear()
    this.#send(settlements)
  }

  headers(): ReadonlyMap<string, string> {
    const headers = new Map(toLimitHeaders([...this.#asked.values()]))
    if (this.#isLocal) headers.set('x-gateway-rate-limit-mode', 'local')
    if (this.#shadowRefusals.size > 0) {
      headers.set('x-gateway-rate-limit-shadow', [...this.#shadowRefusals].slice(0, 8).join(', '))
    }
    return headers
  }

  #rules(phase: 'call' | 'target' | 'all', { owned }: AdmitOptions, target: TargetFacts | undefined): readonly Rule[] {
    const facts: Facts = target === undefined ? this.#facts : { ...this.#facts, target }
    return this.#engine.rulesFor(facts, phase, owned)
  }

  #admit(rules: readonly Rule[], { forecast }: AdmitOptions, ofAttempt: boolean): void | Promise<void> {
    const asks = this.#asks(rules, forecast)
    if (asks.length === 0) return undefined
    this.#refuseDenied(asks)
    const charges = asks.map(
      ({ rule, weight }): ResilientCharge => ({
        key: rule.key,
        limit: rule.value,
        weight,
        grain: rule.grain,
        shadow: rule.mode === 'shadow',
        onStoreFailure: rule.onStoreFailure,
      }),
    )
    let admission: ResilientAdmission | Promise<ResilientAdmission>
    try {
      admission = this.#engine.store.admit(charges)
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
    const model = this.#target?.model ?? this.#facts.model ?? ''
    let known: TokenForecast | undefined
    return rules
      .filter(({ ring }) => !this.#held.has(ring))
      .map((rule) => {
        if (rule.type === 'requests') return { rule, weight: 1 }
        known ??= forecast()
        return { rule, weight: this.#engine.reservations.of(rule.reservation, known, rule.id, model) }
      })
  }

  #refuseDenied(asks: readonly Ask[]): void {
    const nowMs = this.#engine.clock.monotonicMs()
    const refusing = asks.flatMap(({ rule, weight }): Refusing[] => {
      const denial =
        rule.mode === 'shadow' ? undefined : this.#engine.denials.find(rule.ring, weight, rule.value, nowMs)
      if (denial === undefined) return []
      const { used, fitAtMs, resetAtMs } = denial
      return [
        {
          rule,
          weight,
          verdict: { fits: 'later', used, fitMs: fitAtMs - nowMs, resetMs: Math.max(0, resetAtMs - nowMs) },
        },
      ]
    })
    const [first, ...others] = refusing
    if (first === undefined) return
    for (const { rule, verdict } of refusing) {
      this.#asked.set(rule.ring, { rule, verdict: { ...verdict, releaseMs: verdict.fitMs } })
    }
    throw toRefusal([first, ...others])
  }

  #accept(asks: readonly Ask[], { admitted, verdicts, origin }: ResilientAdmission, ofAttempt: boolean): void {
    if (origin !== 'shared') this.#isLocal = this.#engine.store.state === 'local'
    const refusing: Refusing[] = []
    asks.forEach(({ rule, weight }, index) => {
      const verdict = verdicts[index]
      if (verdict === undefined) return
      if (origin !== 'open') this.#asked.set(rule.ring, { rule, verdict })
      if (verdict.fits !== 'yes') {
        if (rule.mode === 'shadow') this.#shadowRefusals.add(rule.id)
        else refusing.push({ rule, weight, verdict })
      }
      if (admitted) this.#held.set(rule.ring, { rule, weight, verdict, origin, ofAttempt })
    })
    const [first, ...others] = refusing
    if (admitted || first === undefined) return
    this.#remember(refusing)
    throw toRefusal([first, ...others])
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

  #settlement({ rule, weight, verdict, origin }: Held, actual: number): (Settlement & { readonly origin: Origin })[] {
    const delta = actual - weight
    if (delta === 0 || (origin !== 'shared' && rule.onStoreFailure === 'open')) return []
    if (delta < 0) this.#engine.denials.forget(rule.ring)
    return [{ key: rule.key, index: verdict.index, delta, grain: rule.grain, origin }]
  }

  #send(settlements: readonly (Settlement & { readonly origin: Origin })[]): void {
    for (const [origin, group] of Map.groupBy(settlements, (each) => each.origin)) {
      this.#engine.store.settle(group, origin)
    }
  }
}

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
