import { countIntegrationWorkspaces, listIntegrationWorkspaces } from '../../store/integration-workspaces.ts'
import type { Integration } from '../../store/integrations.ts'
import type { Db } from '../../store/types.ts'
import { workspaceRows } from '../../store/workspaces.ts'

/** Only the total is of interest. */
const NO_ROWS = { offset: 0, limit: 1 }

/** How many workspaces may use the integration. */
export const countUsers = async (db: Db, integration: Integration): Promise<number> => {
  const { id, organisationId, workspaceId, globalWorkspaceAccess } = integration
  if (workspaceId !== null) return 1
  const granted = await countIntegrationWorkspaces(db, id)
  if (globalWorkspaceAccess?.enabled !== true) return granted
  const listed = await listIntegrationWorkspaces(db, id, NO_ROWS)
  const all = await workspaceRows.list(db, { organisationId }, NO_ROWS)
  return granted + all.total - listed.total
}
