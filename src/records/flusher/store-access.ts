import { openWriter } from '../open-writer.ts'
import type { RecordWriter } from '../store.ts'
import type { StoreAddress, StoreRules } from './messages.ts'

const HOUR_MS = 3_600_000
/** The first sweep comes when a start is over. */
const FIRST_SWEEP_MS = 60_000

/** The writing end of the store: opened when it is first needed, again after it could not be, and swept each hour. */
export class StoreAccess {
  readonly #address: StoreAddress
  readonly #monotonicMs: () => number
  readonly #onSweepFailure: (error: unknown) => void
  readonly #warn: (message: string) => void
  #rules: StoreRules
  #opened: RecordWriter | undefined
  #sweepAt: number
  #isSweeping = false

  constructor(
    address: StoreAddress,
    rules: StoreRules,
    monotonicMs: () => number,
    onSweepFailure: (error: unknown) => void,
    warn: (message: string) => void,
  ) {
    this.#address = address
    this.#rules = rules
    this.#monotonicMs = monotonicMs
    this.#onSweepFailure = onSweepFailure
    this.#warn = warn
    this.#sweepAt = monotonicMs() + FIRST_SWEEP_MS
  }

  /** @throws whatever keeps it from being opened */
  readonly writer = (): RecordWriter => {
    if (this.#opened === undefined) {
      this.#opened = openWriter(this.#address, this.#warn)
      this.#opened.declare(this.#rules.metadataKeys)
    }
    return this.#opened
  }

  set rules(rules: StoreRules) {
    this.#rules = rules
    this.#opened?.declare(rules.metadataKeys)
  }

  /** Removes what is past its retention, once an hour. */
  tick(): void {
    if (this.#opened === undefined || this.#isSweeping || this.#monotonicMs() < this.#sweepAt) return
    this.#sweepAt = this.#monotonicMs() + HOUR_MS
    this.#isSweeping = true
    const { fallback, workspaces } = this.#rules
    this.#opened
      .expire(Date.now(), { fallback, workspaces })
      .catch(this.#onSweepFailure)
      .finally(() => {
        this.#isSweeping = false
      })
  }

  async close(): Promise<void> {
    await this.#opened?.close()
  }
}
