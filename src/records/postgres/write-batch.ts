import type { Sql, TransactionSql } from 'postgres'
import type { CallRecord } from '../../core/records.ts'
import { inPieces } from '../batch-parts.ts'
import type { Placed, RecordBatch } from '../store.ts'
import { SCHEMA } from './names.ts'
import { addToRollups, type DeclaredKeys } from './rollups.ts'
import { bodyRows, callRows, feedbackRows, INSERT_BODIES, INSERT_CALLS, INSERT_FEEDBACK } from './rows.ts'

/** Up to where a spool is stored. */
export const readPosition = async (sql: Sql, spool: string): Promise<number> => {
  const [row] = await sql.unsafe<{ position: number }[]>(`select position from ${SCHEMA}.spools where spool = $1`, [
    spool,
  ])
  return row?.position ?? 0
}

/**
 * Stores all of a batch that is not stored yet. The row of its spool is locked until the end of the transaction: a second try
 * waits for the first. What all processes write to comes last and in one order, so that they wait for each other but shortly.
 */
export const writeBatch = async (
  transaction: TransactionSql,
  batch: RecordBatch,
  declaredKeys: DeclaredKeys,
): Promise<void> => {
  const place = await takePlace(transaction, batch.spool)
  if (place.position >= batch.to) return
  const missing = <Row>(rows: readonly Placed<Row>[]): readonly Placed<Row>[] =>
    rows.filter(({ position }) => position >= place.position)

  for (const bodies of inPieces(missing(batch.bodies))) await transaction.unsafe(INSERT_BODIES, [bodyRows(bodies)])
  const feedback = missing(batch.feedback)
  if (feedback.length > 0) await transaction.unsafe(INSERT_FEEDBACK, [feedbackRows(feedback, place.batch)])
  const records = missing(batch.records)
  if (records.length > 0) {
    const stored = await insertCalls(transaction, records, place.batch)
    if (stored.length > 0) {
      await arrive(
        transaction,
        place.batch,
        stored.map(({ time }) => time),
      )
      await addToRollups(transaction, stored, declaredKeys)
    }
  }
  await transaction.unsafe(`update ${SCHEMA}.spools set position = $2 where spool = $1`, [batch.spool, batch.to])
}

/** Up to where the spool is stored, and a number for its next batch. */
const takePlace = async (transaction: TransactionSql, spool: string): Promise<{ position: number; batch: number }> => {
  const [place] = await transaction.unsafe<{ position: number; batch: number }[]>(
    `insert into ${SCHEMA}.spools as known (spool, position) values ($1, 0)
     on conflict (spool) do update set seen_at = now()
     returning position, nextval('${SCHEMA}.batch_numbers') as batch`,
    [spool],
  )
  if (place === undefined) throw new Error('An insert that changes what is there gave no row.')
  return place
}

/** Those that were not there already, under another place. */
const insertCalls = async (
  transaction: TransactionSql,
  records: readonly Placed<CallRecord>[],
  batch: number,
): Promise<readonly CallRecord[]> => {
  const rows = await transaction.unsafe<{ position: number }[]>(INSERT_CALLS, [callRows(records, batch)], {
    prepare: true,
  })
  const stored = new Set(rows.map(({ position }) => position))
  return records.filter(({ position }) => stored.has(position)).map(({ row }) => row)
}

/** Gives the batch its place in the order of arrival, which others wait for from here to the end of the transaction. */
const arrive = async (transaction: TransactionSql, batch: number, times: readonly number[]): Promise<void> => {
  await transaction.unsafe(
    `with next as (update ${SCHEMA}.arrivals set last = last + 1 returning last)
     insert into ${SCHEMA}.batches (arrival, batch, rows, min_time, max_time) select last, $1, $2, $3, $4 from next`,
    [batch, times.length, Math.min(...times), Math.max(...times)],
  )
}
