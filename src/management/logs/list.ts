import type { RecordFilter } from '../../records/question.ts'
import type { RecordPage } from '../../records/store.ts'
import type { Actor } from '../actor.ts'
import { toRecordFilter } from '../record-filter.ts'
import { type Place, placeOf } from '../resolve-workspace.ts'
import type { ManagementCall } from '../route.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import type { LogsDeps } from './deps.ts'
import type { ListLogsQuery } from './model.ts'
import { toRows } from './rows.ts'
import { searchPage } from './search.ts'

type Call = Pick<ManagementCall<unknown, ListLogsQuery>, 'actor' | 'db' | 'query' | 'require' | 'signal'>

/** A page of logs. Its `next` stays where it is while records arrive: it is the time and id of the last row. */
export const listLogs = async ({ actor, db, query, require, signal }: Call, deps: LogsDeps) => {
  if (query.search !== undefined) require('logs.view')
  const { now, records, retentionDays } = deps
  const place = await placeOfLogs(db, actor, query.workspace_slug)
  const filter = toRecordFilter(place, query, { nowMs: now(), retentionDays: retentionDays(place) })
  const found = await pageOf(filter, query, actor.id, deps, signal)
  return {
    object: 'list' as const,
    data: await toRows(db, records, actor.organisationId, found.page.records, now()),
    has_more: found.page.next !== undefined,
    next: found.page.next === undefined ? null : encodeCursor(found.page.next),
    ...(found.search === undefined ? {} : { search: found.search }),
  }
}

interface Found {
  readonly page: RecordPage
  readonly search?: { readonly complete: boolean; readonly looked_at: number }
}

const pageOf = async (
  filter: RecordFilter,
  query: ListLogsQuery,
  keyId: string,
  deps: LogsDeps,
  signal: AbortSignal,
): Promise<Found> => {
  const { search, cursor, limit } = query
  const order = query.order === 'asc' ? 'oldest' : 'newest'
  const after = cursor === undefined ? undefined : decodeCursor(cursor, 'cursor')
  const options = { limit, after, order } as const
  if (search === undefined) return { page: await deps.records.page(filter, options) }
  const { page, isComplete, lookedAt } = await searchPage(filter, { ...options, search, keyId }, deps, signal)
  return { page, search: { complete: isComplete, looked_at: lookedAt } }
}

/** Whose logs a caller sees: those of the workspace of its key, whatever it names; else of the one named, or of all. */
export const placeOfLogs = async (
  db: ManagementCall<unknown, unknown>['db'],
  actor: Actor,
  reference: string | undefined,
): Promise<Place> => {
  const { organisationId, workspaceId } = actor
  return workspaceId === undefined ? placeOf(db, actor, reference, 'workspace_slug') : { organisationId, workspaceId }
}
