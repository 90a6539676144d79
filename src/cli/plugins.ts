import { builtInsByKind } from '../../plugins/built-in.ts'
import { withDryRuntime } from './dry-runtime.ts'
import type { Environment, ExitCode } from './terminal/environment.ts'
import { table } from './terminal/table.ts'

/** `weir plugins`: what runs with this config and where it comes from, then the built-in plugins that do not run. */
export const listPluginsCommand = (environment: Environment, configFile: string | undefined): Promise<ExitCode> =>
  withDryRuntime<ExitCode>(environment, configFile, async ({ plugins, kinds }) => {
    const running = new Set(plugins.map(({ plugin }) => plugin.name))
    const settingsOf = (config: { properties: Record<string, unknown> }): string =>
      Object.keys(config.properties).join(', ')
    await environment.out(
      table([
        ['PLUGIN', 'KIND', 'STATE', 'ORIGIN', 'SETTINGS', 'NEEDS'],
        ...plugins.map(({ plugin, origin }) => [
          plugin.name,
          kinds.get(plugin.name)?.join(', ') ?? '',
          'running',
          origin,
          settingsOf(plugin.config),
          plugin.needs?.join(', ') ?? '',
        ]),
        ...Object.entries(builtInsByKind).flatMap(([kind, built]) =>
          built
            .filter(({ name }) => !running.has(name))
            .map(({ name, config, needs = [] }) => [
              name,
              kind,
              'not listed',
              'built-in',
              settingsOf(config),
              needs.join(', '),
            ]),
        ),
      ]),
    )
    return 0
  })
