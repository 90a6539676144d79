import type { AnswerRow, Measure, Question, RecordFilter } from '../../records/question.ts'
import type { RecordReader } from '../../records/store.ts'
import { numberOf, valuesOf } from './fields.ts'
import type { Ranking, Series } from './graphs.ts'
import { toIsoTime } from './units.ts'
import { bucketsOf } from './windows.ts'

type Reader = Pick<RecordReader, 'ask'>
type Point = Readonly<Record<string, unknown>>

export interface GraphAnswer {
  readonly summary: Point
  readonly data_points: readonly Point[]
  readonly object: 'analytics-graph'
}

/** A ranking has no more points than this. */
const MAX_RANKS = 1_000

/**
 * Asks once, where the window is the sum of its buckets; twice where it is not, as for percentiles.
 * @param width of a bucket, in microseconds
 * @throws StoreUnavailable
 */
export const answerSeries = async (
  reader: Reader,
  series: Series,
  filter: RecordFilter,
  width: number,
): Promise<GraphAnswer> => {
  const { measures, groups = [] } = series
  const question = questionOf(series, filter)
  const bucket = { as: 'bucket', bucket: width }
  const order = [bucket, ...groups].map(({ as }) => ({ by: as }))
  const [points, window] = await Promise.all([
    reader.ask({ ...question, groups: [bucket, ...groups], order }),
    isSum(measures) ? undefined : reader.ask({ ...question, groups: [] }),
  ])
  const rowsOf = Map.groupBy(points.rows, (row) => numberOf(row, 'bucket'))
  let soFar: AnswerRow = {}
  const dataPoints = bucketsOf(filter, width).map((start) => {
    const rows = rowsOf.get(start) ?? []
    const row = groups.length === 0 ? (rows[0] ?? {}) : sumOf(measures, rows)
    soFar = sumOf(measures, [soFar, row])
    return { timestamp: toIsoTime(start), ...valuesOf(series.point, { row, rows, soFar }) }
  })
  const row = window === undefined ? soFar : (window.rows[0] ?? {})
  return {
    summary: valuesOf(series.summary, { row, rows: [], soFar }),
    data_points: dataPoints,
    object: 'analytics-graph',
  }
}

/** @throws StoreUnavailable */
export const answerRanking = async (reader: Reader, ranking: Ranking, filter: RecordFilter): Promise<GraphAnswer> => {
  const { groups, order, measures, point, summary } = ranking
  const { rows } = await reader.ask({ ...questionOf(ranking, filter), groups, order, limit: MAX_RANKS })
  const row = { ...sumOf(measures, rows), groups: rows.length }
  return {
    summary: valuesOf(summary, { row, rows, soFar: row }),
    data_points: rows.map((each) => valuesOf(point, { row: each, rows: [], soFar: each })),
    object: 'analytics-graph',
  }
}

const questionOf = (
  { from = 'calls', where = [], measures }: Pick<Series, 'from' | 'where' | 'measures'>,
  filter: RecordFilter,
): Pick<Question, 'from' | 'filter' | 'measures'> => ({
  from,
  filter: { ...filter, where: [...filter.where, ...where] },
  measures,
})

/** Whether a measure of a whole is the sum of those of its parts. */
const adds = (measure: Measure): boolean => 'count' in measure || 'sum' in measure
const isSum = (measures: readonly Measure[]): boolean => measures.every(adds)

const sumOf = (measures: readonly Measure[], rows: readonly AnswerRow[]): AnswerRow =>
  Object.fromEntries(measures.filter(adds).map(({ as }) => [as, rows.reduce((sum, row) => sum + numberOf(row, as), 0)]))
