import { openOwnStoreForCommand } from '../compose/own-store.ts'
import { listAuditedOrganisations, verifyAuditChain } from '../store/objects/audit-log.ts'
import type { Environment, ExitCode } from './terminal/environment.ts'

/**
 * `weir audit verify`: walks the audit log of every organisation and checks that no row was changed, taken away or put
 * in between. Exit code 1 names the first row that does not fit. Reads only.
 * @throws StoreUnavailable
 */
export const auditVerifyCommand = async (environment: Environment): Promise<ExitCode> => {
  const store = await openOwnStoreForCommand(environment)
  try {
    const organisations = await listAuditedOrganisations(store.db)
    for (const organisationId of organisations) {
      const broken = await verifyAuditChain(store.db, organisationId)
      if (broken === undefined) continue
      const problem =
        broken.broken === 'content' ? 'was changed after it was written' : 'does not follow the row before it'
      environment.error(
        `weir: the audit log is broken: organisation ${organisationId}, row ${broken.id} (sequence ${broken.sequence}) ${problem}\n`,
      )
      return 1
    }
    await environment.out(`The audit log is intact: ${organisations.length} organisation(s) checked.\n`)
    return 0
  } finally {
    await store.close()
  }
}
