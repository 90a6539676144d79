import type { CounterKey } from '../../core/budgets.ts'
import type { Ledger, LedgerBatch, LedgerNews, LedgerTotal } from './ledger.ts'
import type { FromLedger, ToLedger } from './messages.ts'

export interface LedgerAccessOptions {
  /** Id of the spool of this process. */
  readonly spool: string
  /** Throws where it cannot be opened. */
  readonly open: () => Ledger
  readonly post: (message: FromLedger) => void
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Milliseconds that never step back. */
  readonly monotonicMs: () => number
  /** It cannot be asked, or does not take what was spent. @param failures in a row */
  readonly onFailure: (error: unknown, failures: number) => void
  /** It can be asked again. */
  readonly onBack: () => void
}

/** How the ledger is. */
export interface LedgerState {
  /** It answered when it was last asked, and took what it was last given. */
  readonly isOk: boolean
  /** Times that it could not be asked. */
  readonly failures: number
}

/** While budgets are in use, what other processes spent is looked for this often. */
export const LOOK_MS = 300
/** While none is: the first that is used asks for its own count. */
const IDLE_LOOK_MS = 5_000
const LONGEST_RETRY_MS = 5_000
const HOUR_MS = 3_600_000
/** What processes left behind that died is waited for no longer, before the totals count as loaded. */
const CATCH_UP_MS = 3_000
/** Totals in one message. */
const MOST_TOLD = 2_000
/** Counts that are asked for at once, and that may wait for that. */
const MOST_FOUND = 1_000
const MOST_UNKNOWN = 200_000

/** The ledger as the worker of the spool has it: told what was spent, and asked again and again what others spent. */
export class LedgerAccess {
  readonly #options: LedgerAccessOptions
  #opened: Ledger | undefined
  #isBusy = false
  #isClosed = false
  #isLoaded = false
  #isToldLoaded = false
  #loadedAt = 0
  #lookedAt = Number.NEGATIVE_INFINITY
  #retryAt = 0
  #sweepAt: number
  #failures = 0
  /** In a row. */
  #failedLooks = 0
  #failedBatches = 0
  #toldPosition = 0
  /** Until then some budget that is known here is in use. */
  #inUseUntilMs = 0
  /** Counts that the thread of the calls wants to know. */
  #unknown: CounterKey[] = []

  constructor(options: LedgerAccessOptions) {
    this.#options = options
    this.#sweepAt = options.monotonicMs() + HOUR_MS
  }

  get state(): LedgerState {
    return { isOk: this.#failedLooks + this.#failedBatches === 0, failures: this.#failures }
  }

  /** Milliseconds in which `tick` should come again, where nothing else happens. */
  get pauseMs(): number {
    return this.#isInUse ? LOOK_MS : IDLE_LOOK_MS
  }

  /** Nothing is to be done before `pauseMs` have passed. */
  get isQuiet(): boolean {
    return (this.#isToldLoaded && this.#unknown.length === 0) || this.#failedLooks > 0
  }

  /** Counts what a spool says. @throws what keeps the ledger from it: it is to be tried again */
  async apply(batch: LedgerBatch): Promise<LedgerNews> {
    try {
      const news = await this.#ledger().apply(batch)
      this.#failedBatches = 0
      this.#tell(news.totals, batch.spool === this.#options.spool ? news.position : undefined)
      return news
    } catch (thrown) {
      this.#failed(thrown, ++this.#failedBatches)
      throw thrown
    }
  }

  /** Counts as the ledger has them, for somebody else. @throws what keeps it from being asked */
  find(spool: string, keys: readonly CounterKey[]): Promise<LedgerNews> {
    return this.#use((ledger) => ledger.find(spool, keys))
  }

  take(message: ToLedger): void {
    if (message.type === 'find') {
      // There are never so many in the memory of the calls; what is left out is found when it changes.
      if (this.#unknown.length < MOST_UNKNOWN) this.#unknown.push(...message.keys)
      return
    }
    const { id, counter, atUs, beforeMs } = message
    this.#use((ledger) => ledger.reset(counter, atUs, beforeMs)).then(
      (total) => this.#options.post({ type: 'reset', id, total }),
      () => this.#options.post({ type: 'reset', id }),
    )
  }

  /** Asks what is due. @param isCaughtUp all that lies in spools is counted, as far as that can be */
  tick(isCaughtUp: boolean): void {
    const nowMs = this.#options.monotonicMs()
    if (this.#isLoaded && !this.#isToldLoaded && (isCaughtUp || nowMs - this.#loadedAt > CATCH_UP_MS)) {
      this.#isToldLoaded = true
      this.#options.post({ type: 'loaded' })
    }
    if (this.#isBusy || !this.#isDue(nowMs)) return
    this.#isBusy = true
    this.#lookedAt = nowMs
    this.#look()
      .catch(() => {
        // Counted and said by now.
        this.#retryAt = nowMs + Math.min(LONGEST_RETRY_MS, LOOK_MS * 2 ** this.#failedLooks)
      })
      .finally(() => {
        this.#isBusy = false
      })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#opened?.close()
  }

  get #isInUse(): boolean {
    return this.#options.now() < this.#inUseUntilMs
  }

  #isDue(nowMs: number): boolean {
    if (nowMs < this.#retryAt) return false
    return this.#unknown.length > 0 || nowMs - this.#lookedAt >= this.pauseMs
  }

  async #look(): Promise<void> {
    const { spool, now, monotonicMs } = this.#options
    if (!this.#isLoaded) {
      const { position, totals } = await this.#use((ledger) => ledger.load(spool, now()))
      this.#isLoaded = true
      this.#loadedAt = monotonicMs()
      this.#tell(totals, position)
    }
    while (this.#unknown.length > 0) {
      const keys = this.#unknown.slice(0, MOST_FOUND)
      const { position, totals } = await this.#use((ledger) => ledger.find(spool, keys))
      this.#unknown.splice(0, keys.length)
      // Somebody wants to know them, so others may spend there.
      this.#inUseUntilMs = Math.max(this.#inUseUntilMs, now() + HOUR_MS)
      this.#tell(totals, position)
    }
    const { position, totals } = await this.#use((ledger) => ledger.changes(spool))
    this.#tell(totals, position)
    if (monotonicMs() < this.#sweepAt) return
    this.#sweepAt = monotonicMs() + HOUR_MS
    await this.#use((ledger) => ledger.expire(now()))
  }

  #ledger(): Ledger {
    this.#opened ??= this.#options.open()
    return this.#opened
  }

  async #use<T>(work: (ledger: Ledger) => Promise<T>): Promise<T> {
    try {
      const done = await work(this.#ledger())
      const wasAway = this.#failedLooks > 0
      this.#failedLooks = 0
      if (wasAway) this.#options.onBack()
      return done
    } catch (thrown) {
      this.#failed(thrown, ++this.#failedLooks)
      throw thrown
    }
  }

  #failed(thrown: unknown, inRow: number): void {
    // A question that the end cut off.
    if (this.#isClosed) return
    this.#failures++
    this.#options.onFailure(thrown, inRow)
  }

  /** The position comes with the last of them: what waits is counted twice for a moment, rather than not at all. */
  #tell(totals: readonly LedgerTotal[], position = this.#toldPosition): void {
    if (totals.length === 0 && position <= this.#toldPosition) return
    this.#toldPosition = position
    for (const { endMs = Number.POSITIVE_INFINITY } of totals) {
      this.#inUseUntilMs = Math.max(this.#inUseUntilMs, endMs)
    }
    for (let from = 0; totals.length - from > MOST_TOLD; from += MOST_TOLD) {
      this.#options.post({ type: 'news', totals: totals.slice(from, from + MOST_TOLD) })
    }
    const last = totals.slice(Math.floor(Math.max(0, totals.length - 1) / MOST_TOLD) * MOST_TOLD)
    this.#options.post({ type: 'news', totals: last, position })
  }
}
