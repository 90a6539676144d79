import { createBoundedMap } from '#core/bounded-map'

/** How long to wait for the first token of a target, while another could take over. Milliseconds. */
export interface FirstTokenSettings {
  /** Least of what is learnt. */
  readonly minMs: number
  /** Before anything is known. */
  readonly unknownMs: number
  /** Least for a model that thinks. */
  readonly thinkingMs: number
}

/** What is known of a target and model. */
export interface FirstTokenKnowledge {
  readonly limitMs: number
  /** Answers of late that it was learnt from. */
  readonly answers: number
  /** What 95 of 100 of them took at most. Absent when there were none. */
  readonly p95Ms?: number
}

/** So many of the last answers count, of at most so long ago. */
const WINDOW = 40
const MAX_AGE_MS = 15 * 60_000
/** A target that usually takes a quarter of the limit is well within it. */
const FACTOR = 4
/** For how long a target that was given up is waited for twice as long, so that one which became slower can show it. */
const WIDE_MS = 60_000
/** When it may be so again, unless it answers. */
const WIDE_AGAIN_MS = 10 * 60_000
/** Targets and models that are remembered; the one that answered or failed longest ago is forgotten first. */
const MAX_KEYS = 2_000
/** Models are named by callers. */
const MAX_KEY_CHARACTERS = 500

interface Times {
  /** A ring: the oldest is replaced. */
  readonly tookMs: number[]
  next: number
  p95Ms: number
  atMs: number
  /** When the first time-out since the last answer was. */
  lateAtMs: number
  thinks: boolean
}

/**
 * Learns how long targets take to their first token, and gives a limit beyond which one is better left for another.
 *
 * Only answers teach, slow ones too. How long a target would have taken that was given up nobody knows: to count it as the
 * limit would raise the limit of one that hangs with each call, and to leave it out would never show that one became slower.
 * So a time-out doubles the limit for a minute, once in ten minutes, and an answer within that is learnt from.
 */
export class FirstTokenTimes {
  readonly #settings: FirstTokenSettings
  readonly #now: () => number
  readonly #times = createBoundedMap<string, Times>(MAX_KEYS)

  /** @param now milliseconds that never step back */
  constructor(settings: FirstTokenSettings, now: () => number) {
    this.#settings = settings
    this.#now = now
  }

  /** @param thinks whether the model may be silent for long before it answers */
  limitMs(key: string, thinks: boolean): number {
    const { minMs, unknownMs, thinkingMs } = this.#settings
    const times = this.#known(key)
    const learntMs =
      times === undefined || times.tookMs.length === 0 ? unknownMs : Math.max(minMs, FACTOR * times.p95Ms)
    if (thinks || times?.thinks === true) return Math.max(thinkingMs, learntMs)
    if (times === undefined || this.#now() - times.lateAtMs >= WIDE_MS) return learntMs
    return Math.min(2 * learntMs, Math.max(thinkingMs, learntMs))
  }

  knowledge(key: string, thinks: boolean): FirstTokenKnowledge {
    const limitMs = this.limitMs(key, thinks)
    const times = this.#known(key)
    const answers = times?.tookMs.length ?? 0
    return times === undefined || answers === 0 ? { limitMs, answers } : { limitMs, answers, p95Ms: times.p95Ms }
  }

  /** A target answered after so long. */
  answered(key: string, tookMs: number): void {
    const times = this.#touched(key)
    if (times === undefined) return
    times.tookMs[times.next] = tookMs
    times.next = (times.next + 1) % WINDOW
    times.p95Ms = percentile95(times.tookMs)
    times.lateAtMs = Number.NEGATIVE_INFINITY
  }

  /** A target was given up at its limit. */
  late(key: string): void {
    const times = this.#touched(key)
    if (times === undefined) return
    const nowMs = this.#now()
    if (nowMs - times.lateAtMs >= WIDE_AGAIN_MS) times.lateAtMs = nowMs
  }

  /** An answer told that its model has thought, though its name does not say so. */
  thought(key: string): void {
    const times = this.#touched(key)
    if (times !== undefined) times.thinks = true
  }

  #known(key: string): Times | undefined {
    const times = this.#times.get(key)
    return times === undefined || this.#now() - times.atMs > MAX_AGE_MS ? undefined : times
  }

  #touched(key: string): Times | undefined {
    if (key.length > MAX_KEY_CHARACTERS) return undefined
    const never = Number.NEGATIVE_INFINITY
    const times = this.#known(key) ?? { tookMs: [], next: 0, p95Ms: 0, atMs: 0, lateAtMs: never, thinks: false }
    times.atMs = this.#now()
    this.#times.set(key, times)
    return times
  }
}

const percentile95 = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * 0.95) - 1] ?? 0
