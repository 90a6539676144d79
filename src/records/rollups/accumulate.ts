import type { CallRecord } from '../../core/records.ts'
import { type StoredColumn, storedValue } from '../columns.ts'
import type { Scalar } from '../question.ts'
import {
  CALL_FACET,
  CALL_FACETS,
  COMMON_KEYS,
  DIMENSIONS,
  dimensionsOf,
  HISTOGRAMS,
  type HistogramColumn,
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

/** What one record adds to its sums: the same for each facet, so it is looked up once. */
interface Added {
  time: number
  /** In the order of `SUMS`; undefined where the record has no such value. */
  readonly values: (number | undefined)[]
  /** In the order of `HISTOGRAMS`. */
  readonly buckets: (number | undefined)[]
}

const readRecord = (record: CallRecord, into: Added): void => {
  into.time = record.time
  for (let index = 0; index < SUMS.length; index++) {
    const value = storedValue(record, SUMS[index] as StoredColumn)
    into.values[index] = typeof value === 'number' ? value : undefined
  }
  for (let index = 0; index < HISTOGRAMS.length; index++) {
    const value = record[HISTOGRAMS[index] as HistogramColumn]
    into.buckets[index] = value === undefined ? undefined : bucketOf(value)
  }
}

const addRecord = (to: Sums, { time, values, buckets }: Added): void => {
  to.calls++
  to.firstTime = Math.min(to.firstTime, time)
  to.lastTime = Math.max(to.lastTime, time)
  for (let index = 0; index < values.length; index++) {
    const value = values[index]
    if (value === undefined) continue
    to.sums[index] = (to.sums[index] ?? 0) + value
    to.known[index] = (to.known[index] ?? 0) + 1
  }
  for (let index = 0; index < buckets.length; index++) {
    const bucket = buckets[index]
    const histogram = to.histograms[index]
    if (bucket !== undefined && histogram !== undefined) addTo(histogram, bucket, 1)
  }
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

/** Which dimensions a facet has, in the order of all. */
const ownDimensions = (facet: string): readonly boolean[] => {
  const own = dimensionsOf(facet)
  return DIMENSIONS.map((column) => own.includes(column))
}

const CALL_DIMENSIONS: ReadonlyMap<string, readonly boolean[]> = new Map(
  CALL_FACETS.map((facet) => [facet, ownDimensions(facet)]),
)
/** Those of a metadata key, which are the same for all. */
const LABEL_DIMENSIONS = ownDimensions('')

/** @param all the values of all dimensions */
const toSeries = (
  facet: string,
  value: string | null,
  { organisationId, workspaceId }: Pick<Series, 'organisationId' | 'workspaceId'>,
  all: readonly Scalar[],
): Series => {
  const own = CALL_DIMENSIONS.get(facet) ?? LABEL_DIMENSIONS
  const dimensions = all.map((each, index) => (own[index] === true ? each : null))
  const name = JSON.stringify([facet, value, organisationId, workspaceId, ...dimensions])
  return { name, facet, value, organisationId, workspaceId, dimensions }
}

type Buckets = Map<number, Sums>

interface Found {
  readonly series: Series
  /** By the beginning of the finest buckets of its facet. */
  readonly buckets: Buckets
}

const sumsIn = (buckets: Buckets, bucket: number): Sums => {
  const known = buckets.get(bucket)
  if (known !== undefined) return known
  const sums = emptySums()
  buckets.set(bucket, sums)
  return sums
}

const bucketsIn = (found: Map<string, Found>, series: Series): Buckets => {
  const known = found.get(series.name)
  if (known !== undefined) return known.buckets
  const buckets: Buckets = new Map()
  found.set(series.name, { series, buckets })
  return buckets
}

/** Facets that have nothing that `CALL_FACET` has not, nor finer sums: theirs are added up from its own. */
const DERIVED_FACETS = CALL_FACETS.filter((facet) => facet !== CALL_FACET)

/** @param declaredKeys metadata keys of a workspace that have sums, besides those that all have */
export const createAccumulator = (declaredKeys: (workspaceId: string) => readonly string[]): Accumulator => {
  const calls = new Map<string, Found>()
  const labelled = new Map<string, Found>()
  const added: Added = { time: 0, values: SUMS.map(() => undefined), buckets: HISTOGRAMS.map(() => undefined) }

  const addIn = (found: Map<string, Found>, series: Series): void => {
    const finest = widthsOf(series.facet).at(-1) ?? 1
    addRecord(sumsIn(bucketsIn(found, series), added.time - (added.time % finest)), added)
  }

  /** What all facets have of calls: those that were added to, and those that follow from them. */
  const allOf = (): Map<string, Found> => {
    const all = new Map([...calls, ...labelled])
    for (const { series, buckets } of calls.values()) {
      for (const facet of DERIVED_FACETS) {
        const derived = bucketsIn(all, toSeries(facet, null, series, series.dimensions))
        for (const [bucket, sums] of buckets) addSums(sumsIn(derived, bucket), sums)
      }
    }
    return all
  }

  return {
    add(record) {
      if (record.kind === 'attempt') return
      readRecord(record, added)
      const all = DIMENSIONS.map((column) => record[column] ?? null)
      addIn(calls, toSeries(CALL_FACET, null, record, all))
      const addLabel = (key: string): void => {
        const value = Object.hasOwn(record.metadata, key) ? (record.metadata[key] ?? null) : null
        addIn(labelled, toSeries(key, value, record, all))
      }
      COMMON_KEYS.forEach(addLabel)
      // Of what all have there are sums already.
      for (const key of declaredKeys(record.workspaceId)) if (!COMMON_KEYS.includes(key)) addLabel(key)
    },
    rows() {
      const rows: RollupRow[] = []
      for (const { series, buckets } of allOf().values()) {
        let narrower = buckets
        for (const width of widthsOf(series.facet).toReversed()) {
          const wider: Buckets = new Map()
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
