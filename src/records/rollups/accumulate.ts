import type { CallRecord } from '../../core/records.ts'
import { storedValue } from '../columns.ts'
import type { Scalar } from '../question.ts'
import {
  CALL_FACETS,
  COMMON_KEYS,
  DIMENSIONS,
  dimensionsOf,
  HISTOGRAMS,
  isMetadataFacet,
  SUMS,
  widthsOf,
} from './facets.ts'
import { addTo, bucketOf, type Histogram } from './histogram.ts'

/** What sums are kept of: a facet with one value for each of its columns. */
export interface Series {
  /** The same for the same series. */
  readonly name: string
  readonly facet: string
  /** Of the metadata key that the facet is named after. */
  readonly value: string | null
  readonly organisationId: string
  readonly workspaceId: string
  /** In the order of `DIMENSIONS`; null where the facet has no such column. */
  readonly dimensions: readonly Scalar[]
}

/** What a series adds up to in one bucket of time. */
export interface Sums {
  calls: number
  firstTime: number
  lastTime: number
  /** In the order of `SUMS`. */
  readonly sums: number[]
  /** How many had each of them. */
  readonly known: number[]
  /** In the order of `HISTOGRAMS`. */
  readonly histograms: readonly Histogram[]
}

export interface RollupRow {
  readonly width: number
  /** Beginning of the bucket, in microseconds since 1970. */
  readonly bucket: number
  readonly series: Series
  readonly sums: Sums
}

/** Adds up records. */
export interface Accumulator {
  /** Attempts are left out: their calls count. */
  add(record: CallRecord): void
  /** All rows, of each width, in the order of width, bucket and name. */
  rows(): RollupRow[]
}

const emptySums = (): Sums => ({
  calls: 0,
  firstTime: Number.POSITIVE_INFINITY,
  lastTime: 0,
  sums: SUMS.map(() => 0),
  known: SUMS.map(() => 0),
  histograms: HISTOGRAMS.map(() => new Map()),
})

const addRecord = (to: Sums, record: CallRecord): void => {
  to.calls++
  to.firstTime = Math.min(to.firstTime, record.time)
  to.lastTime = Math.max(to.lastTime, record.time)
  SUMS.forEach((column, index) => {
    const value = storedValue(record, column)
    if (typeof value !== 'number') return
    to.sums[index] = (to.sums[index] ?? 0) + value
    to.known[index] = (to.known[index] ?? 0) + 1
  })
  HISTOGRAMS.forEach((column, index) => {
    const value = record[column]
    const histogram = to.histograms[index]
    if (value !== undefined && histogram !== undefined) addTo(histogram, bucketOf(value), 1)
  })
}

const addSums = (to: Sums, from: Sums): void => {
  to.calls += from.calls
  to.firstTime = Math.min(to.firstTime, from.firstTime)
  to.lastTime = Math.max(to.lastTime, from.lastTime)
  for (let index = 0; index < SUMS.length; index++) {
    to.sums[index] = (to.sums[index] ?? 0) + (from.sums[index] ?? 0)
    to.known[index] = (to.known[index] ?? 0) + (from.known[index] ?? 0)
  }
  from.histograms.forEach((histogram, index) => {
    const target = to.histograms[index]
    if (target !== undefined) for (const [bucket, count] of histogram) addTo(target, bucket, count)
  })
}

const seriesOf = (record: CallRecord, facet: string): Series => {
  const { organisationId, workspaceId } = record
  const value =
    isMetadataFacet(facet) && Object.hasOwn(record.metadata, facet) ? (record.metadata[facet] ?? null) : null
  const own = dimensionsOf(facet)
  const dimensions = DIMENSIONS.map((column) => (own.includes(column) ? (record[column] ?? null) : null))
  const name = JSON.stringify([facet, value, organisationId, workspaceId, ...dimensions])
  return { name, facet, value, organisationId, workspaceId, dimensions }
}

/** @param declaredKeys metadata keys of a workspace that have sums, besides those that all have */
export const createAccumulator = (declaredKeys: (workspaceId: string) => readonly string[]): Accumulator => {
  const found = new Map<string, { readonly series: Series; readonly buckets: Map<number, Sums> }>()

  const bucketsOf = (series: Series): Map<number, Sums> => {
    const known = found.get(series.name)
    if (known !== undefined) return known.buckets
    const buckets = new Map<number, Sums>()
    found.set(series.name, { series, buckets })
    return buckets
  }

  const sumsIn = (buckets: Map<number, Sums>, bucket: number): Sums => {
    const known = buckets.get(bucket)
    if (known !== undefined) return known
    const sums = emptySums()
    buckets.set(bucket, sums)
    return sums
  }

  return {
    add(record) {
      if (record.kind === 'attempt') return
      const facets = [...CALL_FACETS, ...COMMON_KEYS, ...declaredKeys(record.workspaceId)]
      for (const facet of facets) {
        const finest = widthsOf(facet).at(-1) ?? 1
        const bucket = record.time - (record.time % finest)
        addRecord(sumsIn(bucketsOf(seriesOf(record, facet)), bucket), record)
      }
    },
    rows() {
      const rows: RollupRow[] = []
      for (const { series, buckets } of found.values()) {
        let narrower = buckets
        for (const width of widthsOf(series.facet).toReversed()) {
          const wider = new Map<number, Sums>()
          for (const [bucket, sums] of narrower) addSums(sumsIn(wider, bucket - (bucket % width)), sums)
          for (const [bucket, sums] of wider) rows.push({ width, bucket, series, sums })
          narrower = wider
        }
      }
      return rows.sort(
        (one, other) =>
          one.width - other.width || one.bucket - other.bucket || (one.series.name < other.series.name ? -1 : 1),
      )
    },
  }
}
