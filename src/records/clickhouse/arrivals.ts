import { COLUMN_NAMES, type StoredRow, toRecord } from '../columns.ts'
import type { RecordReader } from '../store.ts'
import type { Names } from './names.ts'
import type { Select } from './select.ts'

/** Rows in the order in which the server got them, and of those of one insert in that of their process. */
interface Place {
  /** Microseconds since 1970. */
  readonly at: number
  readonly position: number
  readonly spool: string
}

const toPlace = (text: string): Place | undefined => {
  const [, at, position, spool] = /^(\d{1,16})\.(-?\d{1,16})\.(.*)$/s.exec(text) ?? []
  return at === undefined ? undefined : { at: Number(at), position: Number(position), spool: spool ?? '' }
}

const toText = ({ at, position, spool }: Place): string => `${at}.${position}.${spool}`

/**
 * What was stored since then, by any process. A place that is none of ours is the end.
 * @param settleMs rows are shown so long after they came in: until then an earlier one may appear, on another server
 */
export const readArrivals = async (
  select: Select,
  names: Names,
  since: string | undefined,
  limit: number,
  settleMs: number,
): ReturnType<RecordReader['arrivals']> => {
  const until = `now64(6) - interval ${Math.round(settleMs)} millisecond`
  const place = since === undefined ? undefined : toPlace(since)
  if (place === undefined) {
    const [row] = await select<{ at: number }>(`select toUnixTimestamp64Micro(${until}) as at`, {})
    return { records: [], at: toText({ at: row?.at ?? 0, position: -1, spool: '' }) }
  }
  const rows = await select<StoredRow & { stored: number; spool: string; position: number }>(
    `select ${COLUMN_NAMES.join(', ')}, toUnixTimestamp64Micro(stored_at) as stored, spool, position from ${names.all('calls')}
     where stored_at >= fromUnixTimestamp64Micro({at:Int64}) and stored_at <= ${until}
       and (toUnixTimestamp64Micro(stored_at), spool, position) > ({at:Int64}, {spool:String}, {position:Int64})
     order by stored_at, spool, position limit {limit:UInt32}`,
    { ...place, limit },
  )
  const last = rows.at(-1)
  return {
    records: rows.map(toRecord),
    at: toText(last === undefined ? place : { at: last.stored, position: last.position, spool: last.spool }),
  }
}
