import { answerRanking, answerSeries } from '../../../src/management/analytics/answer-graph.ts'
import { answerCacheSummary } from '../../../src/management/analytics/answer-summary.ts'
import { RANKINGS, SERIES } from '../../../src/management/analytics/graphs.ts'
import { widthOf } from '../../../src/management/analytics/windows.ts'
import type { Condition, RecordFilter } from '../../../src/records/question.ts'
import type { RecordReader } from '../../../src/records/store.ts'
import { DAY_US, HOUR_US, SAMPLE_ORGANISATION, SAMPLE_WORKSPACES } from '../../support/records/samples.ts'
import { MONTH } from './fill.ts'

export interface Timed {
  readonly name: string
  ask(reader: RecordReader): Promise<unknown>
}

/** Of the workspace with the most records. */
const workspace = { organisationId: SAMPLE_ORGANISATION, workspaceIds: SAMPLE_WORKSPACES.slice(0, 1) }
/** As a console asks: the last thirty days, from some minute on. */
const month: RecordFilter = { ...workspace, from: MONTH.from + 17 * 60_000_000, to: MONTH.to, where: [] }
const ofModel: RecordFilter = { ...month, where: [{ models: [['openai', 'gpt-5.2']] }] }

/** What the analytics routes ask for a month, and some of them with a filter. */
export const graphsOfMonth: readonly Timed[] = [
  ...SERIES.map((series) => ({
    name: series.path,
    ask: (reader: RecordReader) => answerSeries(reader, series, month, widthOf(month, undefined)),
  })),
  ...RANKINGS.map((ranking) => ({
    name: ranking.path,
    ask: (reader: RecordReader) => answerRanking(reader, ranking, month),
  })),
  { name: 'summary/cache', ask: (reader) => answerCacheSummary(reader, month) },
  ...SERIES.filter(({ path }) => ['requests', 'cost', 'latency'].includes(path)).map((series) => ({
    name: `${series.path}, of one model`,
    ask: (reader: RecordReader) => answerSeries(reader, series, ofModel, widthOf(month, undefined)),
  })),
  {
    name: 'requests and cost by model',
    ask: (reader) =>
      reader.ask({
        from: 'calls',
        filter: month,
        groups: [{ as: 'model', column: 'model' }],
        measures: [
          { as: 'requests', count: true },
          { as: 'cost', sum: 'cost' },
          { as: 'p99', quantile: 'totalUs', at: 0.99 },
        ],
      }),
  },
  {
    name: 'requests and cost by user, first 50',
    ask: (reader) =>
      reader.ask({
        from: 'calls',
        filter: month,
        groups: [{ as: 'user', metadata: '_user' }],
        measures: [
          { as: 'requests', count: true },
          { as: 'cost', sum: 'cost' },
        ],
        order: [{ by: 'requests', desc: true }],
        limit: 50,
        total: true,
      }),
  },
]

const day: RecordFilter = {
  ...workspace,
  from: MONTH.from + 20 * DAY_US + HOUR_US / 2,
  to: MONTH.from + 21 * DAY_US + HOUR_US / 2,
  where: [],
}

const RAW: readonly (readonly [name: string, condition: Condition])[] = [
  ['tokens over 1,000', { column: 'totalTokens', min: 1_000 }],
  ['cost over a cent', { column: 'cost', min: 10_000_000_000 }],
  ['a metadata key', { metadata: 'team', in: ['red'] }],
  ['weighted feedback over 2', { weightedFeedback: { min: 2 } }],
  ['a trace', { column: 'traceId', in: ['trace-700'] }],
]

/** Filters that sums do not know, over a day. */
export const rawOfDay: readonly Timed[] = RAW.flatMap(([name, condition]): Timed[] => {
  const filter = { ...day, where: [condition] }
  return [
    {
      name: `a day, ${name}: requests, cost and latency by quarter of an hour`,
      ask: (reader) =>
        reader.ask({
          from: 'calls',
          filter,
          groups: [{ as: 'time', bucket: HOUR_US / 4 }],
          measures: [
            { as: 'requests', count: true },
            { as: 'cost', sum: 'cost' },
            { as: 'p99', quantile: 'totalUs', at: 0.99 },
          ],
        }),
    },
    { name: `a day, ${name}: a page of 50`, ask: (reader) => reader.page(filter, { limit: 50, order: 'newest' }) },
  ]
})
