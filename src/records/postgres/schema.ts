import type { ReservedSql, Sql } from 'postgres'
import { type ColumnKind, columnName, RECORD_COLUMNS, REQUIRED_COLUMNS, type StoredColumn } from '../columns.ts'
import { columnType, SCHEMA, SQL_TYPES } from './names.ts'
import { ROLLUP_COLUMNS } from './rollups.ts'

/** A connection, or a transaction on one. */
export type Queries = Pick<Sql, 'unsafe'> | Pick<ReservedSql, 'unsafe'>

// As everywhere in Weir: "Weir" in ASCII, and a number that no other lock has.
const LOCK = '1466263922, 16'

const TEXT = columnType('text')
const COLUMNS = Object.entries(RECORD_COLUMNS) as readonly [StoredColumn, ColumnKind][]

const columnsOfCalls = (): string =>
  COLUMNS.map(
    ([column, kind]) =>
      `${columnName(column)} ${columnType(SQL_TYPES[kind])}${REQUIRED_COLUMNS.has(column) ? ' not null' : ''}`,
  ).join(',\n  ')

/**
 * Steps from an empty schema to the one of today, in their order. One that was released is never changed; columns that
 * records got since are added without one.
 *
 * `arrivals` gives batches their place in the order in which they were stored: its one row is locked until the end of the
 * transaction, so that nobody sees a later batch before an earlier one. Rows name their batch by a number that is taken
 * without a lock. Texts of callers are in hash indexes: a tree refuses long ones.
 */
const STEPS: readonly (() => string)[] = [
  () => `
create table ${SCHEMA}.spools (spool text primary key, position bigint not null, seen_at timestamptz not null default now());
create sequence ${SCHEMA}.batch_numbers cache 1;
create table ${SCHEMA}.arrivals (single boolean primary key default true check (single), last bigint not null) with (fillfactor = 50);
insert into ${SCHEMA}.arrivals (last) values (0);
create table ${SCHEMA}.batches (
  arrival bigint primary key,
  batch bigint not null,
  rows integer not null,
  min_time bigint not null,
  max_time bigint not null,
  stored_at timestamptz not null default now()
);
create table ${SCHEMA}.calls (
  ${columnsOfCalls()},
  batch bigint not null,
  position bigint not null,
  primary key (workspace_id, time, id)
) partition by range (time);
create index on ${SCHEMA}.calls (organisation_id, time);
create index on ${SCHEMA}.calls (call_id);
create index on ${SCHEMA}.calls using hash (trace_id);
create index on ${SCHEMA}.calls (batch);
create table ${SCHEMA}.bodies (
  record_id ${TEXT} not null,
  time bigint not null,
  organisation_id ${TEXT} not null,
  workspace_id ${TEXT} not null,
  sealed bytea not null,
  primary key (record_id, time)
) partition by range (time);
alter table ${SCHEMA}.bodies alter column sealed set storage external;
create index on ${SCHEMA}.bodies (workspace_id, time);
create table ${SCHEMA}.feedback (
  id ${TEXT} not null,
  time bigint not null,
  organisation_id ${TEXT} not null,
  workspace_id ${TEXT} not null,
  trace_id ${TEXT} not null,
  value integer not null,
  weight double precision not null,
  metadata jsonb not null,
  api_key_id ${TEXT},
  batch bigint not null,
  position bigint not null,
  primary key (organisation_id, id, time, batch, position)
) partition by range (time);
create index on ${SCHEMA}.feedback (workspace_id, time);
create index on ${SCHEMA}.feedback using hash (trace_id);
create table ${SCHEMA}.rollups (
  ${ROLLUP_COLUMNS.join(',\n  ')},
  primary key (workspace_id, facet, width, bucket, series)
) partition by range (bucket);
create index on ${SCHEMA}.rollups (organisation_id, facet, width, bucket);
create table ${SCHEMA}.metadata_keys (
  workspace_id ${TEXT} not null,
  key ${TEXT} not null,
  since bigint not null,
  primary key (workspace_id, key)
);
`,
]

const addColumns = async (transaction: Queries): Promise<void> => {
  const found = await transaction.unsafe<{ name: string }[]>(
    `select attname as name from pg_attribute where attrelid = '${SCHEMA}.calls'::regclass and attnum > 0 and not attisdropped`,
  )
  const names = new Set(found.map(({ name }) => name))
  for (const [column, kind] of COLUMNS) {
    const name = columnName(column)
    // Not required: older rows have none.
    if (!names.has(name))
      await transaction.unsafe(`alter table ${SCHEMA}.calls add column ${name} ${columnType(SQL_TYPES[kind])}`)
  }
}

/**
 * Makes the schema, or brings it up to date, while no other process does. One that a newer version made is left as it is.
 * @param transaction what it does is kept or lost as one
 */
export const prepareSchema = async (transaction: Queries): Promise<void> => {
  await lockSchema(transaction)
  await transaction.unsafe(`create schema if not exists ${SCHEMA}`)
  await transaction.unsafe(
    `create table if not exists ${SCHEMA}.versions (version integer primary key, applied_at timestamptz not null default now())`,
  )
  const [found] = await transaction.unsafe<{ version: number }[]>(
    `select coalesce(max(version), 0) as version from ${SCHEMA}.versions`,
  )
  const version = found?.version ?? 0
  for (const [index, step] of STEPS.entries()) {
    if (index < version) continue
    await transaction.unsafe(step()).simple()
    await transaction.unsafe(`insert into ${SCHEMA}.versions (version) values ($1)`, [index + 1])
  }
  await addColumns(transaction)
}

/** Keeps other processes from changing tables until the end of the transaction. */
export const lockSchema = async (transaction: Queries): Promise<void> => {
  await transaction.unsafe(`select pg_advisory_xact_lock(${LOCK})`)
}
