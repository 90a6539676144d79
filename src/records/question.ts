import type { CallRecord } from '../core/records.ts'

/**
 * A question about records, as data: one compiler makes SQL of it in each dialect, a plain fold in the tests answers it too.
 * Times are microseconds since 1970, money 10⁻¹² dollars.
 */

/** Columns of records that can be asked for by name; the same names, in snake case, in each store. */
export type RecordColumn =
  | Exclude<
      keyof CallRecord,
      'metadata' | 'units' | 'cost' | 'charges' | 'refusedBy' | 'shadowRefusals' | 'droppedParams' | 'hookResults'
    >
  | CostColumn

/** Parts of `CallRecord.cost`, flat. */
export type CostColumn = 'cost' | 'costInput' | 'costOutput' | 'costCache' | 'costOther'

/** Columns of feedback. `weighted` is value × weight. */
export const FEEDBACK_COLUMNS = ['id', 'time', 'workspaceId', 'traceId', 'value', 'weight', 'weighted'] as const
export type FeedbackColumn = (typeof FEEDBACK_COLUMNS)[number]

export type Scalar = string | number | boolean | null

/**
 * A condition on a row. What is absent is null: it is in a list that has null, not in one that has not, and in no range.
 * Flags that only say `true` (`unpriced`, `estimated`, …) are null otherwise.
 */
export type Condition =
  | { readonly column: RecordColumn | FeedbackColumn; readonly in: readonly Scalar[] }
  | { readonly column: RecordColumn | FeedbackColumn; readonly notIn: readonly Scalar[] }
  /** Both ends belong to it. */
  | { readonly column: RecordColumn | FeedbackColumn; readonly min?: number; readonly max?: number }
  | { readonly metadata: string; readonly in: readonly string[] }
  /** Records that have this key, whatever its value. */
  | { readonly hasMetadata: string }
  /** Provider and model together. */
  | { readonly models: readonly (readonly [provider: string, model: string])[] }
  /** Mean weighted feedback of the trace; both ends belong to it. Records without feedback fit no range. */
  | { readonly weightedFeedback: { readonly min?: number; readonly max?: number } }
  | { readonly any: readonly Condition[] }

export interface RecordFilter {
  readonly organisationId: string
  /** Absent: all of the organisation. */
  readonly workspaceIds?: readonly string[] | undefined
  /** From here on, and before there. */
  readonly from: number
  readonly to: number
  /** All of them hold. */
  readonly where: readonly Condition[]
}

export type Group =
  /** Width in microseconds; the value is the beginning of the bucket, aligned to 1970. */
  | { readonly as: string; readonly bucket: number }
  | { readonly as: string; readonly column: RecordColumn | FeedbackColumn }
  | { readonly as: string; readonly metadata: string }

export type Measure = {
  readonly as: string /** Counts only those that fit. */
  readonly where?: readonly Condition[]
} & (
  | { readonly count: true }
  | { readonly sum: RecordColumn | FeedbackColumn }
  | { readonly avg: RecordColumn | FeedbackColumn }
  /** The least and the most of a column of numbers. */
  | { readonly min: RecordColumn | FeedbackColumn }
  | { readonly max: RecordColumn | FeedbackColumn }
  /**
   * The smallest value that a share of at least `at` of all is not above: `at: 0.5` of 1, 2, 3, 4 is 2. A store answers
   * within 1 %, of whole numbers that are not negative.
   */
  | { readonly quantile: RecordColumn; readonly at: number }
  /** How many different values; null is none. */
  | { readonly uniq: RecordColumn | FeedbackColumn }
  | { readonly uniqMetadata: string }
)

/**
 * `calls` are records that count: attempts of calls that were tried more than once are left out, unless a condition of the
 * filter is about `kind`. There `weighted` is the mean weighted feedback of the trace, null without any; other columns of
 * feedback mean nothing.
 * `feedback` rows are the last ones of their ids, by their own time. There columns that only records have, and metadata, are
 * those of the calls of the trace in its workspace: a row counts once for each group of the calls of its trace that fit, and
 * once where there is none. Measures are about columns of feedback.
 */
export interface Question {
  readonly from: 'calls' | 'feedback'
  readonly filter: RecordFilter
  readonly groups: readonly Group[]
  readonly measures: readonly Measure[]
  /**
   * Names of groups or measures. Null comes first, and last with `desc`; texts are in the order of their UTF-16. What is equal
   * by then is in the order of the groups as they stand in `groups`.
   */
  readonly order?: readonly { readonly by: string; readonly desc?: boolean }[]
  readonly limit?: number
  readonly offset?: number
  /** Asks for the number of groups in all as well. */
  readonly total?: boolean
}

/**
 * One for each group, and always one where nothing is grouped: values by their `as`. An average, a quantile, a least or a
 * most of nothing is null, a sum or count zero.
 */
export type AnswerRow = Readonly<Record<string, Scalar>>

export interface QuestionAnswer {
  readonly rows: readonly AnswerRow[]
  readonly total?: number
}
