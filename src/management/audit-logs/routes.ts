import { type AnyRoute, defineRoute } from '../route.ts'
import { AuditLogs, auditAnswer, ListAuditLogs } from './model.ts'
import { findAuditRows } from './service.ts'

/** Who changed what, and when (interface contract, section 8). */
export const auditLogsRoutes = (): readonly AnyRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/audit-logs',
    tag: 'Audit logs',
    summary: 'List the changes of the organisation, the newest first.',
    scopes: ['audit_logs.list'],
    plane: 'organisation',
    changes: false,
    query: ListAuditLogs,
    response: AuditLogs,
    async handle({ actor, db, query }) {
      const { rows, total } = await findAuditRows(db, actor.organisationId, query)
      return { object: 'list', total, records: rows.map(auditAnswer.of) }
    },
  }),
]
