import type { Config, ConfigVersion, CurrentConfig } from '../../store/configs.ts'
import type { ConfigObject } from './config-tree.ts'
import { toVersion2 } from './read-config.ts'
import { hideSecrets } from './secrets.ts'

/** A config without what it says: a row of a list. */
export const toConfigRow = (config: Config) => ({
  id: config.id,
  name: config.name,
  slug: config.slug,
  organisation_id: config.organisationId,
  workspace_id: config.workspaceId,
  status: config.status,
  is_default: config.isDefault ? 1 : 0,
  owner_id: config.ownerId,
  updated_by: config.updatedBy,
  created_at: config.createdAt.toISOString(),
  last_updated_at: config.lastUpdatedAt.toISOString(),
  object: 'config' as const,
})

export const toConfigDetail = ({ config, current }: CurrentConfig) => ({
  ...toConfigRow(config),
  ...toContent(current),
  ...wrapped(shown(current)),
})

/** A version in a list of them. */
export const toVersionRow = (config: Config, version: ConfigVersion) => ({
  ...toConfigRow(config),
  ...toContent(version),
  version_created_at: version.createdAt.toISOString(),
  version_owner_id: version.ownerId,
})

export const toVersionDetail = (config: Config, version: ConfigVersion) => ({
  ...toVersionRow(config, version),
  ...wrapped(shown(version)),
})

/** What the audit log keeps. */
export const toAuditRecord = ({ config, current }: CurrentConfig) => ({
  ...toConfigRow(config),
  version_id: current.id,
  config: shown(current),
})

/** The older interface has the config as a text in a flat answer, the newer one as an object in an envelope: both are sent. */
const toContent = (version: ConfigVersion) => ({
  config: JSON.stringify(shown(version)),
  format: 'json' as const,
  type: 'ORG_CONFIG' as const,
  version_id: version.id,
})

const wrapped = (config: ConfigObject) => ({ success: true as const, data: { config } })

const shown = ({ config, secrets }: ConfigVersion): ConfigObject => hideSecrets({ config: toVersion2(config), secrets })
