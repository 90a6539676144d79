import { configs, configVersions } from './schema/configs.ts'
import { type At, versionedRowsOf } from './versioned-rows.ts'

export type Config = Readonly<typeof configs.$inferSelect>
export type ConfigVersion = Readonly<typeof configVersions.$inferSelect>
export type ConfigAt = At<Config, ConfigVersion>

/** What a new version says. */
export type ConfigContent = Pick<ConfigVersion, 'config' | 'secrets'>

/** Constraint that a second config of the same slug breaks, for `isUniqueViolation`. */
export const CONFIG_SLUG_TAKEN = 'configs_workspace_slug'

/** A new default config needs `releaseDefault` of `default-configs.ts` first. */
export const configRows = versionedRowsOf(configs, configVersions, 'configId')
