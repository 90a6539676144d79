import { type Alert, insertAlert, insertDeliveries, receiversOf } from '../store/objects/alerts.ts'
import { appendAudit, type NewAuditRow, SYSTEM_ACTOR } from '../store/objects/audit-log.ts'
import type { Db } from '../store/types.ts'

/** An alert before it is raised. */
export interface NewAlert extends Omit<Alert, 'id' | 'createdAt'> {
  /** What the audit log says of it. */
  readonly audit: Pick<NewAuditRow, 'action' | 'objectKind' | 'objectId'>
}

/**
 * Raises an alert, unless that was done before: its audit entry and its deliveries come with it, or none of them.
 * @param hasOperator the operator has a webhook
 */
export const raiseAlert = (db: Db, { audit, ...alert }: NewAlert, hasOperator: boolean): Promise<Alert | undefined> =>
  db.transaction(async (transaction) => {
    const raised = await insertAlert(transaction, alert)
    if (raised === undefined) return undefined
    const { workspaceId, organisationId, kind, data } = raised
    const receivers = workspaceId === null ? [] : await receiversOf(transaction, workspaceId, kind)
    await insertDeliveries(transaction, raised.id, hasOperator ? [...receivers, undefined] : receivers)
    await appendAudit(transaction, { ...SYSTEM_ACTOR, ...audit, organisationId, workspaceId, after: data })
    return raised
  })
