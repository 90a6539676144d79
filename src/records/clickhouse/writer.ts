import type { ClickHouseSettings } from '@clickhouse/client-web'
import { daysOf, inPieces } from '../batch-parts.ts'
import { BatchRefused, type Placed, type RecordBatch, type RecordWriter } from '../store.ts'
import { broughtBefore } from './brought-before.ts'
import { type Asking, ClickhouseRefused, openClient } from './client.ts'
import { type ClickhousePlace, type Names, namesOf, type Table } from './names.ts'
import { bodyRow, callRow, feedbackRow, type JsonRow } from './rows.ts'
import { prepareSchema } from './schema.ts'
import { sweep } from './sweep.ts'

export interface ClickhouseWriterOptions {
  /** `http://user:password@host:port`, https in the open. */
  readonly url: string
  readonly place: ClickhousePlace
}

const TIMEOUT_MS = 45_000
const SWEEP_TIMEOUT_MS = 600_000

const SETTINGS: ClickHouseSettings = {
  // The answer says that rows are stored, not that they wait in memory; and each insert is one block, known by its token.
  async_insert: 0,
  wait_end_of_query: 1,
  insert_deduplicate: 1,
  deduplicate_blocks_in_dependent_materialized_views: 1,
  distributed_foreground_insert: 1,
  input_format_parallel_parsing: 0,
  max_insert_block_size: '1000000',
  // After an outage a batch may be about many days.
  max_partitions_per_insert_block: '0',
  // What a row must have and has not is an error, not zero.
  input_format_null_as_default: 0,
  input_format_defaults_for_omitted_fields: 1,
}

// https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp: what cannot be read as a value, or kept as one.
const REFUSALS: ReadonlySet<number> = new Set([
  6, 26, 27, 33, 38, 41, 53, 69, 70, 72, 117, 130, 131, 169, 246, 321, 349, 441, 467, 676,
])

/**
 * Opens the writing end. Makes the tables when it is first used.
 *
 * There are no transactions: a batch is known by its place in the spool, and every insert of it by a token, so that what
 * was stored before something failed is left out when the batch comes again. Its position is stored last.
 * @throws StoreUnavailable for what is no URL of ClickHouse, TypeError for names that cannot be
 */
export const openClickhouseWriter = ({ url, place }: ClickhouseWriterOptions): RecordWriter => {
  const names = namesOf(place)
  const client = openClient({ url, timeoutMs: TIMEOUT_MS, settings: SETTINGS })
  const sweeper = openClient({ url, timeoutMs: SWEEP_TIMEOUT_MS, settings: {} })
  const positions = new Map<string, number>()
  let isPrepared = false

  const prepare = async (): Promise<void> => {
    if (!isPrepared) await prepareSchema(client, place)
    isPrepared = true
  }

  const position = async (spool: string): Promise<number> => {
    await prepare()
    const known = positions.get(spool)
    if (known !== undefined) return known
    const found = await client.use((asking) => readPosition(asking, names, spool))
    positions.set(spool, found)
    return found
  }

  return {
    async write(batch) {
      const stored = await position(batch.spool)
      if (stored >= batch.to) return
      // Only looks whether they are days.
      daysOf(batch)
      try {
        await client.use((asking) => writeBatch(asking, names, batch, stored))
      } catch (error) {
        if (!(error instanceof ClickhouseRefused && REFUSALS.has(error.code))) throw error
        throw new BatchRefused(`ClickHouse does not take a row (code ${error.code}).`)
      }
      positions.set(batch.spool, batch.to)
    },
    position,
    /** Sums by metadata are made by the server as rows come in, for the keys that all have. */
    declare() {},
    async expire(nowMs, rules) {
      await prepare()
      await sweeper.use((asking) => sweep(asking, place, nowMs, rules))
    },
    async close() {
      await Promise.all([client.close(), sweeper.close()])
    },
  }
}

const readPosition = async ({ client, signal }: Asking, names: Names, spool: string): Promise<number> => {
  const result = await client.query({
    query: `select toString(max(position)) as position from ${names.all('spools')} where spool = {spool:String}`,
    query_params: { spool },
    format: 'JSONEachRow',
    abort_signal: signal,
  })
  const [row] = await result.json<{ position: string }>()
  return Number(row?.position ?? 0)
}

const writeBatch = async (asking: Asking, names: Names, batch: RecordBatch, stored: number): Promise<void> => {
  const { spool, to } = batch
  // Half of it may be stored as a batch of its own: the rest has the token that it had as the other half.
  const from = Math.max(batch.from, stored)
  const missing = <Row>(rows: readonly Placed<Row>[]): readonly Placed<Row>[] =>
    rows.filter(({ position }) => position >= stored)
  const insert = async (table: Table, rows: readonly JsonRow[], piece = 0): Promise<void> => {
    if (rows.length === 0) return
    await asking.client.insert({
      table: names.all(table),
      values: rows,
      format: 'JSONEachRow',
      clickhouse_settings: { insert_deduplication_token: `${spool}:${from}:${to}:${piece}` },
      abort_signal: asking.signal,
    })
  }
  for (const [piece, bodies] of [...inPieces(missing(batch.bodies))].entries()) {
    await insert('bodies', bodies.map(bodyRow), piece)
  }
  await insert(
    'feedback',
    missing(batch.feedback).map((row) => feedbackRow(row, spool)),
  )
  const records = missing(batch.records)
  // Rows are made first: what cannot be one is not asked about.
  const calls = records.map((row) => [row.row.id, callRow(row, spool)] as const)
  const known = await broughtBefore(asking, names, batch, records)
  await insert(
    'calls',
    calls.flatMap(([id, row]) => (known.has(id) ? [] : [row])),
  )
  await insert('spools', [{ spool, position: to }])
}
