import { columnName, RECORD_COLUMNS, type StoredColumn } from '../columns.ts'
import type { Client } from './client.ts'
import { typeOf } from './columns.ts'
import type { ClickhousePlace, Names, Table } from './names.ts'
import { namesOf } from './names.ts'
import { ROLLUP_COLUMNS, rollupViews } from './rollups.ts'

const CALL_COLUMNS = (Object.keys(RECORD_COLUMNS) as StoredColumn[]).map(
  (column) => `${columnName(column)} ${typeOf(column)}`,
)

/** How often the same insert may come again and still be known: batches of the last hours. */
const WINDOW = 'non_replicated_deduplication_window = 10000'
const DAY = 'intDiv(time, 86400000000)'
/** Where a row came from, and when: the order in which rows arrive. */
const ARRIVAL = ["stored_at DateTime64(6, 'UTC') default now64(6)", 'spool LowCardinality(String)', 'position Int64']

interface Definition {
  readonly table: Table
  readonly columns: readonly string[]
  readonly engine: string
  /** After the engine. */
  readonly order: string
  /** What says on which server a row lies. */
  readonly sharding: string
}

/** Rows that are written twice after all, in another batch than before, are one again once parts are merged. */
const definitions = (): readonly Definition[] => [
  {
    table: 'calls',
    columns: [
      ...CALL_COLUMNS,
      ...ARRIVAL,
      'index by_call call_id type bloom_filter(0.01) granularity 4',
      'index by_trace trace_id type bloom_filter(0.01) granularity 4',
      'index by_arrival stored_at type minmax granularity 1',
    ],
    engine: 'ReplacingMergeTree',
    order: `partition by ${DAY} order by (workspace_id, time, id) settings ${WINDOW}`,
    sharding: 'cityHash64(workspace_id, trace_id)',
  },
  {
    table: 'bodies',
    // Sealed bytes as base64: the codec takes what that adds away again.
    columns: [
      'record_id String',
      'time Int64',
      'organisation_id LowCardinality(String)',
      'workspace_id LowCardinality(String)',
      'sealed String codec(ZSTD(1))',
    ],
    engine: 'ReplacingMergeTree',
    order: `partition by ${DAY} order by (record_id, time) settings ${WINDOW}, index_granularity = 256`,
    sharding: 'cityHash64(record_id)',
  },
  {
    table: 'feedback',
    columns: [
      'id String',
      'time Int64',
      'organisation_id LowCardinality(String)',
      'workspace_id LowCardinality(String)',
      'trace_id String',
      'value Int64',
      'weight Float64',
      'metadata Map(String, String)',
      'api_key_id Nullable(String)',
      ...ARRIVAL,
    ],
    engine: 'ReplacingMergeTree',
    order: `partition by ${DAY} order by (organisation_id, id, time, spool, position) settings ${WINDOW}`,
    sharding: 'cityHash64(workspace_id, trace_id)',
  },
  {
    table: 'spools',
    columns: ['spool String', 'position Int64', "seen_at DateTime64(3, 'UTC') default now64(3)"],
    engine: 'ReplacingMergeTree(position)',
    order: 'order by spool ttl toDateTime(seen_at) + interval 400 day',
    sharding: 'cityHash64(spool)',
  },
  {
    table: 'rollups',
    columns: ROLLUP_COLUMNS,
    engine: 'AggregatingMergeTree',
    order: `partition by intDiv(bucket, 86400000000) order by (organisation_id, workspace_id, facet, width, bucket, series) settings ${WINDOW}`,
    sharding: 'cityHash64(series)',
  },
]

/** Statements that make what is missing, one after the other. Each may be run again. */
export const schemaStatements = (place: ClickhousePlace): readonly string[] => {
  const names = namesOf(place)
  return [
    `create database if not exists ${names.database}${names.onCluster}`,
    ...definitions().flatMap((definition) => tableStatements(definition, place, names)),
    // Records got columns since the table was made.
    ...addedColumns(names, place),
    ...rollupViews(names),
  ]
}

/** Makes the tables, or the columns, that are missing. */
export const prepareSchema = async ({ use }: Client, place: ClickhousePlace): Promise<void> => {
  for (const query of schemaStatements(place)) {
    await use(({ client, signal }) => client.command({ query, abort_signal: signal }))
  }
}

const tableStatements = (definition: Definition, { cluster }: ClickhousePlace, names: Names): string[] => {
  const { table, columns, engine, order, sharding } = definition
  const [name = '', ...brackets] = engine.split(/(?=\()/)
  const local = `create table if not exists ${names.local(table)}${names.onCluster} (${columns.join(', ')}) engine = ${names.engine(name)}${brackets.join('')} ${order}`
  if (cluster === undefined) return [local]
  const [database] = names.database.split('.')
  return [
    local,
    `create table if not exists ${names.all(table)}${names.onCluster} as ${names.local(table)} engine = Distributed('${cluster}', ${database}, '${table}_local', ${sharding})`,
  ]
}

const addedColumns = (names: Names, { cluster }: ClickhousePlace): string[] => {
  const tables = cluster === undefined ? [names.local('calls')] : [names.local('calls'), names.all('calls')]
  const added = CALL_COLUMNS.map((column) => `add column if not exists ${column}`).join(', ')
  return tables.map((table) => `alter table ${table}${names.onCluster} ${added}`)
}
