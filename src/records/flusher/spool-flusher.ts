import { isSoundCharge } from '../../budgets/ledger/charges.ts'
import type { LedgerBatch, SpooledCharge } from '../../budgets/ledger/ledger.ts'
import { within } from '../../timing/within.ts'
import { readPlan, writePlan } from '../spool/checkpoint.ts'
import type { RowCounts } from '../spool/spool-writer.ts'
import { BatchRefused, type RecordBatch, type RecordWriter } from '../store.ts'
import { bytesOf, MAX_BATCH_BYTES, MAX_BATCH_ROWS, toBatch } from './batches.ts'
import type { Quarantine } from './quarantine.ts'
import type { SpoolReader, StoredRow } from './spool-reader.ts'

export interface SpoolFlusherOptions {
  /** Id of the spool. */
  readonly id: string
  /** Absent: it is in memory, and its plans with it. */
  readonly path: string | undefined
  readonly reader: SpoolReader
  /** Throws where it cannot be opened. */
  readonly writer: () => RecordWriter
  /** Adds what rows say of budgets, before they are stored; rejects where that cannot be now. Knows what it has added. */
  readonly count: (batch: LedgerBatch) => Promise<unknown>
  readonly quarantine: Quarantine
  /** Milliseconds that never step back. */
  readonly monotonicMs: () => number
  readonly onStored: (position: number, batch: RecordBatch) => void
  /** @param failures in a row */
  readonly onFailure: (error: unknown, failures: number) => void
  readonly onPoison: (error: unknown) => void
  /** What a row says of a budget is not to be understood. */
  readonly onUnsound: (row: StoredRow) => void
}

/** A row waits no longer than this for others. */
export const MAX_WAIT_MS = 250
const FIRST_RETRY_MS = 250
const LAST_RETRY_MS = 30_000
/** A store that does not say what became of a batch is asked again: it knows the batch by its place. */
const WRITE_TIMEOUT_MS = 60_000
/** What calls spent whose records found no room on the disk. */
const MOST_SAVED = 100_000
const NO_CHARGES: readonly SpooledCharge[] = []

interface Part {
  readonly from: number
  readonly to: number
  readonly rows: readonly StoredRow[]
}

/** Brings one spool into the store, batch by batch, however often that takes. */
export class SpoolFlusher {
  readonly #options: SpoolFlusherOptions
  #hasBegun = false
  #isBusy = false
  #stored = 0
  /** End of the batch that was being stored when the last process died. */
  #planned: number | undefined
  /** Read, not put in a batch yet. */
  #rows: StoredRow[] = []
  #bytes = 0
  #firstAt = 0
  #readTo = 0
  /** There was nothing more to read. */
  #isAtEnd = false
  /** Batches on their way, the first one first: more than one after one was cut in halves. */
  #parts: Part[] = []
  #failures = 0
  #retryAt = 0
  /** What rows before say of budgets was added. */
  #counted = 0
  /** What rows said of budgets that were dropped themselves. */
  #saved: SpooledCharge[] = []

  constructor(options: SpoolFlusherOptions) {
    this.#options = options
  }

  /** Rows before are stored, or were set aside. */
  get stored(): number {
    return this.#stored
  }

  /** As `stored`, with what is no row behind it. */
  get settled(): number {
    return this.isDone ? Math.max(this.#stored, this.#readTo) : this.#stored
  }

  /** In a row. */
  get failures(): number {
    return this.#failures
  }

  /** All that the spool has now is stored. */
  get isDone(): boolean {
    return this.#isAtEnd && this.#parts.length === 0 && this.#rows.length === 0 && !this.#isBusy
  }

  /** Microseconds since 1970 of the oldest row that is read and not stored. */
  get oldest(): number | undefined {
    return (this.#parts[0]?.rows[0] ?? this.#rows[0])?.row.time
  }

  /**
   * Reads on, and stores what is due. Called again and again.
   * @param isPressed what is here should be stored now
   */
  tick(isPressed: boolean): void {
    if (this.#hasBegun) this.#read()
    if (this.#isBusy || this.#options.monotonicMs() < this.#retryAt || !this.#isDue(isPressed)) return
    this.#isBusy = true
    this.#step()
      .then(
        () => {
          this.#failures = 0
        },
        (thrown: unknown) => {
          this.#failures++
          const pause = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (this.#failures - 1))
          // Several processes should not come back at the same moment.
          this.#retryAt = this.#options.monotonicMs() + pause * (0.75 + Math.random() / 4)
          this.#options.onFailure(thrown, this.#failures)
        },
      )
      .finally(() => {
        this.#isBusy = false
      })
  }

  /** What could not be done is tried again at once. */
  retry(): void {
    this.#retryAt = 0
  }

  /** Makes room: leaves out the oldest rows that are not read yet, but for what was spent. @returns what was lost */
  discard(bytes: number): RowCounts {
    // Without the store nobody knows how much of it is stored: it counts as lost.
    if (!this.#hasBegun) this.#options.reader.begin(0)
    const isHoldingRows = this.#rows.length > 0 || this.#parts.length > 0
    const save = (row: StoredRow): void => {
      if (this.#saved.length < MOST_SAVED) this.#saved.push(...this.#chargesOf(row))
    }
    const lost = this.#options.reader.discard(bytes, isHoldingRows ? this.#stored : undefined, save)
    this.#readTo = this.#options.reader.position
    // It ended where there is nothing any more.
    this.#planned = undefined
    return lost
  }

  #isDue(isPressed: boolean): boolean {
    if (!this.#hasBegun || this.#parts.length > 0) return true
    if (this.#rows.length === 0) return false
    return isPressed || this.#isFull() || this.#options.monotonicMs() - this.#firstAt >= MAX_WAIT_MS
  }

  #isFull(): boolean {
    return this.#rows.length >= MAX_BATCH_ROWS || this.#bytes >= MAX_BATCH_BYTES || this.#isPlanComplete()
  }

  #isPlanComplete(): boolean {
    return this.#planned !== undefined && this.#readTo >= this.#planned
  }

  #read(): void {
    const { reader, monotonicMs } = this.#options
    this.#isAtEnd = false
    while (!this.#isFull()) {
      const row = reader.next(this.#planned ?? Number.POSITIVE_INFINITY)
      this.#readTo = reader.position
      if (row === undefined) {
        if (!this.#isPlanComplete()) this.#isAtEnd = true
        // Nothing of what was planned is there any more.
        else if (this.#rows.length === 0) this.#planned = undefined
        return
      }
      if (this.#rows.length === 0) this.#firstAt = monotonicMs()
      this.#rows.push(row)
      this.#bytes += bytesOf(row)
    }
  }

  async #step(): Promise<void> {
    const { path, id, reader } = this.#options
    const writer = this.#options.writer()
    if (!this.#hasBegun) {
      this.#stored = reader.begin(await withDeadline(writer.position(id)))
      const plan = path === undefined ? undefined : readPlan(path)
      this.#planned = plan?.from === this.#stored ? plan.to : undefined
      this.#hasBegun = true
      return
    }
    if (this.#parts.length === 0) {
      this.#parts.push({ from: this.#stored, to: this.#readTo, rows: this.#rows })
      this.#rows = []
      this.#bytes = 0
      this.#planned = undefined
    }
    for (let part = this.#parts[0]; part !== undefined; part = this.#parts[0]) {
      await this.#store(writer, part)
    }
  }

  async #store(writer: RecordWriter, part: Part): Promise<void> {
    const { id, path, onStored } = this.#options
    const { from, to, rows } = part
    const batch = toBatch(id, from, to, rows)
    if (path !== undefined) writePlan(path, { from, to })
    await this.#count(part)
    try {
      await withDeadline(writer.write(batch))
    } catch (thrown) {
      if (!(thrown instanceof BatchRefused) || rows.length === 0) throw thrown
      this.#parts.splice(0, 1, ...this.#without(part, thrown))
      return
    }
    this.#parts.shift()
    this.#stored = to
    onStored(to, batch)
  }

  /** Adds what rows say of budgets, also rows that no store takes. */
  async #count({ to, rows }: Part): Promise<void> {
    if (to <= this.#counted) return
    const saved = this.#saved.filter(({ position }) => position < to)
    const charges = [...saved, ...rows.flatMap((row) => this.#chargesOf(row))]
    if (charges.length > 0) await withDeadline(this.#options.count({ spool: this.#options.id, to, charges }))
    this.#counted = to
    this.#saved = this.#saved.filter(({ position }) => position >= to)
  }

  #chargesOf(stored: StoredRow): readonly SpooledCharge[] {
    if (stored.kind !== 'record' || stored.row.charges === undefined) return NO_CHARGES
    const { position, row } = stored
    const { workspaceId, time, totalUs } = row
    const sound = stored.row.charges.filter(isSoundCharge)
    if (sound.length < stored.row.charges.length) this.#options.onUnsound(stored)
    return sound.map((charge) => ({ position, workspaceId, endedUs: time + totalUs, charge }))
  }

  /** What is stored in the place of a part that was refused: its halves, or nothing for the one row that is at fault. */
  #without({ from, to, rows }: Part, refusal: BatchRefused): readonly Part[] {
    const [first] = rows
    if (first !== undefined && rows.length === 1) {
      const { position, kind, row } = first
      this.#options.quarantine.add({ spool: this.#options.id, position, kind, reason: refusal.message, row })
      this.#options.onPoison(refusal)
      return [{ from, to, rows: [] }]
    }
    const middle = rows.length >> 1
    const cut = rows[middle]?.position ?? to
    return [
      { from, to: cut, rows: rows.slice(0, middle) },
      { from: cut, to, rows: rows.slice(middle) },
    ]
  }
}

const withDeadline = <T>(work: Promise<T>): Promise<T> =>
  within(work, WRITE_TIMEOUT_MS, () => new Error('the store of records did not answer in time'))
