import type { Scalar } from '../question.ts'

/** SQL with its values: nothing that a caller says stands in the text. */
export interface Statement {
  readonly text: string
  readonly values: readonly Scalar[]
}

/** What differs between the languages of stores. All else is the common part of SQL. */
export interface Dialect {
  /** Stands for a value in the text: `?3`, `$3`, `{p3:Int64}`. @param number from 1 */
  parameter(number: number, value: Scalar): string
  /** The text at a key of a column with metadata; null where it has none. @param parameter stands for the key */
  metadata(column: string, parameter: string, key: string): string
  /** Logarithm to base 2. @param value is positive, and an integer */
  log2(value: string): string
  /** A number, rounded up, as an integer. */
  ceiling(value: string): string
}

/** Where a store has its rows. Each is the name of a table or view, or a query in brackets. */
export interface Sources {
  /** Records, by the names of `columns.ts`. */
  readonly calls: string
  /** The last rows of feedback: id, time, organisation_id, workspace_id, trace_id, value, weight. */
  readonly feedback: string
  /**
   * Rollups: facet, value (of a facet of metadata), width, bucket (its beginning), organisation_id, workspace_id, the
   * dimensions, calls (how many), first_time, last_time, for each sum `sum_…` and `known_…` (how many had it), for each
   * histogram `histogram_…`, packed. The same series may have several rows: they are added up.
   */
  readonly rollups: string
}
