import { Type as t } from '@sinclair/typebox'
import type { AnswerRow, RecordFilter } from '../../records/question.ts'
import type { RecordReader } from '../../records/store.ts'
import { DateTime, nullable } from '../fields.ts'
import type { GraphAnswer } from './answer-graph.ts'
import { cents, type Fields, numberOf, valuesOf, whole } from './fields.ts'
import * as the from './measures.ts'
import { toCents, toIsoTime } from './units.ts'
import { bucketsOf } from './windows.ts'

/** Values of the key that get a line of their own: the dearest ones. */
const MAX_LINES = 20

const SUMMARY: Fields = { total: cents('cost'), unpriced_requests: whole('unpriced') }

export const COST_BY_METADATA = {
  summary: SUMMARY,
  point: t.Object({
    timestamp: DateTime,
    total: t.Number(),
    stats: t.Array(
      t.Object({
        metadata_value: nullable(t.String({ description: `One of the ${MAX_LINES} dearest; null: the others.` })),
        total: t.Number({ description: 'US cents, with fractions.' }),
      }),
    ),
  }),
}

/**
 * The cost of the records that have the key, over time: that of its dearest values, and of the others together.
 * @param width of a bucket, in microseconds
 * @throws StoreUnavailable
 */
export const answerCostByMetadata = async (
  reader: Pick<RecordReader, 'ask'>,
  metadataKey: string,
  filter: RecordFilter,
  width: number,
): Promise<GraphAnswer> => {
  const where = [...filter.where, { hasMetadata: metadataKey }]
  const value = { as: 'value', metadata: metadataKey }
  const bucket = { as: 'bucket', bucket: width }
  const measures = [the.cost, the.unpriced]
  const all = { from: 'calls', filter: { ...filter, where }, measures } as const
  const [dearest, totals] = await Promise.all([
    reader.ask({ ...all, groups: [value], order: [{ by: 'cost', desc: true }, { by: 'value' }], limit: MAX_LINES }),
    reader.ask({ ...all, groups: [bucket] }),
  ])
  const lines = dearest.rows.map((row) => String(row.value))
  const ofLines = { ...filter, where: [...where, { metadata: metadataKey, in: lines }] }
  const { rows } =
    lines.length === 0
      ? { rows: [] }
      : await reader.ask({ from: 'calls', filter: ofLines, groups: [bucket, value], measures: [the.cost] })
  const rowsOf = Map.groupBy(rows, (row) => numberOf(row, 'bucket'))
  const totalOf = new Map(totals.rows.map((row) => [numberOf(row, 'bucket'), row]))
  const row = { cost: sum(totals.rows, 'cost'), unpriced: sum(totals.rows, 'unpriced') }
  return {
    summary: valuesOf(SUMMARY, { row, rows: [], soFar: row }),
    data_points: bucketsOf(filter, width).map((start) => {
      const costs = new Map((rowsOf.get(start) ?? []).map((each) => [String(each.value), numberOf(each, 'cost')]))
      const total = numberOf(totalOf.get(start) ?? {}, 'cost')
      const rest = total - [...costs.values()].reduce((all, each) => all + each, 0)
      const stats = lines.map((line) => ({
        metadata_value: line as string | null,
        total: toCents(costs.get(line) ?? 0),
      }))
      if (lines.length === MAX_LINES) stats.push({ metadata_value: null, total: toCents(rest) })
      return { timestamp: toIsoTime(start), total: toCents(total), stats }
    }),
    object: 'analytics-graph',
  }
}

const sum = (rows: readonly AnswerRow[], measure: string): number =>
  rows.reduce((total, row) => total + numberOf(row, measure), 0)
