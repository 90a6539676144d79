import type { Static } from '@sinclair/typebox'
import { toRecordFilter } from '../record-filter.ts'
import type { ManagementCall } from '../route.ts'
import type { LogsDeps } from './deps.ts'
import { placeOfLogs } from './list.ts'
import type { StreamLogs } from './model.ts'

type Call = Pick<ManagementCall<unknown, Static<typeof StreamLogs>>, 'actor' | 'db' | 'query'>

/** Records as they arrive, as server-sent events. */
export const streamLogs = async ({ actor, db, query }: Call, { now, tail }: LogsDeps): Promise<Response> => {
  const place = await placeOfLogs(db, actor, query.workspace_slug)
  const { where } = toRecordFilter(place, query, { nowMs: now(), retentionDays: 1 })
  const stream = await tail.listen(place, where)
  return new Response(stream, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' },
  })
}
