import type { SealedBodies } from '../../core/records.ts'
import { openConnection } from '../../store/database/connection.ts'
import { COLUMN_NAMES, type StoredRow, toRecord } from '../columns.ts'
import { answerQuestion } from '../query/answer.ts'
import type { Sources } from '../query/dialect.ts'
import { compilePage, toPage } from '../query/page.ts'
import { type Cutoffs, cutoffsOf, isKept } from '../retention.ts'
import type { RecordReader, Retention, RetentionRules } from '../store.ts'
import { readArrivals } from './arrivals.ts'
import { POSTGRES } from './dialect.ts'
import { LAST_FEEDBACK, readFeedback } from './feedback.ts'
import { readFacets } from './metadata-keys.ts'
import { SCHEMA } from './names.ts'
import { prepareSchema } from './schema.ts'

export interface PostgresReaderOptions {
  readonly databaseUrl: string
  /** What is past it is not shown, though it may still be there. */
  rules(): RetentionRules
  readonly now?: () => number
  /** For one statement. */
  readonly deadlineMs?: number
}

const DEADLINE_MS = 5_000
/** The server is to say that it took too long, before it is given up here. A question has several statements. */
const GRACE_MS = 5_000
const CONNECTIONS = 6
const SETTINGS = {
  // Compiling a statement over dozens of partitions takes longer than running it.
  jit: 'off',
  // Sorting a day of latencies in memory.
  work_mem: '32MB',
}

const SOURCES: Sources = { calls: `${SCHEMA}.calls`, feedback: LAST_FEEDBACK, rollups: `${SCHEMA}.rollups` }

const RECORD = COLUMN_NAMES.join(', ')

/**
 * Opens the reading end: a pool of its own, so that a heavy question takes no connection from management. Connects when it
 * is first asked. @throws StoreUnavailable for what is no URL of Postgres
 */
export const openPostgresReader = ({
  databaseUrl,
  rules,
  now = Date.now,
  deadlineMs = DEADLINE_MS,
}: PostgresReaderOptions): RecordReader => {
  const connection = openConnection({
    prepare: prepareSchema,
    databaseUrl,
    name: 'weir-records-reader',
    connections: CONNECTIONS,
    statementTimeoutMs: deadlineMs,
    deadlineMs: deadlineMs + GRACE_MS,
    settings: SETTINGS,
  })
  const cutoffs = (kind: keyof Retention): Cutoffs => cutoffsOf(now(), rules(), kind)

  return {
    ask: (question) =>
      connection.use((sql) =>
        // All statements of a question see the same rows.
        sql.begin('isolation level repeatable read read only', async (transaction) =>
          answerQuestion(question, {
            dialect: POSTGRES,
            sources: SOURCES,
            hasFacet: await readFacets(transaction, question.filter),
            cutoffs: cutoffs('days'),
            run: ({ text, values }) => transaction.unsafe(text, [...values]).values(),
          }),
        ),
      ),
    async page(filter, options) {
      const { text, values } = compilePage(filter, options, cutoffs('days'), POSTGRES, SOURCES)
      return toPage(await connection.use((sql) => sql.unsafe<StoredRow[]>(text, [...values])), options.limit)
    },
    async find(organisationId, callId) {
      const rows = await connection.use((sql) =>
        sql.unsafe<StoredRow[]>(
          `select ${RECORD} from ${SCHEMA}.calls where call_id = $1 and organisation_id = $2 order by attempt, id`,
          [callId, organisationId],
        ),
      )
      const kept = cutoffs('days')
      return rows.map(toRecord).filter((record) => isKept(kept, record))
    },
    async bodies(records) {
      if (records.length === 0) return []
      const times = records.map(({ time }) => time)
      const rows = await connection.use((sql) =>
        sql.unsafe<BodyRow[]>(BODIES, [
          JSON.stringify(records.map(({ id, time }) => ({ id, time }))),
          Math.min(...times),
          Math.max(...times),
        ]),
      )
      const kept = cutoffs('bodyDays')
      return rows.map(toBodies).filter((body) => isKept(kept, body))
    },
    arrivals: (since, limit) => connection.use((sql) => readArrivals(sql, since, limit)),
    async feedback(organisationId, id) {
      const row = await connection.use((sql) => readFeedback(sql, organisationId, id))
      return row !== undefined && isKept(cutoffs('days'), row) ? row : undefined
    },
    async size() {
      const [row] = await connection.use((sql) => sql.unsafe<{ bytes: number }[]>(SIZE))
      return row?.bytes
    },
    close: () => connection.close(),
  }
}

/** The times say in which partitions to look. */
const BODIES = `select b.record_id, b.organisation_id, b.workspace_id, b.time, b.sealed
  from json_to_recordset($1::text::json) as asked (id text, time bigint)
  join ${SCHEMA}.bodies b on b.record_id = asked.id and b.time = asked.time
  where b.time between $2 and $3`

const SIZE = `select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint as bytes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = '${SCHEMA}' and c.relkind = 'r'`

interface BodyRow {
  readonly record_id: string
  readonly organisation_id: string
  readonly workspace_id: string
  readonly time: number
  readonly sealed: Uint8Array
}

const toBodies = (row: BodyRow): SealedBodies => ({
  recordId: row.record_id,
  organisationId: row.organisation_id,
  workspaceId: row.workspace_id,
  time: row.time,
  sealed: new Uint8Array(row.sealed.buffer, row.sealed.byteOffset, row.sealed.byteLength),
})
