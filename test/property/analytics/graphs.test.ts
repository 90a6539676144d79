import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { CallRecord } from '../../../src/core/records.ts'
import { answerCostByMetadata } from '../../../src/management/analytics/answer-cost.ts'
import { answerRanking, answerSeries, type GraphAnswer } from '../../../src/management/analytics/answer-graph.ts'
import { answerGroups } from '../../../src/management/analytics/answer-groups.ts'
import { RANKINGS, SERIES } from '../../../src/management/analytics/graphs.ts'
import { GROUP_TABLES, metadataTable } from '../../../src/management/analytics/groups.ts'
import type { GroupQuery } from '../../../src/management/analytics/query.ts'
import { INTERVALS, widthOf } from '../../../src/management/analytics/windows.ts'
import { createFold } from '../../support/records/fold.ts'
import { batchOf, DAY_US, SAMPLE_ORGANISATION, SAMPLE_START, sampleRecords } from '../../support/records/samples.ts'

/** A picodollar is this much of a cent; sums of cents may be off by their rounding, never by a hundredth of it. */
const CENT = 10_000_000_000
const EXACT = 1e-8

const windows = fc
  .record({
    seed: fc.integer({ min: 1, max: 1_000 }),
    count: fc.integer({ min: 0, max: 400 }),
    from: fc.integer({ min: -DAY_US, max: 3 * DAY_US }),
    length: fc.integer({ min: 1, max: 3 * DAY_US }),
    interval: fc.constantFrom(undefined, ...INTERVALS.filter((each) => each !== '1m')),
  })
  .map(({ from, length, ...rest }) => ({ ...rest, from: SAMPLE_START + from, to: SAMPLE_START + from + length }))

type Window = typeof windows extends fc.Arbitrary<infer Value> ? Value : never

/** A store with records, those of the window that count, and what asks for a graph of them. */
const open = async ({ seed, count, from, to, interval }: Window) => {
  const fold = createFold()
  const records = sampleRecords(count, seed)
  await fold.write(batchOf({ records }))
  const filter = { organisationId: SAMPLE_ORGANISATION, from, to, where: [] }
  const counted = records.filter(
    ({ organisationId, kind, time }) =>
      organisationId === SAMPLE_ORGANISATION && kind !== 'attempt' && time >= from && time < to,
  )
  const graph = async (path: string): Promise<GraphAnswer> => {
    const series = SERIES.find((each) => each.path === path)
    if (series !== undefined) return answerSeries(fold, series, filter, widthOf({ from, to }, interval))
    const ranking = RANKINGS.find((each) => each.path === path)
    if (ranking === undefined) throw new Error(`there is no graph ${path}`)
    return answerRanking(fold, ranking, filter)
  }
  return { fold, filter, counted, graph, width: widthOf({ from, to }, interval) }
}

const sum = (records: readonly CallRecord[], of: (record: CallRecord) => number | undefined): number =>
  records.reduce((total, record) => total + (of(record) ?? 0), 0)
const sumOf = ({ data_points: points }: GraphAnswer, field: string): number =>
  points.reduce((total, point) => total + Number(point[field]), 0)

test('summaries and points of every graph that adds up are the sum over the records', async () => {
  await fc.assert(
    fc.asyncProperty(windows, async (window) => {
      const { counted, graph } = await open(window)
      const requests = await graph('requests')
      expect(requests.summary).toEqual({ total: counted.length })
      expect(sumOf(requests, 'total')).toBe(counted.length)

      const tokens = await graph('tokens')
      expect(tokens.summary.total).toBe(sum(counted, ({ totalTokens }) => totalTokens))
      expect(sumOf(tokens, 'total')).toBe(Number(tokens.summary.total))

      const failed = counted.filter(({ success }) => !success)
      for (const path of ['errors', 'errors/stacks'])
        expect((await graph(path)).summary).toEqual({ total: failed.length })
      expect(sumOf(await graph('errors'), 'total')).toBe(failed.length)
      const codes = await graph('errors/status-codes')
      const unique = new Set(failed.map(({ status }) => status)).size
      expect(codes.summary).toEqual({ total_errors: failed.length, unique_error_codes: unique })
      expect(sumOf(codes, 'count')).toBe(failed.length)

      const rescued = await graph('requests/rescued')
      const saved = counted.filter(({ success, retries, fallback }) => success && (fallback || retries > 0))
      expect(Number(rescued.summary.retry) + Number(rescued.summary.fallback)).toBe(saved.length)
      expect(rescued.summary.fallback).toBe(saved.filter(({ fallback }) => fallback).length)
    }),
    { numRuns: 25 },
  )
})

test('costs are those of the records, exactly; what has no price is counted beside them', async () => {
  await fc.assert(
    fc.asyncProperty(windows, async (window) => {
      const { fold, filter, counted, graph, width } = await open(window)
      const picodollars = sum(counted, ({ cost }) => cost?.total)
      const unpriced = counted.filter((record) => record.unpriced === true).length
      const cost = await graph('cost')
      expect(cost.summary).toMatchObject({ total: picodollars / CENT, unpriced_requests: unpriced })
      expect(Math.abs(sumOf(cost, 'total') - picodollars / CENT)).toBeLessThan(EXACT)

      const saved = counted.filter(({ cacheStatus }) => cacheStatus === 'HIT')
      const hits = await graph('cache/hit-rate')
      const last = hits.data_points.at(-1)
      expect(last?.cumulative_simple_cache_savings).toBe(sum(saved, ({ savedCost }) => savedCost) / CENT)

      const teams = counted.filter(({ metadata }) => metadata.team !== undefined)
      const byTeam = await answerCostByMetadata(fold, 'team', filter, width)
      expect(byTeam.summary.total).toBe(sum(teams, (record) => record.cost?.total) / CENT)
      const lines = byTeam.data_points.flatMap(({ stats }) => stats as readonly { readonly total: number }[])
      expect(
        Math.abs(lines.reduce((total, line) => total + line.total, 0) - Number(byTeam.summary.total)),
      ).toBeLessThan(EXACT)
    }),
    { numRuns: 25 },
  )
})

test('the pages of every group together are all of its records, each once', async () => {
  await fc.assert(
    fc.asyncProperty(windows, fc.integer({ min: 1, max: 7 }), async (window, pageSize) => {
      const { fold, filter, counted } = await open(window)
      for (const table of [...GROUP_TABLES, metadataTable('team')]) {
        const rows: Readonly<Record<string, unknown>>[] = []
        for (let page = 0; ; page++) {
          const query = { current_page: page, page_size: pageSize } as GroupQuery
          const { data, total } = await answerGroups(fold, table, filter, query)
          rows.push(...data)
          if (data.length < pageSize) {
            expect(total).toBe(rows.length)
            break
          }
        }
        const values = rows.map((row) => JSON.stringify(table.keys.map(({ field }) => row[field])))
        expect(new Set(values).size).toBe(values.length)
        const known = counted.filter((record) => table.keys.every(({ group }) => labelOf(record, group) !== undefined))
        expect(rows.reduce((total, row) => total + Number(row.requests), 0)).toBe(known.length)
        if (rows[0]?.cost === undefined) continue
        const cost = rows.reduce((total, row) => total + Number(row.cost), 0)
        expect(Math.abs(cost - sum(known, (record) => record.cost?.total) / CENT)).toBeLessThan(EXACT)
      }
    }),
    { numRuns: 10 },
  )
})

const labelOf = (record: CallRecord, group: object): unknown =>
  'metadata' in group
    ? record.metadata[String(group.metadata)]
    : record[('column' in group ? group.column : '') as keyof CallRecord]
