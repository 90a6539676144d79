import type { TransactionSql } from 'postgres'
import type { CallRecord } from '../../core/records.ts'
import { toJson } from '../../store/database/json-rows.ts'
import { columnName, RECORD_COLUMNS } from '../columns.ts'
import { createAccumulator, type RollupRow } from '../rollups/accumulate.ts'
import { DIMENSIONS, HISTOGRAMS, SUMS } from '../rollups/facets.ts'
import { addPacked, type Histogram, packHistogram } from '../rollups/histogram.ts'
import { columnType, SCHEMA, SQL_TYPES } from './names.ts'

/** Metadata keys of a workspace that have sums, besides those that all have. */
export type DeclaredKeys = (workspaceId: string) => readonly string[]

const KEY = [
  ['workspace_id', 'text'],
  ['facet', 'text'],
  ['width', 'bigint'],
  ['bucket', 'bigint'],
  ['series', 'uuid'],
] as const
const SERIES = [
  ['organisation_id', 'text'],
  ['value', 'text'],
  ...DIMENSIONS.map((column) => [columnName(column), SQL_TYPES[RECORD_COLUMNS[column]]] as const),
] as const
const ADDED = ['calls', ...SUMS.flatMap((column) => [`sum_${columnName(column)}`, `known_${columnName(column)}`])]
const HISTOGRAM_NAMES = HISTOGRAMS.map((column) => `histogram_${columnName(column)}`)

const COLUMNS: readonly (readonly [name: string, type: string])[] = [
  ...KEY,
  ...SERIES,
  ['first_time', 'bigint'],
  ['last_time', 'bigint'],
  ...ADDED.map((name) => [name, 'bigint'] as const),
  ...HISTOGRAM_NAMES.map((name) => [name, 'bytea'] as const),
]

/** Columns of the table. What a series has not is null, which takes no room. */
export const ROLLUP_COLUMNS: readonly string[] = COLUMNS.map(([name, type]) => {
  const isKey = KEY.some(([key]) => key === name)
  return `${name} ${columnType(type)}${isKey ? ' not null' : ''}`
})

const NAMES = COLUMNS.map(([name]) => name).join(', ')
const KEYS = KEY.map(([name]) => name).join(', ')

/** Two numbers of which one may not be there. */
const added = (name: string): string => `${name} = coalesce(r.${name} + excluded.${name}, r.${name}, excluded.${name})`

const UPSERT = `insert into ${SCHEMA}.rollups as r (${NAMES})
  select ${COLUMNS.map(([name, type]) => (type === 'bytea' ? `decode(${name}, 'base64')` : name)).join(', ')}
  from json_to_recordset($1::text::json) as given (${COLUMNS.map(([name, type]) => `${name} ${type === 'bytea' ? 'text' : type}`).join(', ')})
  on conflict (${KEYS}) do update set first_time = least(r.first_time, excluded.first_time),
  last_time = greatest(r.last_time, excluded.last_time), ${ADDED.map(added).join(', ')},
  ${HISTOGRAM_NAMES.map((name) => `${name} = excluded.${name}`).join(', ')}`

const READ_HISTOGRAMS = `select given.place, ${HISTOGRAM_NAMES.map((name) => `r.${name}`).join(', ')}
  from json_to_recordset($1::text::json) as given (place integer, ${KEY.map(([name, type]) => `${name} ${type}`).join(', ')})
  join ${SCHEMA}.rollups r using (${KEYS}) where r.bucket between $2 and $3`

/**
 * Adds records to the sums. Only one transaction at a time may do so: histograms are read, added to here, and written.
 */
export const addToRollups = async (
  transaction: TransactionSql,
  records: readonly CallRecord[],
  declaredKeys: DeclaredKeys,
): Promise<void> => {
  const accumulator = createAccumulator(declaredKeys)
  for (const record of records) accumulator.add(record)
  const rows = accumulator.rows()
  if (rows.length === 0) return
  const keys = rows.map(keyOf)
  const buckets = rows.map(({ bucket }) => bucket)
  const known = await transaction.unsafe<({ readonly place: number } & Readonly<Record<string, Uint8Array | null>>)[]>(
    READ_HISTOGRAMS,
    [toJson(keys.map((key, place) => ({ place, ...key }))), Math.min(...buckets), Math.max(...buckets)],
    { prepare: true },
  )
  for (const found of known) {
    rows[found.place]?.sums.histograms.forEach((histogram, index) => {
      const bytes = found[HISTOGRAM_NAMES[index] ?? '']
      if (bytes instanceof Uint8Array) addPacked(histogram, bytes)
    })
  }
  const values = rows.map((row, index) => ({ ...keys[index], ...valuesOf(row) }))
  await transaction.unsafe(UPSERT, [toJson(values)], { prepare: true })
}

const keyOf = ({ width, bucket, series }: RollupRow) => ({
  workspace_id: series.workspaceId,
  facet: series.facet,
  width,
  bucket,
  // Names of models and values of metadata may be longer than an index takes.
  series: new Bun.CryptoHasher('md5').update(series.name).digest('hex'),
})

const valuesOf = ({ series, sums }: RollupRow): Record<string, unknown> => {
  const out: Record<string, unknown> = {
    organisation_id: series.organisationId,
    value: series.value,
    calls: sums.calls,
    first_time: sums.firstTime,
    last_time: sums.lastTime,
  }
  DIMENSIONS.forEach((column, index) => {
    const value = series.dimensions[index]
    if (value !== null) out[columnName(column)] = value
  })
  SUMS.forEach((column, index) => {
    if (sums.known[index] === 0) return
    out[`sum_${columnName(column)}`] = sums.sums[index]
    out[`known_${columnName(column)}`] = sums.known[index]
  })
  HISTOGRAM_NAMES.forEach((name, index) => {
    const histogram: Histogram | undefined = sums.histograms[index]
    if (histogram !== undefined && histogram.size > 0) out[name] = packHistogram(histogram).toBase64()
  })
  return out
}
