import { COLUMN_NAMES, columnName, RECORD_COLUMNS, REQUIRED_COLUMNS, type StoredColumn } from '../columns.ts'
import { DIMENSIONS, HISTOGRAMS, SUMS } from '../rollups/facets.ts'

/** What a file has: the records of a day, the bodies of a day, all feedback. */
export type FileKind = 'records' | 'bodies' | 'feedback'

/** Marks files as ours: "Weir" in ASCII. */
export const APPLICATION_ID = 0x57656972
/** Of the tables; a file with another number is not touched. */
export const SCHEMA_VERSION = 2

/** How far each spool is stored in this file. */
const SPOOLS = 'create table spools (spool text primary key, position integer not null) without rowid'

const SQL_TYPES = { text: 'text', integer: 'integer', flag: 'integer', json: 'text' } as const

/** Columns of `calls` by their names, each with its definition. */
const recordColumns: ReadonlyMap<string, string> = new Map(
  (Object.entries(RECORD_COLUMNS) as [StoredColumn, keyof typeof SQL_TYPES][]).map(([column, kind]) => [
    columnName(column),
    `${columnName(column)} ${SQL_TYPES[kind]}${REQUIRED_COLUMNS.has(column) ? ' not null' : ''}`,
  ]),
)

/** Statements that add the columns which records got since a file was made. @param known names of those that it has */
export const addedColumns = (known: ReadonlySet<string>): readonly string[] =>
  [...recordColumns].flatMap(([name, definition]) =>
    known.has(name) ? [] : `alter table calls add column ${definition}`,
  )

/** Columns of `series` that say what it is, besides its name and its workspace. */
const DESCRIPTION: readonly string[] = ['value', 'organisation_id', ...DIMENSIONS.map(columnName)]
export const SERIES_COLUMNS: readonly string[] = ['workspace_id', ...DESCRIPTION]

/** Columns that name a row of `sums`. The workspace is one of them: what others have is not read. */
export const SUM_KEY: readonly string[] = ['facet', 'width', 'workspace_id', 'bucket', 'series']

/** Columns of `sums` behind those that name the row. */
export const SUM_COLUMNS: readonly string[] = [
  'calls',
  'first_time',
  'last_time',
  ...SUMS.map((column) => `sum_${columnName(column)}`),
  ...SUMS.map((column) => `known_${columnName(column)}`),
]
export const HISTOGRAM_COLUMNS: readonly string[] = HISTOGRAMS.map((column) => `histogram_${columnName(column)}`)

/**
 * What SQLite would find out by `analyze`: rows of a table, and how many have the same first columns of an index. Without,
 * it takes a workspace for rarer than a trace. It knows from the next time the file is opened.
 */
const statistics = (table: string, indexes: Readonly<Record<string, string>>): string[] => [
  'analyze sqlite_schema',
  ...Object.entries(indexes).map(
    ([index, rows]) => `insert into sqlite_stat1 values ('${table}', '${index}', '${rows}')`,
  ),
]

/** Statements that make an empty file of a kind. */
export const SCHEMAS: Readonly<Record<FileKind, readonly string[]>> = {
  records: [
    SPOOLS,
    // `seq` is the order in which records came in.
    `create table calls (seq integer primary key, ${[...recordColumns.values()].join(', ')})`,
    'create unique index calls_id on calls (id)',
    'create index calls_attempts on calls (call_id) where attempt > 0',
    'create index calls_trace on calls (trace_id)',
    'create index calls_workspace on calls (workspace_id, time)',
    'create index calls_time on calls (time)',
    // Metadata keys that have sums here; those without a workspace in all of them.
    'create table keys (workspace_id text, key text not null)',
    `create table series (id integer primary key, name text not null unique, ${SERIES_COLUMNS.join(', ')})`,
    // The sums that a question needs lie together.
    `create table sums (${SUM_KEY.join(', ')}, ${[...SUM_COLUMNS, ...HISTOGRAM_COLUMNS].join(', ')}, primary key (${SUM_KEY.join(', ')})) without rowid`,
    `create view rollups as select s.facet, s.width, s.workspace_id, s.bucket, ${[...SUM_COLUMNS, ...HISTOGRAM_COLUMNS].map((column) => `s.${column}`).join(', ')}, ${DESCRIPTION.map((column) => `n.${column}`).join(', ')} from sums s join series n on n.id = s.series`,
    ...statistics('calls', {
      calls_id: '300000 1',
      calls_trace: '300000 2',
      calls_workspace: '300000 50000 1',
      calls_time: '300000 1',
    }),
  ],
  bodies: [
    SPOOLS,
    'create table bodies (record_id text primary key, organisation_id text not null, workspace_id text not null, time integer not null, sealed blob not null)',
    'create index bodies_workspace on bodies (workspace_id, time)',
  ],
  feedback: [
    SPOOLS,
    'create table rows (seq integer primary key, id text not null, time integer not null, organisation_id text not null, workspace_id text not null, trace_id text not null, value integer not null, weight real not null, metadata text not null, api_key_id text)',
    'create index rows_id on rows (id, time)',
    'create index rows_time on rows (organisation_id, time)',
    'create index rows_trace on rows (workspace_id, trace_id)',
    // A change is a row of its own: the last one by its time counts, and of those the last that came in.
    'create view feedback as select * from rows r where not exists (select 1 from rows n where n.id = r.id and (n.time > r.time or (n.time = r.time and n.seq > r.seq)))',
    ...statistics('rows', { rows_id: '10000 1 1', rows_time: '10000 10000 1', rows_trace: '10000 2000 1' }),
  ],
}

/** A record goes in with a value for each of these. */
export const INSERT_RECORD = `insert into calls (${COLUMN_NAMES.join(', ')}) values (${COLUMN_NAMES.map(() => '?').join(', ')}) on conflict (id) do nothing`
