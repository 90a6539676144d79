import { maxOutputTokens } from '#calls/estimate-tokens'
import type { Attempt } from '#calls/slots'
import { thinks } from '#calls/thinking'
import type { Resilience } from '#core/ports'
import { type Call, type Deadlines, isStreamed } from '#kit'
import type { Target } from '#kit/slots'
import { modelOf } from './attempt.ts'
import { type FirstTokenKnowledge, FirstTokenTimes } from './first-token-times.ts'

export interface PatienceOptions {
  /** The operator's. */
  readonly deadlines: Deadlines
  readonly resilience: Resilience
  /** Milliseconds that never step back. */
  readonly now: () => number
}

/** What is waited for in one attempt, and what its end teaches. */
export interface Waits extends Attempt {
  readonly deadlines: { -readonly [Name in keyof Deadlines]: Deadlines[Name] }
  /** Under which name the times of this target and model are remembered. Absent: they are not. */
  readonly key?: string | undefined
  /** Between two pieces, while another target could still take over. */
  readonly silenceMs: number
  /** Between two pieces, when none can. */
  readonly ordinaryIdleMs: number
}

/** A whole answer takes its time to be written: milliseconds for each token beyond those that are written soon enough. */
const MS_PER_TOKEN = 25
const SOON_TOKENS = 400

/** How long targets are waited for: while another could take over, as long as they usually take, and else by the deadlines. */
export class Patience {
  readonly #options: PatienceOptions
  readonly #times: FirstTokenTimes | undefined
  readonly #alone: Attempt
  readonly #aloneThinking: Attempt

  constructor(options: PatienceOptions) {
    this.#options = options
    const { deadlines, now } = options
    const { firstToken } = options.resilience
    this.#times = firstToken && new FirstTokenTimes(firstToken, now)
    this.#alone = { deadlines }
    this.#aloneThinking = { deadlines: this.#ordinary(true) }
  }

  /** The one attempt of a call that can go nowhere else. */
  alone(call: Call, to: Target): Attempt {
    return this.#times !== undefined && mayThink(call, to) ? this.#aloneThinking : this.#alone
  }

  /**
   * @param remainingMs what is left of the call
   * @param canTakeOver whether another target would be asked when this one takes too long
   */
  ofAttempt(call: Call, to: Target, remainingMs: number, canTakeOver: boolean): Waits {
    const { firstToken, silence } = this.#options.resilience
    const isThinking = (firstToken ?? silence) !== undefined && mayThink(call, to)
    const ordinary = this.#ordinary(isThinking)
    const { idleMs, totalMs } = ordinary
    const deadlines = { ...ordinary, totalMs: Math.max(1, Math.min(totalMs, Math.ceil(remainingMs))) }
    const times = call.endpoint.learnsPatience ? this.#times : undefined
    const key = times && keyOf(call, to, isThinking)
    const silenceMs = Math.min(idleMs, (isThinking ? silence?.thinkingMs : silence?.ms) ?? idleMs)
    const waits = { deadlines, key, silenceMs, ordinaryIdleMs: idleMs }
    if (to.firstTokenTimeoutMs !== undefined && isStreamed(call)) {
      deadlines.firstByteMs = Math.min(deadlines.firstByteMs, to.firstTokenTimeoutMs)
    }
    if (!canTakeOver || key === undefined) return waits
    // A piece of a stream may be long in coming until the first; then whoever reads it says when it is too long.
    if (!isStreamed(call)) deadlines.idleMs = silenceMs
    if (hasOwnLimit(call, to)) return waits
    const firstTokenMs = (times?.limitMs(key, isThinking) ?? 0) + forLength(call)
    deadlines.firstByteMs = Math.min(deadlines.firstByteMs, firstTokenMs)
    return { ...waits, firstTokenMs }
  }

  /** What would be waited for, and why. Undefined where nothing is learnt, or the config has its own word. */
  explain(call: Call, to: Target): (FirstTokenKnowledge & { readonly thinks: boolean }) | undefined {
    if (this.#times === undefined || !call.endpoint.learnsPatience || hasOwnLimit(call, to)) return undefined
    const isThinking = mayThink(call, to)
    const knowledge = this.#times.knowledge(keyOf(call, to, isThinking), isThinking)
    return { ...knowledge, limitMs: knowledge.limitMs + forLength(call), thinks: isThinking }
  }

  answered({ key }: Waits, tookMs: number): void {
    if (key !== undefined) this.#times?.answered(key, tookMs)
  }

  late({ key, firstTokenMs }: Waits): void {
    if (key !== undefined && firstTokenMs !== undefined) this.#times?.late(key)
  }

  thought({ key }: Waits): void {
    if (key !== undefined) this.#times?.thought(key)
  }

  /** A model that thinks is silent for as long as it does: no deadline of a silent connection is meant for it. */
  #ordinary(isThinking: boolean): Deadlines {
    const { deadlines, resilience } = this.#options
    const leastMs = isThinking ? (resilience.firstToken?.thinkingMs ?? 0) : 0
    const { firstByteMs, idleMs } = deadlines
    return { ...deadlines, firstByteMs: Math.max(firstByteMs, leastMs), idleMs: Math.max(idleMs, leastMs) }
  }
}

const mayThink = ({ params }: Call, { model, overrideParams, defaultParams }: Target): boolean =>
  thinks(model, overrideParams, params, defaultParams)

/** Whoever named a limit has thought about it: for the first token, or for the head, which is all of a whole answer. */
const hasOwnLimit = (call: Call, { firstTokenTimeoutMs, requestTimeoutMs }: Target): boolean =>
  requestTimeoutMs !== undefined || (firstTokenTimeoutMs !== undefined && isStreamed(call))

const keyOf = (call: Call, to: Target, isThinking: boolean): string =>
  `${isStreamed(call) ? 'stream' : call.endpoint.id}${isThinking ? ' thinking' : ''} ${modelOf(to)}`

const forLength = (call: Call): number =>
  isStreamed(call) ? 0 : MS_PER_TOKEN * Math.max(0, (maxOutputTokens(call.params) ?? 0) - SOON_TOKENS)
