import type { Question, RecordFilter } from '../question.ts'
import type { Arrival, Cursor, RecordReader, RetentionRules } from '../store.ts'

/** What the reader asks of its worker. */
export type Request =
  | { readonly do: 'ask'; readonly question: Question }
  | { readonly do: 'find'; readonly organisationId: string; readonly callId: string }
  | {
      readonly do: 'page'
      readonly filter: RecordFilter
      readonly options: {
        readonly limit: number
        readonly after?: Cursor | undefined
        readonly order: 'newest' | 'oldest'
      }
    }
  | { readonly do: 'bodies'; readonly records: readonly { readonly id: string; readonly time: number }[] }
  | { readonly do: 'arrivals'; readonly since: Arrival | undefined; readonly limit: number }
  | { readonly do: 'feedback'; readonly organisationId: string; readonly id: string }
  | { readonly do: 'size' }

/** What a request is answered with. */
export type Result = Awaited<ReturnType<RecordReader[Request['do']]>>

export interface ToWorker {
  readonly id: number
  readonly request: Request
  /** From then on nobody waits for it: milliseconds since 1970. */
  readonly deadlineMs: number
  readonly nowMs: number
  readonly rules: RetentionRules
}

export type FromWorker =
  | { readonly id: number; readonly result: Result }
  /** What went wrong, for the operator. */
  | { readonly id: number; readonly failure: string }
  /** To be said aloud. */
  | { readonly warning: string }

/** The first message to a worker. */
export interface Opening {
  readonly folder: string
}
