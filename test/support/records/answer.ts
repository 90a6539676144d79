import type { CallRecord, FeedbackRecord } from '../../../src/core/records.ts'
import { storedValue } from '../../../src/records/columns.ts'
import {
  type AnswerRow,
  type Condition,
  FEEDBACK_COLUMNS,
  type FeedbackColumn,
  type Group,
  type Measure,
  type Question,
  type QuestionAnswer,
  type RecordColumn,
  type RecordFilter,
  type Scalar,
} from '../../../src/records/question.ts'

/** What a question is asked about: a record, or a row of feedback with one of the calls of its trace. */
export interface Row {
  readonly call?: CallRecord | undefined
  readonly feedback?: FeedbackRecord | undefined
  /** Mean weighted feedback of the trace. */
  readonly weightedFeedback?: number | undefined
}

const feedbackValue = (feedback: FeedbackRecord, column: FeedbackColumn): Scalar =>
  column === 'weighted' ? feedback.value * feedback.weight : feedback[column]

const isFeedbackColumn = (column: RecordColumn | FeedbackColumn): column is FeedbackColumn =>
  FEEDBACK_COLUMNS.some((each) => each === column)

const columnOf = (row: Row, column: RecordColumn | FeedbackColumn): Scalar => {
  if (row.feedback !== undefined && isFeedbackColumn(column)) return feedbackValue(row.feedback, column)
  if (column === 'weighted') return row.weightedFeedback ?? null
  return row.call === undefined ? null : ((storedValue(row.call, column as RecordColumn) ?? null) as Scalar)
}

const metadataOf = (row: Row, key: string): string | null => {
  const metadata = row.call?.metadata
  return metadata !== undefined && Object.hasOwn(metadata, key) ? (metadata[key] ?? null) : null
}

const between = (value: Scalar | undefined, { min, max }: { readonly min?: number; readonly max?: number }): boolean =>
  typeof value === 'number' && (min === undefined || value >= min) && (max === undefined || value <= max)

export const fits = (row: Row, condition: Condition): boolean => {
  if ('any' in condition) return condition.any.some((each) => fits(row, each))
  if ('weightedFeedback' in condition) return between(row.weightedFeedback, condition.weightedFeedback)
  if ('hasMetadata' in condition) return metadataOf(row, condition.hasMetadata) !== null
  if ('models' in condition) {
    return condition.models.some(([provider, model]) => row.call?.provider === provider && row.call.model === model)
  }
  if ('metadata' in condition) return condition.in.some((value) => value === metadataOf(row, condition.metadata))
  const value = columnOf(row, condition.column)
  if ('in' in condition) return condition.in.includes(value)
  if ('notIn' in condition) return !condition.notIn.includes(value)
  return between(value, condition)
}

export const asksForKind = (condition: Condition): boolean =>
  'any' in condition ? condition.any.some(asksForKind) : 'column' in condition && condition.column === 'kind'

/** Whether a row is in a filter. Time and workspace are those of the feedback, where it is about feedback. */
export const isIn = (row: Row, filter: RecordFilter): boolean => {
  const { organisationId, workspaceId, time } = row.feedback ?? row.call ?? { time: -1 }
  return (
    organisationId === filter.organisationId &&
    (filter.workspaceIds?.includes(workspaceId ?? '') ?? true) &&
    time >= filter.from &&
    time < filter.to &&
    (row.feedback !== undefined || row.call?.kind !== 'attempt' || filter.where.some(asksForKind)) &&
    filter.where.every((condition) => fits(row, condition))
  )
}

const groupOf = (row: Row, group: Group): Scalar => {
  if ('metadata' in group) return metadataOf(row, group.metadata)
  if ('column' in group) return columnOf(row, group.column)
  const time = Number(columnOf(row, 'time'))
  return time - (time % group.bucket)
}

const known = (rows: readonly Row[], column: RecordColumn | FeedbackColumn): Scalar[] =>
  rows.map((row) => columnOf(row, column)).filter((value) => value !== null)

const sum = (values: readonly Scalar[]): number => values.reduce<number>((all, value) => all + Number(value), 0)

/** A row of feedback is there once for each call of its trace, and counts once. */
const once = (rows: readonly Row[]): readonly Row[] => {
  if (rows[0]?.feedback === undefined) return rows
  return [...new Map(rows.map((row) => [row.feedback?.id, row])).values()]
}

const measure = (all: readonly Row[], asked: Measure): Scalar => {
  const rows = once(all.filter((row) => asked.where?.every((condition) => fits(row, condition)) ?? true))
  if ('count' in asked) return rows.length
  if ('sum' in asked) return sum(known(rows, asked.sum))
  if ('uniq' in asked) return new Set(known(rows, asked.uniq)).size
  if ('uniqMetadata' in asked) {
    return new Set(rows.map((row) => metadataOf(row, asked.uniqMetadata)).filter((value) => value !== null)).size
  }
  const column = 'avg' in asked ? asked.avg : 'min' in asked ? asked.min : 'max' in asked ? asked.max : asked.quantile
  const values = known(rows, column).map(Number)
  if (values.length === 0) return null
  if ('avg' in asked) return sum(values) / values.length
  values.sort((one, other) => one - other)
  if ('min' in asked) return values[0] ?? null
  if ('max' in asked) return values.at(-1) ?? null
  return values[Math.max(0, Math.ceil(asked.at * values.length) - 1)] ?? null
}

const compare = (one: Scalar, other: Scalar): number => {
  if (one === other) return 0
  if (one === null) return -1
  if (other === null) return 1
  return one < other ? -1 : 1
}

/** The answer to a question by going through all rows. */
export const answer = (question: Question, all: readonly Row[]): QuestionAnswer => {
  const groups = new Map<string, { readonly keys: Record<string, Scalar>; readonly rows: Row[] }>()
  if (question.groups.length === 0) groups.set('[]', { keys: {}, rows: [] })
  for (const row of all) {
    if (!isIn(row, question.filter)) continue
    const values = question.groups.map((group) => groupOf(row, group))
    const name = JSON.stringify(values)
    const keys = Object.fromEntries(question.groups.map(({ as }, index) => [as, values[index] ?? null]))
    const group = groups.get(name) ?? { keys, rows: [] }
    groups.set(name, group)
    group.rows.push(row)
  }
  const rows: AnswerRow[] = [...groups.values()].map(({ keys, rows }) => ({
    ...keys,
    ...Object.fromEntries(question.measures.map((each) => [each.as, measure(rows, each)])),
  }))
  const order = [...(question.order ?? []), ...question.groups.map(({ as }) => ({ by: as, desc: false }))]
  rows.sort((one, other) => {
    for (const { by, desc } of order) {
      const difference = compare(one[by] ?? null, other[by] ?? null)
      if (difference !== 0) return desc ? -difference : difference
    }
    return 0
  })
  const offset = question.offset ?? 0
  return {
    rows: rows.slice(offset, question.limit === undefined ? undefined : offset + question.limit),
    ...(question.total && { total: rows.length }),
  }
}
