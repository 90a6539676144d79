import type { TransactionSql } from 'postgres'

/** All tables are in a schema of their own: they belong to the worker of the spool, which makes them itself. */
export const SCHEMA = 'weir_budgets'

// As everywhere in Weir: "Weir" in ASCII, and a number that no other lock has.
const SCHEMA_LOCK = '1466263922, 18'

const TEXT = 'text collate "C" not null'

/** What names a count. */
export const KEY_COLUMNS = 'workspace_id, budget_id, group_hash, start_ms'

/**
 * Steps from an empty schema to the one of today, in their order. One that was released is never changed.
 *
 * `changed` is the transaction that wrote a row last. Transactions that are still running have a number of at least the
 * `xmin` of a snapshot: who looks next time from there on misses nothing that is committed late.
 */
const STEPS: readonly string[] = [
  `
create table ${SCHEMA}.spools (spool text primary key, position bigint not null, seen_at timestamptz not null default now());
create table ${SCHEMA}.counters (
  workspace_id ${TEXT},
  budget_id ${TEXT},
  group_hash ${TEXT},
  start_ms bigint not null,
  end_ms bigint,
  type ${TEXT},
  label ${TEXT},
  total numeric not null default 0,
  generation integer not null default 0,
  reset_at_us bigint not null default 0,
  changed xid8 not null default pg_current_xact_id(),
  primary key (${KEY_COLUMNS})
);
create index on ${SCHEMA}.counters (changed);
`,
]

/** Makes the schema, or brings it up to date, while no other process does. One that a newer version made is left as it is. */
export const prepareSchema = async (transaction: TransactionSql): Promise<void> => {
  await transaction.unsafe(`select pg_advisory_xact_lock(${SCHEMA_LOCK})`)
  await transaction.unsafe(`create schema if not exists ${SCHEMA}`)
  await transaction.unsafe(
    `create table if not exists ${SCHEMA}.versions (version integer primary key, applied_at timestamptz not null default now())`,
  )
  const [found] = await transaction.unsafe<{ version: number }[]>(
    `select coalesce(max(version), 0) as version from ${SCHEMA}.versions`,
  )
  for (const [index, step] of STEPS.entries()) {
    if (index < (found?.version ?? 0)) continue
    await transaction.unsafe(step).simple()
    await transaction.unsafe(`insert into ${SCHEMA}.versions (version) values ($1)`, [index + 1])
  }
}
