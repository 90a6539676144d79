import { jwtSettingsProblem } from '../config/jwt-settings.ts'
import { type BuiltIns, type ListedPlugin, listPlugins } from '../config/plugin-list.ts'
import { signInViolations } from '../config/sign-in.ts'
import type { SoundConfig } from '../config/sound-part.ts'
import { check } from '../core/json/check.ts'
import type { Violation } from '../errors/gateway-error.ts'
import { inlineKeys } from '../management/tokens/jwks.ts'
import { createBlocks } from '../upstream/addresses.ts'
import { createTrustedHosts } from '../upstream/trusted-hosts.ts'

/** A plugin whose settings were checked. */
export interface InspectedPlugin extends ListedPlugin {
  /** The settings with all defaults filled in. */
  readonly checked: Settings
}

type Settings = Readonly<Record<string, unknown>>

export interface Inspection {
  readonly plugins: readonly InspectedPlugin[]
  readonly violations: readonly Violation[]
}

/** Settings that come from outside the file, by plugin: `WEIR_HEADER_PREFIXES` for `auth`. */
export type ExtraSettings = (plugin: string, settings: Settings) => Settings

/** Finds all that is wrong with a config beyond its form, without setting anything up. Files of plugins are loaded. */
export const inspectConfig = async (
  config: SoundConfig,
  folder: string,
  options: { readonly builtIns: BuiltIns; readonly extraSettings?: ExtraSettings },
): Promise<Inspection> => {
  const listed = await listPlugins(config.plugins, folder, options.builtIns)
  const violations = [...listed.violations]
  const plugins: InspectedPlugin[] = []
  for (const plugin of listed.plugins) {
    const result = checkSettings(plugin, options.extraSettings)
    if (result.violations === undefined) plugins.push({ ...plugin, checked: result.checked })
    else violations.push(...result.violations)
  }
  return {
    plugins,
    violations: [
      ...violations,
      ...hostViolations(config),
      ...proxyViolations(config),
      ...jwtViolations(config),
      ...signInViolations(config.signIn),
    ],
  }
}

/** First those of the file, whose keys have a place, then with what comes from outside. */
const checkSettings = (
  { plugin, settings, path }: ListedPlugin,
  extraSettings: ExtraSettings | undefined,
): { readonly checked: Settings; readonly violations?: undefined } | { readonly violations: readonly Violation[] } => {
  const own = check(plugin.config, settings, Number.POSITIVE_INFINITY)
  const name = `plugin '${plugin.name}'`
  if (!own.ok) return { violations: own.violations.map(path === undefined ? said(name) : within(path)) }
  const all = extraSettings?.(plugin.name, settings) ?? settings
  if (all === settings) return { checked: own.value }
  const checked = check(plugin.config, all)
  return checked.ok ? { checked: checked.value } : { violations: checked.violations.map(said(name)) }
}

const within =
  (root: string) =>
  ({ path, message }: Violation): Violation => ({
    path: path === '' || path.startsWith('[') ? `${root}${path}` : `${root}.${path}`,
    message,
  })

/** For settings that stand in no file. */
const said =
  (name: string) =>
  ({ path, message }: Violation): Violation => ({ path: path === '' ? name : `${name}: ${path}`, message })

const hostViolations = ({ egress }: SoundConfig): readonly Violation[] =>
  egress.trustedHosts.flatMap((entry, index) =>
    thrownBy(`egress.trustedHosts[${index}]`, () => createTrustedHosts([entry])),
  )

const proxyViolations = ({ server }: SoundConfig): readonly Violation[] =>
  server.trustedProxies.flatMap((entry, index) =>
    thrownBy(`server.trustedProxies[${index}]`, () => createBlocks([entry])),
  )

/** They take effect at the start alone, and are looked at whenever the file is. */
const jwtViolations = ({ jwt }: SoundConfig): readonly Violation[] => {
  if (jwt === undefined) return []
  const problem = jwtSettingsProblem(jwt)
  if (problem !== undefined) return [problem]
  return jwt.jwks === undefined ? [] : thrownBy('jwt.jwks', () => inlineKeys(jwt.jwks))
}

const thrownBy = (path: string, read: () => unknown): readonly Violation[] => {
  try {
    read()
    return []
  } catch (thrown) {
    return [{ path, message: thrown instanceof Error ? thrown.message : String(thrown) }]
  }
}
