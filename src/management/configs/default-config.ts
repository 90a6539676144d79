import { ManagementConflict, ManagementReference } from '../../errors/gateway-error.ts'
import { type Config, configRows, findKeysNaming, holdDefault, releaseDefault } from '../../store/objects/configs.ts'
import type { Db } from '../../store/types.ts'

/** Names that a refusal lists. */
const LISTED = 5

/**
 * A config that calls take without naming it must stay: they would go elsewhere, or fail. It must have been found with the
 * lock `change`.
 * @throws ManagementConflict naming who takes it
 */
export const refuseWhileUsed = async (transaction: Db, config: Config, what: 'archived' | 'deleted'): Promise<void> => {
  const keys = await findKeysNaming(transaction, config)
  const users = [
    ...(config.isDefault ? ['its workspace'] : []),
    ...keys.slice(0, LISTED).map((name) => `the key '${name}'`),
    ...(keys.length > LISTED ? ['other keys'] : []),
  ]
  if (users.length === 0) return
  throw new ManagementConflict(
    `The config '${config.slug}' cannot be ${what} while it is the default of ${users.join(', ')}.`,
  )
}

/** @param param the field that names the config */
export const unknownConfig = (reference: string, param: string): ManagementReference =>
  new ManagementReference(`There is no config '${reference}' in the workspace.`, { param })

/**
 * The config that a default names, by id or slug. Nobody can take it away until the end of the transaction.
 * @param param the field that names it
 * @throws ManagementReference when the workspace has no such config in use
 */
export const reachDefault = async (
  transaction: Db,
  workspaceId: string,
  reference: string,
  param: string,
): Promise<Config> => {
  const found = await configRows.find(transaction, { workspaceId, reference }, 'keep')
  if (found?.status === 'active') return found
  throw unknownConfig(reference, param)
}

/**
 * Makes a config the default one of its workspace, or none at all.
 * @throws ManagementReference when the workspace has no such config in use
 */
export const chooseDefault = async (
  transaction: Db,
  workspaceId: string,
  reference: string | null,
  { by, param }: { readonly by: string; readonly param: string },
): Promise<void> => {
  await holdDefault(transaction, workspaceId)
  const found = reference === null ? undefined : await reachDefault(transaction, workspaceId, reference, param)
  if (found?.isDefault === true) return
  await releaseDefault(transaction, workspaceId, by)
  if (found !== undefined) await configRows.update(transaction, { id: found.id, isDefault: true, updatedBy: by })
}
