import { parseArgs } from 'node:util'
import { ConfigError } from '../config/config-error.ts'
import { nearest } from '../kit/check.ts'
import { VERSION } from '../version.ts'
import { auditVerifyCommand } from './audit.ts'
import { checkCommand } from './check.ts'
import { configMigrateCommand } from './config-migrate.ts'
import type { Environment, ExitCode } from './environment.ts'
import { healthcheck } from './healthcheck.ts'
import { keysCommand } from './keys.ts'
import { listPluginsCommand } from './plugins.ts'
import { promptsCommand } from './prompts.ts'
import { providersCommand } from './providers.ts'
import { rotateMasterKeyCommand } from './rotate-master-key.ts'
import { routesCommand } from './routes.ts'
import { schemaCommand } from './schema.ts'
import { start } from './start.ts'

interface Command {
  readonly about: string
  /** Whether it reads the config file, so takes `--config`. */
  readonly readsConfig: boolean
  run(environment: Environment, configFile: string | undefined): Promise<ExitCode>
}

interface Group {
  readonly about: string
  readonly actions: readonly string[]
  run(environment: Environment, args: readonly string[]): Promise<ExitCode>
}

const COMMANDS: Readonly<Record<string, Command>> = {
  start: { about: 'run the gateway', readsConfig: true, run: start },
  check: { about: 'validate the config and print the chain it makes', readsConfig: true, run: checkCommand },
  routes: { about: 'print every route with the chain that guards it', readsConfig: true, run: routesCommand },
  plugins: { about: 'list the built-in plugins and those that run', readsConfig: true, run: listPluginsCommand },
  schema: { about: 'print the JSON Schema of the config file, for editors', readsConfig: false, run: schemaCommand },
  'rotate-master-key': {
    about: 'seal the stored secrets with WEIR_MASTER_KEY instead of WEIR_MASTER_KEY_PREVIOUS',
    readsConfig: false,
    run: rotateMasterKeyCommand,
  },
  healthcheck: { about: 'exit 0 when a gateway on this machine is alive', readsConfig: true, run: healthcheck },
}

const usage = (): string => {
  const rows = [
    ...Object.entries(COMMANDS).map(([name, { about }]) => [name, about] as const),
    ...Object.entries(GROUPS).map(([name, { actions, about }]) => [`${name} ${actions.join('|')}`, about] as const),
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  const lines = rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`)
  return `Weir ${VERSION}, a self-hosted LLM gateway

Usage: weir <command> [--config FILE]

${lines.join('\n')}

Options
  --config FILE  the config file; default: weir.config.{ts,yaml,json} in this folder
  --help         this text
  --version      the version
`
}

/** Commands that have actions and flags of their own; they read what stands behind their name. */
const GROUPS: Readonly<Record<string, Group>> = {
  config: {
    about: 'print the config of a call, in a file of version 1.0, as version 2.0',
    actions: ['migrate'],
    run: configMigrateCommand,
  },
  keys: {
    about: 'create, list and revoke API keys',
    actions: ['create', 'list', 'revoke'],
    run: (environment, args) => keysCommand(environment, args),
  },
  providers: {
    about: 'add and list stored providers',
    actions: ['add', 'list'],
    run: (environment, args) => providersCommand(environment, ...withoutConfig(args)),
  },
  prompts: {
    about: 'keep prompts as files of a repository, and render one',
    actions: ['pull', 'push', 'render'],
    run: (environment, args) => promptsCommand(environment, args),
  },
  audit: {
    about: 'verify that nobody changed the audit log',
    actions: ['verify'],
    run: (environment) => auditVerifyCommand(environment),
  },
}

/** Takes `--config FILE` out of the flags of an action. */
const withoutConfig = (flags: readonly string[]): [string | undefined, readonly string[]] => {
  const at = flags.indexOf('--config')
  return at === -1 ? [undefined, flags] : [flags[at + 1], flags.toSpliced(at, 2)]
}

/** Runs one command. Wrong usage says what is wrong and gives 2; a command that cannot do its work gives 1. */
export const runCli = async (environment: Environment): Promise<ExitCode> => {
  const [first, ...behind] = environment.arguments
  const group = first !== undefined && Object.hasOwn(GROUPS, first) ? GROUPS[first] : undefined
  if (group !== undefined && !behind.includes('--help')) {
    if (!group.actions.includes(behind[0] ?? '')) {
      return wrongUsage(environment, `'${first}' needs one of: ${group.actions.join(', ')}`)
    }
    return orTold(environment, () => group.run(environment, behind))
  }
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
    const near = nearest(name, [...Object.keys(COMMANDS), ...Object.keys(GROUPS)])
    return wrongUsage(environment, `unknown command '${name}'${near === undefined ? '' : `, did you mean '${near}'?`}`)
  }
  if (rest.length > 0) return wrongUsage(environment, `'${name}' takes no argument '${rest[0]}'`)
  if (values.config !== undefined && !command.readsConfig) return wrongUsage(environment, `'${name}' takes no --config`)
  return orTold(environment, () => command.run(environment, values.config))
}

/** What a command cannot do for a reason of the operator's machine or files is told in a line for each fault. */
const orTold = async (environment: Environment, run: () => Promise<ExitCode>): Promise<ExitCode> => {
  try {
    return await run()
  } catch (thrown) {
    if (!isExpected(thrown)) throw thrown
    environment.error(`weir: ${thrown.message.replaceAll('\n', '\nweir: ')}\n`)
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
    [
      'StoreUnavailable',
      'StoreFull',
      'PresetKeyRefused',
      'FirstKeysLost',
      'MasterKeyRefused',
      'QueryFailed',
      'ListenError',
    ].includes(thrown.name))
