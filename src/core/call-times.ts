/** Milliseconds that the parts of a call took. They do not overlap; a part that did not happen is absent. */
export interface Durations {
  /** From the arrival of the request. */
  readonly totalMs: number
  /** To the first byte of the answer's body; absent when there was none. */
  readonly firstByteMs?: number | undefined
  /** Reading the request, and taking its JSON apart. */
  readonly parsingMs: number
  /** Until the first provider was asked, or to the end where none was, without the two beside it. */
  readonly beforeMs: number
  readonly cacheMs: number
  /** From asking providers until their answers began or, whole ones, were here. */
  readonly upstreamMs?: number | undefined
  /** From the provider's last byte to the client's. */
  readonly afterMs?: number | undefined
}

/** What one attempt took. */
export interface AttemptDurations {
  readonly totalMs: number
  readonly upstreamMs: number | undefined
}

/**
 * When what of a call happened, in milliseconds that never step back. One for each call: its attempts run one after the other,
 * and each begins anew.
 */
export class CallTimes {
  readonly startedAt: number
  parsingMs = 0
  cacheMs = 0
  #sentAt: number | undefined
  #firstAskedAt: number | undefined
  /** Of the attempts that are over. */
  #upstreamMs: number | undefined
  #askedAt: number | undefined
  /** The provider has done its part: its stream began, or its whole answer is here. */
  #answeredAt: number | undefined
  #endedAt: number | undefined
  #isStream = false

  constructor(startedAt: number) {
    this.startedAt = startedAt
  }

  asked(now: number): void {
    this.#firstAskedAt ??= now
    this.#askedAt = now
    this.#answeredAt = undefined
    this.#endedAt = undefined
  }

  /** The head of the provider's answer is here. */
  begun(now: number, isStream: boolean): void {
    this.#isStream = isStream
    this.#answeredAt = now
  }

  /** The provider's answer is here, or was left. */
  ended(now: number): void {
    this.#endedAt ??= now
    if (!this.#isStream) this.#answeredAt = this.#endedAt
  }

  /** A piece of the answer goes out to the client. */
  sent(now: () => number): void {
    this.#sentAt ??= now()
  }

  /** The attempt is over. @param begunAt when it began */
  endAttempt(begunAt: number, now: number): AttemptDurations {
    const upstreamMs = this.#ofAttempt(now)
    this.#upstreamMs = this.#inAll(now)
    this.#askedAt = undefined
    return { totalMs: now - begunAt, upstreamMs }
  }

  /** The call is over. */
  end(now: number): Durations {
    const { startedAt, parsingMs, cacheMs } = this
    return {
      totalMs: now - startedAt,
      firstByteMs: this.#sentAt === undefined ? undefined : this.#sentAt - startedAt,
      parsingMs,
      beforeMs: Math.max(0, (this.#firstAskedAt ?? now) - startedAt - parsingMs - cacheMs),
      cacheMs,
      upstreamMs: this.#inAll(now),
      afterMs: this.#endedAt === undefined ? undefined : now - this.#endedAt,
    }
  }

  #ofAttempt(now: number): number | undefined {
    return this.#askedAt === undefined ? undefined : (this.#answeredAt ?? now) - this.#askedAt
  }

  #inAll(now: number): number | undefined {
    const last = this.#ofAttempt(now)
    return last === undefined ? this.#upstreamMs : (this.#upstreamMs ?? 0) + last
  }
}
