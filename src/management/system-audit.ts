import { appendAudit, SYSTEM_ACTOR } from '../store/objects/audit-log.ts'
import type { Db } from '../store/types.ts'
import type { AuditEntry } from './route.ts'

/** Writes down what a gateway did by itself. Last in its transaction: see `appendAudit`. */
export const appendSystemAudit = async (transaction: Db, organisationId: string, entry: AuditEntry): Promise<void> => {
  await appendAudit(transaction, {
    organisationId,
    ...SYSTEM_ACTOR,
    ...entry,
  })
}
