import type { Sql } from 'postgres'
import { COLUMN_NAMES, type StoredRow, toRecord } from '../columns.ts'
import type { RecordReader } from '../store.ts'
import { SCHEMA } from './names.ts'

/** Batches in the order in which they were stored: all up to `arrival` were seen, and so many rows of the next. */
interface Place {
  readonly arrival: number
  readonly rows: number
}

interface Batch {
  readonly arrival: number
  readonly batch: number
  readonly rows: number
  readonly min_time: number
  readonly max_time: number
}

const toPlace = (text: string): Place | undefined => {
  const [, arrival, rows] = /^(\d{1,15})\.(\d{1,15})$/.exec(text) ?? []
  return arrival === undefined ? undefined : { arrival: Number(arrival), rows: Number(rows) }
}

const toText = ({ arrival, rows }: Place): string => `${arrival}.${rows}`

/** What was stored since then, by any process. A place that is none of ours is the end. */
export const readArrivals = async (
  sql: Sql,
  since: string | undefined,
  limit: number,
): ReturnType<RecordReader['arrivals']> => {
  const place = since === undefined ? undefined : toPlace(since)
  if (place === undefined) {
    const [row] = await sql.unsafe<{ last: number }[]>(`select last from ${SCHEMA}.arrivals`)
    return { records: [], at: toText({ arrival: row?.last ?? 0, rows: 0 }) }
  }
  const batches = await batchesAfter(sql, place, limit)
  if (batches.length === 0) return { records: [], at: toText(place) }
  const rows = await rowsOf(sql, batches)
  let at = place
  const records: StoredRow[] = []
  for (const { arrival, batch } of batches) {
    const seen = arrival === place.arrival + 1 ? place.rows : 0
    const arrived = rows.get(batch) ?? []
    const taken = arrived.slice(seen, seen + limit - records.length)
    records.push(...taken)
    if (seen + taken.length < arrived.length) return answer(records, { arrival: at.arrival, rows: seen + taken.length })
    at = { arrival, rows: 0 }
  }
  return answer(records, at)
}

const answer = (rows: readonly StoredRow[], at: Place) => ({ records: rows.map(toRecord), at: toText(at) })

/** As many as are needed for the limit. */
const batchesAfter = async (sql: Sql, place: Place, limit: number): Promise<readonly Batch[]> => {
  const found = await sql.unsafe<Batch[]>(
    `select arrival, batch, rows, min_time, max_time from ${SCHEMA}.batches where arrival > $1 order by arrival limit $2`,
    [place.arrival, limit],
  )
  let rows = -place.rows
  return found.filter((batch) => {
    const isNeeded = rows < limit
    rows += batch.rows
    return isNeeded
  })
}

/** Rows of batches, in the order in which their process made them. */
const rowsOf = async (sql: Sql, batches: readonly Batch[]): Promise<ReadonlyMap<number, readonly StoredRow[]>> => {
  const rows = await sql.unsafe<(StoredRow & { readonly batch: number })[]>(
    `select ${COLUMN_NAMES.join(', ')}, batch from ${SCHEMA}.calls
     where batch = any (string_to_array($1, ',')::bigint[]) and time between $2 and $3 order by batch, position`,
    [
      batches.map(({ batch }) => batch).join(','),
      Math.min(...batches.map(({ min_time }) => min_time)),
      Math.max(...batches.map(({ max_time }) => max_time)),
    ],
  )
  return Map.groupBy(rows, ({ batch }) => batch)
}
