import type { Condition, Group, Question, RecordFilter } from '../question.ts'
import { CALL_FACETS, dimensionsOf, HISTOGRAMS, OWNER_COLUMNS, SUMS, widthsOf } from '../rollups/facets.ts'
import { asksForKind, flatConditions } from './conditions.ts'
import type { AnyColumn, Part } from './parts.ts'

/** A stretch of time, and what it is answered from: records, or sums of this width (in microseconds). */
export interface Piece {
  readonly from: number
  readonly to: number
  readonly width?: number
}

/** Metadata keys that have sums. */
export type HasFacet = (key: string) => boolean

/** Whether a column is in a list of columns. */
const isIn = (columns: readonly string[], column: AnyColumn): boolean => columns.includes(column)

/** Metadata keys of a question. */
const keysOf = (question: Question, conditions: readonly Exclude<Condition, { readonly any: unknown }>[]): string[] => [
  ...question.groups.flatMap((group) => ('metadata' in group ? [group.metadata] : [])),
  ...conditions.flatMap((condition) =>
    'metadata' in condition ? [condition.metadata] : 'hasMetadata' in condition ? [condition.hasMetadata] : [],
  ),
]

const conditionFits = (
  condition: Exclude<Condition, { readonly any: unknown }>,
  columns: readonly string[],
): boolean => {
  if ('column' in condition) return isIn(columns, condition.column)
  if ('models' in condition) return isIn(columns, 'provider')
  return !('weightedFeedback' in condition)
}

const partFits = (part: Part, columns: readonly string[]): boolean => {
  switch (part.of) {
    case 'count':
      return true
    case 'sum':
    case 'known':
      return isIn(SUMS, part.column)
    case 'min':
    case 'max':
      return part.column === 'time'
    case 'histogram':
      return isIn(HISTOGRAMS, part.column)
    case 'values':
      return 'metadata' in part || isIn(columns, part.column)
  }
}

const groupFits = (group: Group, columns: readonly string[]): boolean =>
  !('column' in group) || isIn(columns, group.column)

/** The facet that has all that a question needs, the one with the fewest rows; undefined where only records have it. */
export const facetFor = (question: Question, parts: readonly Part[], hasFacet: HasFacet): string | undefined => {
  if (question.from !== 'calls' || asksForKind(question.filter.where)) return undefined
  const conditions = flatConditions([...question.filter.where, ...parts.flatMap(({ where }) => where)])
  const keys = new Set([
    ...keysOf(question, conditions),
    ...parts.flatMap((part) => ('metadata' in part ? [part.metadata] : [])),
  ])
  const [key] = keys
  if (keys.size > 1 || (key !== undefined && !hasFacet(key))) return undefined
  return (key === undefined ? CALL_FACETS : [key]).find((facet) => {
    const columns = [...OWNER_COLUMNS, ...dimensionsOf(facet)]
    return (
      question.groups.every((group) => groupFits(group, columns)) &&
      conditions.every((condition) => conditionFits(condition, columns)) &&
      parts.every((part) => partFits(part, columns))
    )
  })
}

/** Splits a range: the widest sums where they fit whole, narrower ones beside them, records at the edges. */
export const cut = (range: Pick<RecordFilter, 'from' | 'to'>, widths: readonly number[]): Piece[] => {
  const { from, to } = range
  if (from >= to) return []
  const [width, ...narrower] = widths
  if (width === undefined) return [{ from, to }]
  const first = Math.ceil(from / width) * width
  const last = Math.floor(to / width) * width
  if (first >= last) return cut(range, narrower)
  return [...cut({ from, to: first }, narrower), { from: first, to: last, width }, ...cut({ from: last, to }, narrower)]
}

/** Widths of the sums that can answer a question from a facet: buckets of the answer are whole numbers of them. */
export const fittingWidths = (question: Question, facet: string): readonly number[] =>
  widthsOf(facet).filter((width) =>
    question.groups.every((group) => !('bucket' in group) || group.bucket % width === 0),
  )
