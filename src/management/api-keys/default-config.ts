import type { Db } from '../../store/types.ts'
import { reachDefault } from '../configs/default-config.ts'
import { invalidField } from '../invalid-field.ts'
import type { KeySettings } from './settings.ts'

const FIELD = 'defaults.config_id'

/**
 * The settings of a key once the config that they name is known to exist; it stays until the end of the transaction.
 * @param workspaceId of the key; null for a key of the organisation
 * @throws ManagementInvalid for a key that calls no models; ManagementReference when the workspace has no such config
 */
export const withKnownConfig = async <Settings extends KeySettings>(
  transaction: Db,
  workspaceId: string | null,
  settings: Settings,
): Promise<Settings> => {
  const configId = settings.defaults?.configId
  if (configId === undefined) return settings
  if (workspaceId === null) throw invalidField(FIELD, 'is for keys of a workspace')
  const config = await reachDefault(transaction, workspaceId, configId, FIELD)
  // Named as it was written, but so that it can be found again.
  const reference = configId === config.slug ? config.slug : config.id
  return { ...settings, defaults: { ...settings.defaults, configId: reference } }
}
