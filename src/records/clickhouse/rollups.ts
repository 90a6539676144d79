import { columnName } from '../columns.ts'
import {
  CALL_FACET,
  COMMON_KEYS,
  DIMENSIONS,
  type Dimension,
  dimensionsOf,
  HISTOGRAMS,
  isMetadataFacet,
  MODEL_FACET,
  OUTCOME_FACET,
  SUMS,
  widthsOf,
} from '../rollups/facets.ts'
import { BUCKETS_PER_DOUBLING, ZERO_BUCKET } from '../rollups/histogram.ts'
import { typeOf } from './columns.ts'
import type { Names } from './names.ts'

const HISTOGRAM = 'Map(Int32, Int64)'
const SUMMED = 'SimpleAggregateFunction(sum, Int64)'

const nullable = (column: Dimension): string => {
  const type = typeOf(column)
  if (type.includes('Nullable')) return type
  const few = /^LowCardinality\((.*)\)$/.exec(type)?.[1]
  return few === undefined ? `Nullable(${type})` : `LowCardinality(Nullable(${few}))`
}

/** Sums of records by the facets of `rollups/facets.ts`. `series` stands for the dimensions, which the order cannot have. */
export const ROLLUP_COLUMNS: readonly string[] = [
  'facet LowCardinality(String)',
  'value SimpleAggregateFunction(any, Nullable(String))',
  'width Int64',
  'bucket Int64',
  'organisation_id LowCardinality(String)',
  'workspace_id LowCardinality(String)',
  'series UInt64',
  // The same in all rows of a series.
  ...DIMENSIONS.map((column) => `${columnName(column)} SimpleAggregateFunction(any, ${nullable(column)})`),
  `calls ${SUMMED}`,
  'first_time SimpleAggregateFunction(min, Int64)',
  'last_time SimpleAggregateFunction(max, Int64)',
  ...SUMS.flatMap((column) => [`sum_${columnName(column)} ${SUMMED}`, `known_${columnName(column)} ${SUMMED}`]),
  ...HISTOGRAMS.map((column) => `histogram_${columnName(column)} SimpleAggregateFunction(sumMap, ${HISTOGRAM})`),
]

/** The bucket of a value, as `bucketOf` of histograms. */
const bucketOf = (value: string): string =>
  `toInt32(if(${value} <= 0, ${ZERO_BUCKET}, ceil(log2(${value}) * ${BUCKETS_PER_DOUBLING}) - 1))`

const histogramOf = (name: string): string => {
  const isRequired = !typeOf(HISTOGRAMS.find((column) => columnName(column) === name) ?? 'totalUs').includes('Nullable')
  const one = (value: string): string => `map(${bucketOf(value)}, toInt64(1))`
  return isRequired ? `sumMap(${one(name)})` : `sumMapIf(${one(`assumeNotNull(${name})`)}, ${name} is not null)`
}

/** What adds each insert into the sums: one for what all records have, one for the values of each common metadata key. */
export const rollupViews = (names: Names): readonly string[] => [
  viewOf(names, 'rollup_calls', CALL_FACET),
  viewOf(names, 'rollup_outcomes', OUTCOME_FACET),
  viewOf(names, 'rollup_models', MODEL_FACET),
  ...COMMON_KEYS.map((key) => viewOf(names, `rollup_metadata_${key.replace(/\W/g, '_')}`, key)),
]

const viewOf = (names: Names, view: string, facet: string): string => {
  const dimensions = dimensionsOf(facet).map((column) => columnName(column))
  const value = isMetadataFacet(facet)
    ? `if(mapContains(metadata, '${facet}'), metadata['${facet}'], null)`
    : "cast(null, 'Nullable(String)')"
  const columns = [
    `'${facet}' as facet`,
    `${value} as value`,
    'width',
    'time - time % width as bucket',
    'organisation_id',
    'workspace_id',
    `sipHash64(toString((value, ${dimensions.join(', ')}))) as series`,
    ...dimensions,
    'toInt64(count()) as calls',
    'min(time) as first_time',
    'max(time) as last_time',
    ...SUMS.map(columnName).flatMap((name) => [
      `toInt64(ifNull(sum(${name}), 0)) as sum_${name}`,
      `toInt64(count(${name})) as known_${name}`,
    ]),
    ...HISTOGRAMS.map(columnName).map((name) => `${histogramOf(name)} as histogram_${name}`),
  ]
  const grouped = ['facet', 'value', 'width', 'bucket', 'organisation_id', 'workspace_id', 'series', ...dimensions]
  return `create materialized view if not exists ${names.local(view)}${names.onCluster} to ${names.local('rollups')} as select ${columns.join(', ')} from ${names.local('calls')} array join [${widthsOf(
    facet,
  )
    .map((width) => `toInt64(${width})`)
    .join(', ')}] as width where kind <> 'attempt' group by ${grouped.join(', ')}`
}
