import { type AnyRoute, defineRoute } from '../route.ts'
import type { LogsDeps } from './deps.ts'
import { listLogs } from './list.ts'
import { ListLogs, LogEvents, LogList, StreamLogs } from './model.ts'
import { streamLogs } from './stream.ts'

/** Lists of what happened (ours, beside the documented `GET /logs/{id}`). */
export const logsRoutes = (deps: LogsDeps): readonly AnyRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/logs',
    tag: 'Logs',
    summary: 'List calls that were made, the newest first.',
    scopes: ['logs.list'],
    plane: 'workspace',
    changes: false,
    query: ListLogs,
    response: LogList,
    handle: (call) => listLogs(call, deps),
  }),
  defineRoute({
    method: 'GET',
    path: '/logs/stream',
    tag: 'Logs',
    summary: 'Follow calls as they are made, as server-sent events.',
    scopes: ['logs.list'],
    plane: 'workspace',
    changes: false,
    query: StreamLogs,
    response: LogEvents,
    responseType: 'text/event-stream',
    handle: (call) => streamLogs(call, deps),
  }),
]
