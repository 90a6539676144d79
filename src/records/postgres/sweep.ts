import type { Sql } from 'postgres'
import { openConnection } from '../../store/database/connection.ts'
import type { Retention, RetentionRules } from '../store.ts'
import { type DailyTable, SCHEMA } from './names.ts'
import { listPartitions, type Partition, removePartition } from './partitions.ts'
import { prepareSchema } from './schema.ts'

const DAY_MS = 86_400_000
// As everywhere in Weir: "Weir" in ASCII, and a number that no other lock has.
const LOCK = '1466263922, 17'
/** Listeners are seconds behind; a batch that nobody can still wait for goes. */
const BATCHES_KEPT = '1 day'
/** A spool that nobody wrote for so long is gone: what it had is past any retention. */
const SPOOLS_KEPT = '400 days'

const RETENTION_OF: Readonly<Record<DailyTable, keyof Retention>> = {
  calls: 'days',
  feedback: 'days',
  rollups: 'days',
  bodies: 'bodyDays',
}

/** For one statement: rows of a whole day may go at once. */
const STATEMENT_TIMEOUT_MS = 300_000
const DEADLINE_MS = 1_800_000

/**
 * Removes what is past its retention: days that nobody keeps as a whole, rows of workspaces that keep less than others from
 * the rest. By whole days (UTC). Where another process is at it, nothing.
 */
export const sweep = async (databaseUrl: string, nowMs: number, rules: RetentionRules): Promise<void> => {
  // A connection of its own: batches do not wait for it, and it may take its time.
  const connection = openConnection({
    prepare: prepareSchema,
    databaseUrl,
    name: 'weir-records-sweep',
    connections: 1,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    deadlineMs: DEADLINE_MS,
  })
  try {
    await connection.use(async (sql) => {
      const [lock] = await sql.unsafe<{ taken: boolean }[]>(`select pg_try_advisory_lock(${LOCK}) as taken`)
      // Given back with the connection.
      if (lock?.taken === true) await removeOld(sql, Math.floor(nowMs / DAY_MS), rules)
    })
  } finally {
    await connection.close()
  }
}

const removeOld = async (sql: Sql, today: number, rules: RetentionRules): Promise<void> => {
  const all = [rules.fallback, ...rules.workspaces.values()]
  for (const partition of await listPartitions(sql)) {
    const kind = RETENTION_OF[partition.table]
    const days = all.map((each) => each[kind])
    const age = today - partition.day
    if (partition.state !== 'attached' || age > Math.max(...days)) await removePartition(sql, partition)
    else if (age > Math.min(...days)) {
      await removeRows(sql, partition, (id) => age > (rules.workspaces.get(id) ?? rules.fallback)[kind])
    }
  }
  await sql.unsafe(`delete from ${SCHEMA}.batches where stored_at < now() - interval '${BATCHES_KEPT}'`)
  await sql.unsafe(`delete from ${SCHEMA}.spools where seen_at < now() - interval '${SPOOLS_KEPT}'`)
}

/** Of workspaces that keep less than others. Looked for by the index: each step goes to the next workspace. */
const removeRows = async (sql: Sql, { name }: Partition, isOver: (workspaceId: string) => boolean): Promise<void> => {
  const found = await sql.unsafe<{ id: string | null }[]>(
    `with recursive workspaces as (
       select min(workspace_id) as id from ${SCHEMA}.${name}
       union all
       select (select min(workspace_id) from ${SCHEMA}.${name} where workspace_id > workspaces.id)
       from workspaces where workspaces.id is not null
     ) select id from workspaces where id is not null`,
  )
  for (const { id } of found) {
    if (id !== null && isOver(id)) await sql.unsafe(`delete from ${SCHEMA}.${name} where workspace_id = $1`, [id])
  }
}
