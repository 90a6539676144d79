import { createBoundedMap } from '#core/bounded-map'
import type { SharedFlags } from '#kit'
import type { BreakerPolicy } from '#kit/plan'

interface State {
  /** When the failures that are counted began. */
  firstFailureMs: number
  requests: number
  failures: number
  /** Opened, here or by another process; closed again by the first success. */
  open: boolean
  /** Calls that find out whether the target is back. */
  probes: number
}

/** Mark of a call that goes to a target whose breaker is open, to find out whether it is back. */
export type Probe = Pick<State, 'probes'>

export interface EndOptions {
  /** What `begin` gave. */
  readonly probe?: Probe | undefined
  /** The request was counted before, as one is whose stream broke after its beginning. */
  readonly isCounted?: boolean
}

/** How an attempt ended, as far as its target's health goes. `none`: the target was not asked, or nobody waited for it. */
export type Health = 'good' | 'bad' | 'none'

/** Most targets with failures that are remembered; the ones that failed longest ago are forgotten first. */
const MAX_STATES = 10_000

/**
 * Circuit breakers, one for each target. Requests are counted from the first failure on, for as long
 * as the cool-down. An open breaker is a flag that all processes see; when it has gone, one call at a time asks the
 * target: a success closes the breaker, a failure opens it again.
 */
export class Breakers {
  readonly #flags: SharedFlags
  readonly #now: () => number
  readonly #states = createBoundedMap<string, State>(MAX_STATES)

  /** @param now milliseconds that never step back */
  constructor(flags: SharedFlags, now: () => number) {
    this.#flags = flags
    this.#now = now
  }

  /** False while the target is left alone, and while another call is finding out about it. */
  isAvailable(key: string): boolean {
    const state = this.#states.get(key)
    if (this.#flags.has(key)) {
      // Opened by another process: this one must find out for itself, too, when the flag has gone.
      if (state === undefined) this.#remember(key, { ...this.#firstFailure(), open: true })
      else state.open = true
      return false
    }
    return state === undefined || !state.open || state.probes === 0
  }

  /** Targets that are left alone now, as far as this process knows. */
  get openCount(): number {
    let open = 0
    for (const state of this.#states.values()) if (state.open) open++
    return open
  }

  /** An attempt begins. `end` must follow, with what this gives. */
  begin(key: string): Probe | undefined {
    const state = this.#states.get(key)
    if (state?.open !== true) return undefined
    state.probes++
    return state
  }

  end(key: string, policy: BreakerPolicy, health: Health, { probe, isCounted = false }: EndOptions = {}): void {
    if (probe !== undefined) probe.probes--
    const state = this.#states.get(key)
    // What began before the breaker opened does not say how the target is now.
    if (state?.open === true && probe !== state) return
    if (state?.open === true) this.#endOpen(key, policy, health)
    else if (health !== 'none') this.#count(key, state, policy, health === 'bad', isCounted)
  }

  #endOpen(key: string, { cooldownMs }: BreakerPolicy, health: Health): void {
    if (health === 'good') {
      this.#states.delete(key)
      this.#flags.lower(key)
    }
    // A failure of a call that went there because all targets were open prolongs nothing.
    else if (health === 'bad' && !this.#flags.has(key)) this.#flags.raise(key, cooldownMs)
  }

  #count(key: string, known: State | undefined, policy: BreakerPolicy, failed: boolean, isCounted: boolean): void {
    const isOver = known !== undefined && this.#now() - known.firstFailureMs >= policy.cooldownMs
    const state = isOver ? undefined : known
    if (isOver) this.#states.delete(key)
    if (state === undefined) {
      if (!failed) return
      const first = this.#firstFailure()
      this.#remember(key, first)
      this.#openIfDue(key, first, policy)
      return
    }
    if (!isCounted) state.requests++
    if (failed) state.failures++
    this.#openIfDue(key, state, policy)
  }

  #openIfDue(key: string, state: State, policy: BreakerPolicy): void {
    const { failureThreshold, failureThresholdPercentage, minimumRequests, cooldownMs } = policy
    const { requests, failures } = state
    const isDue =
      (failureThreshold !== undefined && failures >= failureThreshold) ||
      (failureThresholdPercentage !== undefined &&
        requests >= minimumRequests &&
        failures * 100 >= failureThresholdPercentage * requests)
    if (!isDue) return
    state.open = true
    this.#flags.raise(key, cooldownMs)
  }

  #firstFailure(): State {
    return { firstFailureMs: this.#now(), requests: 1, failures: 1, open: false, probes: 0 }
  }

  #remember(key: string, state: State): void {
    this.#states.set(key, state)
  }
}

/** Whether an answer with this status counts as a failure of its target. */
export const isFailingStatus = ({ failureStatusCodes }: BreakerPolicy, status: number): boolean =>
  failureStatusCodes === undefined ? status >= 500 : failureStatusCodes.has(status)
