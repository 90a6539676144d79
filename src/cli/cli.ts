import { parseArgs } from 'node:util'
import { ConfigError } from '../config/config-error.ts'
import { nearest } from '../kit/check.ts'
import { VERSION } from '../version.ts'
import { checkCommand } from './check.ts'
import type { Environment, ExitCode } from './environment.ts'
import { healthcheck } from './healthcheck.ts'
import { listPluginsCommand } from './plugins.ts'
import { routesCommand } from './routes.ts'
import { schemaCommand } from './schema.ts'
import { start } from './start.ts'

interface Command {
  readonly about: string
  /** Whether it reads the config file, so takes `--config`. */
  readonly readsConfig: boolean
  run(environment: Environment, configFile: string | undefined): Promise<ExitCode>
}

const COMMANDS: Readonly<Record<string, Command>> = {
  start: { about: 'run the gateway', readsConfig: true, run: start },
  check: { about: 'validate the config and print the chain it makes', readsConfig: true, run: checkCommand },
  routes: { about: 'print every route with the chain that guards it', readsConfig: true, run: routesCommand },
  plugins: { about: 'list the built-in plugins and those that run', readsConfig: true, run: listPluginsCommand },
  schema: { about: 'print the JSON Schema of the config file, for editors', readsConfig: false, run: schemaCommand },
  healthcheck: { about: 'exit 0 when a gateway on this machine is alive', readsConfig: true, run: healthcheck },
}

const usage = (): string => {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length))
  const lines = Object.entries(COMMANDS).map(([name, { about }]) => `  ${name.padEnd(width)}  ${about}`)
  return `Weir ${VERSION}, a self-hosted LLM gateway

Usage: weir <command> [--config FILE]

${lines.join('\n')}

Options
  --config FILE  the config file; default: weir.config.{ts,yaml,json} in this folder
  --help         this text
  --version      the version
`
}

/** Runs one command. Wrong usage says what is wrong and gives 2; a command that cannot do its work gives 1. */
export const runCli = async (environment: Environment): Promise<ExitCode> => {
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(environment.arguments)
  } catch (thrown) {
    return wrongUsage(environment, thrown instanceof Error ? (thrown.message.split('. ')[0] ?? '') : String(thrown))
  }
  const { values, positionals } = parsed
  if (values.help) {
    await environment.out(usage())
    return 0
  }
  if (values.version) {
    await environment.out(`${VERSION}\n`)
    return 0
  }
  const [name, ...rest] = positionals
  if (name === undefined) return wrongUsage(environment, 'no command given')
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) {
    const near = nearest(name, Object.keys(COMMANDS))
    return wrongUsage(environment, `unknown command '${name}'${near === undefined ? '' : `, did you mean '${near}'?`}`)
  }
  if (rest.length > 0) return wrongUsage(environment, `'${name}' takes no argument '${rest[0]}'`)
  if (values.config !== undefined && !command.readsConfig) return wrongUsage(environment, `'${name}' takes no --config`)
  try {
    return await command.run(environment, values.config)
  } catch (thrown) {
    if (!isExpected(thrown)) throw thrown
    environment.error(`weir: ${thrown.message}\n`)
    return 1
  }
}

const parse = (args: readonly string[]) =>
  parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      config: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'v' },
    },
  })

const wrongUsage = (environment: Environment, problem: string): ExitCode => {
  environment.error(`weir: ${problem}\n\n${usage()}`)
  return 2
}

/** Faults of the operator's machine or files: told in one line. Anything else is a fault of ours and keeps its stack. */
const isExpected = (thrown: unknown): thrown is Error =>
  thrown instanceof ConfigError ||
  (thrown instanceof Error &&
    ['StoreUnavailable', 'PresetKeyRefused', 'QueryFailed', 'ListenError'].includes(thrown.name))
