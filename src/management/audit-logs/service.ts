import { defined } from '../../core/defined.ts'
import { ManagementReference } from '../../errors/gateway-error.ts'
import { type AuditFilter, type AuditRow, listAudit } from '../../store/objects/audit-log.ts'
import { isUuid, type Paged } from '../../store/objects/rows.ts'
import { workspaceRows } from '../../store/objects/workspaces.ts'
import { API_KEY_KINDS } from '../../store/schema/api-keys.ts'
import type { Db } from '../../store/types.ts'
import { invalidField } from '../invalid-field.ts'
import { toPage } from '../list.ts'
import { toDate } from '../own-budgets/usage-limits.ts'
import type { ListAuditLogsQuery } from './model.ts'

/**
 * Rows of the organisation that fit the query, the newest first.
 * @throws ManagementInvalid for times that contradict each other; ManagementReference for an unknown workspace slug.
 */
export const findAuditRows = async (
  db: Db,
  organisationId: string,
  query: ListAuditLogsQuery,
): Promise<Paged<AuditRow>> => {
  const startTime = toDate(query.start_time, 'start_time')
  const endTime = toDate(query.end_time, 'end_time')
  if (endTime.getTime() <= startTime.getTime()) throw invalidField('end_time', 'must be after `start_time`')
  const workspaceId = await toWorkspaceId(db, organisationId, query.workspace_id)
  const isHopeless = query.country !== undefined || (query.response_status_code ?? 200) !== 200
  if (isHopeless) return { rows: [], total: 0 }
  const filter: AuditFilter = defined({
    organisationId,
    startTime: within(startTime),
    endTime: within(endTime),
    workspaceId,
    actorKinds: query.user_type === undefined ? undefined : query.user_type === 'user' ? ['user'] : API_KEY_KINDS,
    actorId: query.user_id,
    action: query.action,
    objectKind: query.resource_type,
    method: query.method,
    path: query.uri,
    requestId: query.request_id,
    sourceAddress: query.client_ip,
  })
  return listAudit(db, filter, toPage(query))
}

/** The interface can write years that Postgres cannot read from the text of a date; nothing happened in those. */
const within = (time: Date): Date => new Date(Math.min(Math.max(time.getTime(), 0), LAST_MS))
const LAST_MS = Date.UTC(9999, 11, 31)

/** An id stays as it is: the log also tells of workspaces that are gone. */
const toWorkspaceId = async (
  db: Db,
  organisationId: string,
  reference: string | undefined,
): Promise<string | undefined> => {
  if (reference === undefined || isUuid(reference)) return reference
  const found = await workspaceRows.find(db, { organisationId, reference })
  if (found === undefined) {
    throw new ManagementReference(`There is no workspace '${reference}'.`, { param: 'workspace_id' })
  }
  return found.id
}
