import { ConfigError } from '../config/config-error.ts'
import { nearest } from '../core/json/check.ts'
import { VERSION } from '../version.ts'
import type { Environment, ExitCode } from './terminal/environment.ts'
import { flag, parseFlags, text } from './terminal/flags.ts'
import { helpOf, overview } from './terminal/help.ts'

interface Command {
  /** Whether it reads the config file, so takes `--config`. */
  readonly readsConfig: boolean
  run(environment: Environment, configFile: string | undefined, workers: string | undefined): Promise<ExitCode>
}

interface Group {
  /** Absent: what stands behind the name is for the group to read. */
  readonly actions?: readonly string[]
  run(environment: Environment, args: readonly string[]): Promise<ExitCode>
}

/** Each is loaded when it runs: none waits for the modules of the others, least of all a health check. */
const COMMANDS: Readonly<Record<string, Command>> = {
  start: { readsConfig: true, run: async (...given) => (await import('./start-command.ts')).startCommand(...given) },
  check: { readsConfig: true, run: async (here, file) => (await import('./check.ts')).checkCommand(here, file) },
  routes: { readsConfig: true, run: async (here, file) => (await import('./routes.ts')).routesCommand(here, file) },
  plugins: {
    readsConfig: true,
    run: async (here, file) => (await import('./plugins.ts')).listPluginsCommand(here, file),
  },
  schema: { readsConfig: false, run: async (environment) => (await import('./schema.ts')).schemaCommand(environment) },
  'rotate-master-key': {
    readsConfig: false,
    run: async (environment) => (await import('./keys/rotate-master-key.ts')).rotateMasterKeyCommand(environment),
  },
  healthcheck: {
    readsConfig: true,
    run: async (here, file) => (await import('./healthcheck.ts')).healthcheck(here, file),
  },
}

/** Commands that have actions and flags of their own; they read what stands behind their name. */
const GROUPS: Readonly<Record<string, Group>> = {
  config: {
    actions: ['migrate'],
    run: async (...given) => (await import('./config-migrate.ts')).configMigrateCommand(...given),
  },
  keys: {
    actions: ['create', 'list', 'revoke'],
    run: async (...given) => (await import('./keys/keys.ts')).keysCommand(...given),
  },
  invite: {
    run: async (environment, args) => (await import('./invite.ts')).inviteCommand(environment, ...withoutConfig(args)),
  },
  providers: {
    actions: ['add', 'list'],
    run: async (environment, args) =>
      (await import('./providers.ts')).providersCommand(environment, ...withoutConfig(args)),
  },
  prompts: {
    actions: ['pull', 'push', 'render'],
    run: async (...given) => (await import('./prompts.ts')).promptsCommand(...given),
  },
  list: {
    run: async (...given) => (await import('./list.ts')).listCommand(...given),
  },
  logs: {
    run: async (environment, args) => (await import('./logs.ts')).logsCommand(environment, ...withoutConfig(args)),
  },
  audit: {
    actions: ['verify'],
    run: async (environment) => (await import('./audit.ts')).auditVerifyCommand(environment),
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
  const asksForHelp = environment.arguments.some((argument) => argument === '--help' || argument === '-h')
  const help = asksForHelp ? (helpOf(`${first} ${behind[0]}`) ?? helpOf(first ?? '')) : undefined
  if (help !== undefined) {
    await environment.out(help)
    return 0
  }
  if (group !== undefined) {
    if (group.actions?.includes(behind[0] ?? '') === false) {
      return wrongUsage(environment, `'${first}' needs one of: ${group.actions.join(', ')}`)
    }
    return orTold(environment, () => group.run(environment, behind))
  }
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(environment.arguments)
  } catch (thrown) {
    return wrongUsage(environment, thrown instanceof Error ? thrown.message : String(thrown))
  }
  const { values, positionals } = parsed
  if (values.help) {
    await environment.out(overview())
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
  if (values.workers !== undefined && name !== 'start') return wrongUsage(environment, `'${name}' takes no --workers`)
  return orTold(environment, () => command.run(environment, values.config, values.workers))
}

/** What a command cannot do for a reason of the operator's machine or files is told in a line for each fault. */
const orTold = async (environment: Environment, run: () => Promise<ExitCode>): Promise<ExitCode> => {
  try {
    return await run()
  } catch (thrown) {
    if (isClosedOutput(thrown)) return 0
    if (!isExpected(thrown)) throw thrown
    environment.error(`weir: ${thrown.message.replaceAll('\n', '\nweir: ')}\n`)
    return 1
  }
}

/** Whoever reads the output has seen enough, as `head` does after its lines. */
const isClosedOutput = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'EPIPE'

const parse = (args: readonly string[]) =>
  parseFlags(args, { config: text, workers: text, help: { ...flag, short: 'h' }, version: { ...flag, short: 'v' } })

const wrongUsage = (environment: Environment, problem: string): ExitCode => {
  environment.error(`weir: ${problem}\n\n${overview()}`)
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
      'WorkerLost',
    ].includes(thrown.name))
