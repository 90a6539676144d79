import { Type as t } from '@sinclair/typebox'
import { type AnyRoute, defineRoute } from '../../route.ts'
import { Log, ReadLog } from './fields.ts'
import { type InsertLogsDeps, insertLogs } from './insert.ts'
import { NewLogs } from './model.ts'
import { type ReadLogDeps, readLog } from './read.ts'

/** Bytes of the calls that are handed in at once. */
const MAX_INSERT_BYTES = 10 * 1024 * 1024

export type OneLogDeps = ReadLogDeps & InsertLogsDeps

/** One log, and those of calls that were made elsewhere (interface contract, section 5.3). */
export const oneLogRoutes = (deps: OneLogDeps): readonly AnyRoute[] => [
  defineRoute({
    method: 'POST',
    path: '/logs',
    tag: 'Logs',
    summary: 'Hand in calls that were made elsewhere, one or several: all are kept, or none.',
    scopes: ['logs.write', 'completions.write'],
    plane: 'workspace',
    changes: false,
    maxBodyBytes: MAX_INSERT_BYTES,
    body: NewLogs,
    response: t.Literal('ok'),
    responseType: 'text/plain',
    async handle({ actor, body }) {
      await insertLogs(actor, Array.isArray(body) ? body : [body], deps)
      return new Response('ok', { headers: { 'content-type': 'text/plain; charset=utf-8' } })
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/logs/:logId',
    tag: 'Logs',
    summary: 'Read a log with its requests and answers. That these were looked at is in the audit log.',
    etag: true,
    scopes: ['logs.view'],
    plane: 'workspace',
    changes: false,
    audits: true,
    query: ReadLog,
    response: Log,
    handle: (call) => readLog(call, deps),
  }),
]
