import { within } from '../timing/within.ts'
import { type Secret, SecretFailure } from './manager.ts'

/** Milliseconds for which a secret is used without asking again. */
const LIFE_MS = 5 * 60_000
/** Milliseconds after which it is read again while it is still used, so that no call waits for it. */
const AHEAD_MS = 4 * 60_000
/** Milliseconds for which the last one is used while its manager does not answer. */
const STALE_MS = 60 * 60_000
/** Milliseconds that a call waits for a manager while there is a last one to go on with. */
const PATIENCE_MS = 2_000
/** Milliseconds until a failed read is made again: with a last one at hand, and without. */
const AGAIN_MS = 15_000
const REFUSED_MS = 5_000
const AWAY_MS = 1_000

/** What is known of one secret. It lives as long as the reference that it was read for. */
export class CachedSecret {
  #secret: Secret | undefined
  #readAtMs = Number.NEGATIVE_INFINITY
  #pending: Promise<Secret> | undefined
  #failure: SecretFailure | undefined
  /** When it may be tried again. */
  #againAtMs = Number.NEGATIVE_INFINITY
  /** The manager has said no since it was read: the last one does not hold any more. */
  #isRefused = false
  readonly #read: () => Promise<Secret>
  readonly #now: () => number

  /**
   * @param read asks the manager; rejects with SecretFailure alone
   * @param now milliseconds that never step back
   */
  constructor(read: () => Promise<Secret>, now: () => number) {
    this.#read = read
    this.#now = now
  }

  /** How old the last one is that is used for want of a newer one, in milliseconds; 0 for none. */
  get staleMs(): number {
    const ageMs = this.#now() - this.#readAtMs
    return this.#failure !== undefined && ageMs >= LIFE_MS && this.#mayBeStale(ageMs) ? ageMs : 0
  }

  /** The secret: at once unless it has to be read first. However many ask, it is read once. @throws SecretFailure */
  get(): Secret | Promise<Secret> {
    const nowMs = this.#now()
    const ageMs = nowMs - this.#readAtMs
    const secret = this.#secret
    if (secret !== undefined && ageMs < LIFE_MS) {
      // Who does not wait for it does not hear of a failure: the log does.
      if (ageMs >= AHEAD_MS && this.#pending === undefined && nowMs >= this.#againAtMs) this.#start().catch(ignore)
      return secret
    }
    if (this.#failure !== undefined && nowMs < this.#againAtMs) {
      if (secret !== undefined && this.#mayBeStale(ageMs)) return secret
      throw this.#failure
    }
    const pending = this.#pending ?? this.#start()
    return secret === undefined ? pending : this.#orLast(pending)
  }

  #mayBeStale(ageMs: number): boolean {
    return this.#secret !== undefined && !this.#isRefused && ageMs < STALE_MS
  }

  /** What is read, or the last one where nobody answers. */
  async #orLast(pending: Promise<Secret>): Promise<Secret> {
    try {
      if (!this.#mayBeStale(this.#now() - this.#readAtMs)) return await pending
      const found = await within(pending, PATIENCE_MS)
      if (found !== undefined) return found
      // Those who come next do not wait for it again.
      this.#fail(new SecretFailure('away', 'its manager does not answer in time'))
    } catch (thrown) {
      if (!(thrown instanceof SecretFailure)) throw thrown
    }
    const secret = this.#secret
    if (secret !== undefined && this.#mayBeStale(this.#now() - this.#readAtMs)) return secret
    throw this.#failure ?? new SecretFailure('away', 'its manager does not answer')
  }

  #start(): Promise<Secret> {
    const startedMs = this.#now()
    const pending = this.#read().then(
      (read) => {
        this.#pending = undefined
        this.#failure = undefined
        this.#isRefused = false
        this.#readAtMs = startedMs
        // The same object where it says the same: what was made of it stays.
        if (this.#secret?.text !== read.text) this.#secret = read
        return this.#secret ?? read
      },
      (failure: SecretFailure) => {
        this.#pending = undefined
        this.#fail(failure)
        throw failure
      },
    )
    this.#pending = pending
    return pending
  }

  #fail(failure: SecretFailure): void {
    this.#failure = failure
    if (failure.outcome !== 'away') this.#isRefused = true
    const nowMs = this.#now()
    const waitMs = failure.outcome === 'away' ? AWAY_MS : REFUSED_MS
    this.#againAtMs = nowMs + (this.#mayBeStale(nowMs - this.#readAtMs) ? AGAIN_MS : waitMs)
  }
}

const ignore = (): void => undefined
