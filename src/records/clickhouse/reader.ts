import type { ClickHouseSettings } from '@clickhouse/client-web'
import type { SealedBodies } from '../../core/records.ts'
import { COLUMN_NAMES, type StoredRow, toRecord } from '../columns.ts'
import { type FeedbackRow, toFeedback } from '../feedback-row.ts'
import { answerQuestion } from '../query/answer.ts'
import type { PartStatement } from '../query/asked.ts'
import type { Sources } from '../query/dialect.ts'
import { compilePage, toPage } from '../query/page.ts'
import { type Cutoffs, cutoffsOf, isKept } from '../retention.ts'
import { COMMON_KEYS } from '../rollups/facets.ts'
import { packHistogram } from '../rollups/histogram.ts'
import type { RecordReader, Retention, RetentionRules } from '../store.ts'
import { readArrivals } from './arrivals.ts'
import { type Client, openClient } from './client.ts'
import { CLICKHOUSE, parametersOf } from './dialect.ts'
import { findFeedback, lastFeedback } from './feedback.ts'
import { type ClickhousePlace, namesOf } from './names.ts'
import { prepareSchema } from './schema.ts'
import { MERGED, selectFrom } from './select.ts'

export interface ClickhouseReaderOptions {
  /** `http://user:password@host:port`, https in the open. */
  readonly url: string
  readonly place: ClickhousePlace
  /** What is past it is not shown, though it may still be there. */
  rules(): RetentionRules
  readonly now?: () => number
  /** For one statement. */
  readonly deadlineMs?: number
  /** Arrivals are shown so long after they came in. */
  readonly settleMs?: number
}

const DEADLINE_MS = 5_000
/** The server is to say that it took too long, before it is given up here. */
const GRACE_MS = 1_000
const SETTLE_MS = 1_000

const settingsOf = ({ cluster }: ClickhousePlace, deadlineMs: number): ClickHouseSettings => ({
  // Nothing but reading, whatever the user may do.
  readonly: '2',
  max_execution_time: Math.ceil(deadlineMs / 1_000),
  max_rows_to_read: '2000000000',
  max_result_rows: '2000000',
  result_overflow_mode: 'throw',
  // As SQL says: what has no partner is null, and so is the least of nothing.
  join_use_nulls: 1,
  aggregate_functions_null_for_empty: 1,
  output_format_json_quote_64bit_integers: 0,
  ...(cluster !== undefined && { distributed_product_mode: 'global' }),
})

/**
 * Opens the reading end. Makes the tables when it is first asked.
 * @throws StoreUnavailable for what is no URL of ClickHouse, TypeError for names that cannot be
 */
export const openClickhouseReader = (options: ClickhouseReaderOptions): RecordReader => {
  const { url, place, rules, now = Date.now, deadlineMs = DEADLINE_MS, settleMs = SETTLE_MS } = options
  const names = namesOf(place)
  const maker = openClient({ url, timeoutMs: deadlineMs + GRACE_MS, settings: {} })
  const asked = openClient({ url, timeoutMs: deadlineMs + GRACE_MS, settings: settingsOf(place, deadlineMs) })
  let isPrepared = false
  const client: Client = {
    async use(work) {
      if (!isPrepared) await prepareSchema(maker, place)
      isPrepared = true
      return asked.use(work)
    },
    close: async () => {
      await Promise.all([maker.close(), asked.close()])
    },
  }
  const select = selectFrom(client)
  const sources: Sources = { calls: names.all('calls'), feedback: lastFeedback(names), rollups: names.all('rollups') }
  const cutoffs = (kind: keyof Retention): Cutoffs => cutoffsOf(now(), rules(), kind)

  return {
    ask: (question) =>
      answerQuestion(question, {
        dialect: CLICKHOUSE,
        sources,
        // Which keys a workspace declared is not known to the server, which makes the sums.
        hasFacet: (key) => COMMON_KEYS.includes(key),
        cutoffs: cutoffs('days'),
        run: (statement) => run(client, statement, sources),
      }),
    async page(filter, pageOptions) {
      const { text, values } = compilePage(filter, pageOptions, cutoffs('days'), CLICKHOUSE, sources)
      return toPage(await select<StoredRow>(text, parametersOf(values)), pageOptions.limit)
    },
    async find(organisation, call) {
      const rows = await select<StoredRow>(
        `select ${COLUMN_NAMES.join(', ')} from ${names.all('calls')}
         where call_id = {call:String} and organisation_id = {organisation:String} order by attempt, id`,
        { call, organisation },
      )
      const kept = cutoffs('days')
      return rows.map(toRecord).filter((record) => isKept(kept, record))
    },
    async bodies(records) {
      if (records.length === 0) return []
      const times = records.map(({ time }) => time)
      const rows = await select<BodyRow>(
        `select record_id, organisation_id, workspace_id, time, sealed from ${names.all('bodies')}
         where record_id in (select arrayJoin(splitByChar(',', {ids:String}))) and time between {from:Int64} and {to:Int64}`,
        { ids: records.map(({ id }) => id).join(','), from: Math.min(...times), to: Math.max(...times) },
      )
      const kept = cutoffs('bodyDays')
      return rows.map(toBodies).filter((body) => isKept(kept, body))
    },
    arrivals: (since, limit) => readArrivals(select, names, since, limit, settleMs),
    async feedback(organisation, id) {
      const [row] = await select<FeedbackRow>(findFeedback(names), { organisation, id })
      const feedback = row && toFeedback(row)
      return feedback && isKept(cutoffs('days'), feedback) ? feedback : undefined
    },
    async size() {
      const [row] = await select<{ bytes: number }>(
        'select sum(bytes_on_disk) as bytes from system.parts where active and database = {database:String}',
        { database: place.database },
      )
      return row?.bytes
    },
    close: () => client.close(),
  }
}

const run = (client: Client, { text, values, rows }: PartStatement, sources: Sources) =>
  client.use(async ({ client, signal }) => {
    const result = await client.query({
      query: text,
      query_params: parametersOf(values),
      format: 'JSONCompactEachRow',
      // Sums need no merging: what waits for it is added up.
      clickhouse_settings: text.includes(sources.rollups) ? {} : MERGED,
      abort_signal: signal,
    })
    const found = await result.json<readonly unknown[]>()
    return rows === 'packed' ? found.map(packLast) : found
  })

/** Histograms are maps here: bytes are what all stores answer with. */
const packLast = (row: readonly unknown[]): readonly unknown[] => {
  const counts = Object.entries(row.at(-1) as Readonly<Record<string, number>>)
  const histogram = new Map(counts.map(([bucket, count]) => [Number(bucket), Number(count)]))
  return [...row.slice(0, -1), histogram.size === 0 ? null : packHistogram(histogram)]
}

interface BodyRow {
  readonly record_id: string
  readonly organisation_id: string
  readonly workspace_id: string
  readonly time: number
  readonly sealed: string
}

const toBodies = (row: BodyRow): SealedBodies => ({
  recordId: row.record_id,
  organisationId: row.organisation_id,
  workspaceId: row.workspace_id,
  time: row.time,
  sealed: Uint8Array.from(Buffer.from(row.sealed, 'base64')),
})
