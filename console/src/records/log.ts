import { queryOptions } from '@tanstack/react-query'
import { gateway, take } from '../api/client.ts'
import type { paths } from '../api/schema.d.ts'

/** One call in full, as far as it is kept. */
export type Log = paths['/v2/logs/{logId}']['get']['responses'][200]['content']['application/json']

export const logQuery = (id: string) =>
  queryOptions({
    queryKey: ['record', id],
    queryFn: () => take(gateway.GET('/v2/logs/{logId}', { params: { path: { logId: id } } })),
  })
