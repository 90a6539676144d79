import { expect, test } from 'bun:test'
import { sampleRecords } from '../../../test/support/records/samples.ts'
import type { CallRecord } from '../../core/records.ts'
import { storedValue } from '../columns.ts'
import { createAccumulator, type RollupRow } from './accumulate.ts'
import { CALL_FACETS, DIMENSIONS, dimensionsOf, HISTOGRAMS, isMetadataFacet, SUMS, widthsOf } from './facets.ts'
import { bucketOf } from './histogram.ts'

const KEYS = ['_user', 'team']

/** The same sums, counted row by row from the records. */
const countedFrom = (records: readonly CallRecord[]): Map<string, object> => {
  const rows = new Map<string, CallRecord[]>()
  for (const record of records.filter(({ kind }) => kind !== 'attempt')) {
    for (const facet of [...CALL_FACETS, ...KEYS]) {
      const dimensions = DIMENSIONS.map((column) =>
        dimensionsOf(facet).includes(column) ? (record[column] ?? null) : null,
      )
      const value = isMetadataFacet(facet) ? (record.metadata[facet] ?? null) : null
      for (const width of widthsOf(facet)) {
        const bucket = Math.floor(record.time / width) * width
        const key = JSON.stringify([width, bucket, facet, value, record.organisationId, record.workspaceId, dimensions])
        rows.set(key, [...(rows.get(key) ?? []), record])
      }
    }
  }
  return new Map([...rows].map(([key, of]) => [key, summed(of)]))
}

const summed = (records: readonly CallRecord[]): object => {
  const known = SUMS.map((column) => records.flatMap((record) => storedValue(record, column) ?? []) as number[])
  const times = records.map(({ time }) => time)
  return {
    calls: records.length,
    firstTime: Math.min(...times),
    lastTime: Math.max(...times),
    sums: known.map((values) => values.reduce((sum, value) => sum + value, 0)),
    known: known.map(({ length }) => length),
    histograms: HISTOGRAMS.map((column) => {
      const buckets = records.flatMap((record) => (record[column] === undefined ? [] : bucketOf(record[column])))
      return Map.groupBy(buckets, (bucket) => bucket)
        .entries()
        .map(([bucket, all]) => [bucket, all.length])
        .toArray()
        .sort(([one = 0], [other = 0]) => one - other)
    }),
  }
}

const shown = ({ sums }: RollupRow): object => ({
  ...sums,
  histograms: sums.histograms.map((histogram) => [...histogram].sort(([one], [other]) => one - other)),
})

test('sums of every facet and width are those of the records, also of a key that is declared and common', () => {
  const records = sampleRecords(2_000)
  const accumulator = createAccumulator(() => KEYS)
  for (const record of records) accumulator.add(record)
  const rows = accumulator.rows()
  const keyed = rows.map((row): [string, object] => {
    const { width, bucket, series } = row
    const { facet, value, organisationId, workspaceId, dimensions } = series
    return [JSON.stringify([width, bucket, facet, value, organisationId, workspaceId, dimensions]), shown(row)]
  })
  expect(new Map(keyed)).toEqual(countedFrom(records))
  expect(new Set(keyed.map(([key]) => key)).size).toBe(rows.length)
})
