import { builtInPlugins } from '../../plugins/built-in.ts'
import { withDryRuntime } from './dry-runtime.ts'
import type { Environment, ExitCode } from './environment.ts'
import { table } from './table.ts'

/** `weir plugins`: what runs with this config and where it comes from, then the built-in plugins that do not run. */
export const listPluginsCommand = (environment: Environment, configFile: string | undefined): Promise<ExitCode> =>
  withDryRuntime<ExitCode>(environment, configFile, async ({ plugins, stages }) => {
    const running = new Set(plugins.map(({ plugin }) => plugin.name))
    const settingsOf = (config: { properties: Record<string, unknown> }): string =>
      Object.keys(config.properties).join(', ')
    const kindOf = (name: string): string => (stages.some(({ plugin }) => plugin === name) ? 'stage' : 'provider')
    await environment.out(
      table([
        ['PLUGIN', 'KIND', 'STATE', 'ORIGIN', 'SETTINGS'],
        ...plugins.map(({ plugin, origin }) => [
          plugin.name,
          kindOf(plugin.name),
          'running',
          origin,
          settingsOf(plugin.config),
        ]),
        ...builtInPlugins
          .filter(({ name }) => !running.has(name))
          .map(({ name, config }) => [name, '', 'not listed', 'built-in', settingsOf(config)]),
      ]),
    )
    return 0
  })
