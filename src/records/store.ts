import type { CallRecord, FeedbackRecord, SealedBodies } from '../core/records.ts'
import type { Question, QuestionAnswer, RecordFilter } from './question.ts'

/** What a store keeps, with its place in the spool: it is stored once, however often it is handed in. */
export interface RecordBatch {
  /** Id of the spool's folder. */
  readonly spool: string
  /** Positions in it, increasing over its life: from here on, and before there. The same batch again has the same two. */
  readonly from: number
  readonly to: number
  readonly records: readonly Placed<CallRecord>[]
  readonly bodies: readonly Placed<SealedBodies>[]
  readonly feedback: readonly Placed<FeedbackRecord>[]
}

export interface Placed<Row> {
  readonly position: number
  readonly row: Row
}

/** A row that the store will never take. The batch was not stored; the flusher finds the row by halves and sets it aside. */
export class BatchRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BatchRefused'
  }
}

/** Days that rows of a workspace are kept. */
export interface Retention {
  readonly days: number
  readonly bodyDays: number
}

export interface RetentionRules {
  readonly fallback: Retention
  readonly workspaces: ReadonlyMap<string, Retention>
}

/** The writing end of a store, in the worker of the spool. */
export interface RecordWriter {
  /**
   * Rows, their rollups and the position of the spool, in one transaction: exactly once.
   * @throws BatchRefused for what it will never take; anything else is tried again
   */
  write(batch: RecordBatch): Promise<void>
  /** Up to where a spool is stored. 0 for one that is not known. */
  position(spool: string): Promise<number>
  /** Metadata keys that workspaces declared: their sums are kept ready too. */
  declare(keys: ReadonlyMap<string, readonly string[]>): void
  /** Removes what is past its retention. */
  expire(nowMs: number, rules: RetentionRules): Promise<void>
  close(): Promise<void>
}

/** A place in the order (time, id). */
export interface Cursor {
  readonly time: number
  readonly id: string
}

export interface RecordPage {
  readonly records: readonly CallRecord[]
  /** Absent: that was all. */
  readonly next?: Cursor | undefined
}

/** How far a listener has seen what arrives. Its text is the store's own. */
export type Arrival = string

/** The reading end of a store. Rejects with `StoreUnavailable` when it cannot be asked, or takes too long. */
export interface RecordReader {
  ask(question: Question): Promise<QuestionAnswer>
  /** The records of a call, its own first, then its attempts in order. Empty for one of another organisation. */
  find(organisationId: string, callId: string): Promise<readonly CallRecord[]>
  /** The newest first, or the oldest; those behind `after`. Only records that count. */
  page(
    filter: RecordFilter,
    options: { readonly limit: number; readonly after?: Cursor | undefined; readonly order: 'newest' | 'oldest' },
  ): Promise<RecordPage>
  /** Those that there are, in no order. */
  bodies(records: readonly Pick<CallRecord, 'id' | 'time'>[]): Promise<readonly SealedBodies[]>
  /** Records in the order in which they came in, of all processes. Without `since`: none, and where the end is now. */
  arrivals(
    since: Arrival | undefined,
    limit: number,
  ): Promise<{ readonly records: readonly CallRecord[]; readonly at: Arrival }>
  /** The last row of an id. */
  feedback(organisationId: string, id: string): Promise<FeedbackRecord | undefined>
  /** Bytes on disk, where that is known. */
  size(): Promise<number | undefined>
  close(): Promise<void>
}
