import { type Alert, insertAlert, insertDeliveries, receiversOf } from '../store/objects/alerts.ts'
import { appendAudit, type NewAuditRow } from '../store/objects/audit-log.ts'
import type { Db } from '../store/types.ts'

/** An alert before it is raised. */
export interface NewAlert extends Omit<Alert, 'id' | 'createdAt'> {
  /** What the audit log says of it. */
  readonly audit: Pick<NewAuditRow, 'action' | 'objectKind' | 'objectId'>
}

/** Who the audit log names for what nobody asked for. */
const WEIR = { actorKind: 'system', actorId: 'weir', actorName: 'Weir' } as const

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
    await appendAudit(transaction, { ...WEIR, ...audit, organisationId, workspaceId, after: data })
    return raised
  })
