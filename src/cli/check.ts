import { withDryRuntime } from './dry-runtime.ts'
import type { Environment, ExitCode } from './terminal/environment.ts'
import { table } from './terminal/table.ts'

/** `weir check`: everything that a start would refuse in the config is refused here, and the chain it makes is printed. */
export const checkCommand = (environment: Environment, configFile: string | undefined): Promise<ExitCode> =>
  withDryRuntime<ExitCode>(environment, configFile, async ({ stages, providers, plugins }, { file, config }) => {
    const originOf = (name: string): string => plugins.find(({ plugin }) => plugin.name === name)?.origin ?? ''
    await environment.out(`The config is valid: ${file ?? 'no file, the defaults run'}\n\n`)
    await environment.out('Chain, outermost first\n')
    await environment.out(
      table(stages.map(({ stage, plugin, origin }, index) => [`  ${index + 1}`, stage.name, plugin, origin])),
    )
    await environment.out('\nProviders\n')
    await environment.out(table(providers.map(({ id }) => [`  ${id}`, originOf(id)])))
    const { issuers } = config.signIn
    if (issuers.length > 0) {
      await environment.out('\nIssuers of sign-ins\n')
      await environment.out(table(issuers.map(({ id, name, issuer }) => [`  ${id}`, name, issuer])))
    }
    return 0
  })
