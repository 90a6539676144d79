import type { CallRecord } from '../../core/records.ts'
import type { Placed, RecordBatch } from '../store.ts'
import type { Asking } from './client.ts'
import type { Names } from './names.ts'

/** A thousand rows are 100 kB. */
const MAX_QUERY_BYTES = '16777216'

/**
 * Ids of records that came in another batch before. The table makes one of such rows, but their sums, which are made as rows
 * come in, would have both. Rows of this very batch are not meant: whether its sums have them is known by its token.
 */
export const broughtBefore = async (
  { client, signal }: Asking,
  names: Names,
  { spool, from, to }: RecordBatch,
  records: readonly Placed<CallRecord>[],
): Promise<ReadonlySet<string>> => {
  if (records.length === 0) return new Set()
  const times = records.map(({ row }) => row.time)
  const keys = records.map(({ row }) => `(${literal(row.workspaceId)}, ${row.time}, ${literal(row.id)})`)
  const result = await client.query({
    // In the text, not in parameters: those are in the URL, which may not be as long.
    query: `select distinct id from ${names.all('calls')}
      where time between {first:Int64} and {last:Int64} and (workspace_id, time, id) in [${keys.join(', ')}]
        and not (spool = {spool:String} and position >= {from:Int64} and position < {to:Int64})`,
    query_params: { spool, from, to, first: Math.min(...times), last: Math.max(...times) },
    format: 'JSONEachRow',
    clickhouse_settings: { max_query_size: MAX_QUERY_BYTES },
    abort_signal: signal,
  })
  return new Set((await result.json<{ id: string }>()).map(({ id }) => id))
}

const literal = (text: string): string =>
  `'${text.replace(/[\\'\0]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`)}'`
