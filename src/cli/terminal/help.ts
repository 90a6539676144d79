import { VERSION } from '../../version.ts'

/** What `--help` says of a command, or of an action of a group. */
export interface HelpText {
  readonly about: string
  /** What may stand behind the name, in the order of its use. */
  readonly usage?: string
  /** Each flag or argument with what it means. */
  readonly options?: Readonly<Record<string, string>>
  /** Lines that work as they stand. A test checks their flags, and runs those that need no database. */
  readonly examples: readonly string[]
}

const CONFIG = { '--config FILE': 'the config file; default: weir.config.{ts,yaml,yml,json} in this folder' } as const
const JSON_OUT = { '--json': 'machine-readable output' } as const
const WORKSPACE = { '--workspace REF': 'id or slug of the workspace; default: ws-default' } as const
const PRUNE = { '--prune': 'take away what the other side does not have' } as const

/** Every command and action, by its words: the one place for these texts. */
export const HELP: Readonly<Record<string, HelpText>> = {
  start: {
    about: 'run the gateway',
    usage: '[--config FILE] [--workers N]',
    options: {
      ...CONFIG,
      '--workers N': "processes that serve together on one port, or 'auto' for one a core; default: WEIR_WORKERS, or 1",
    },
    examples: [
      'weir start',
      'PORT=9000 weir start --config weir.config.yaml',
      'DATABASE_URL="$POSTGRES" weir start --workers auto',
    ],
  },
  check: {
    about: 'validate the config and print the chain it makes',
    usage: '[--config FILE]',
    options: CONFIG,
    examples: ['weir check', 'weir check --config weir.config.yaml'],
  },
  routes: {
    about: 'print every route with the chain that guards it',
    usage: '[--config FILE]',
    options: CONFIG,
    examples: ['weir routes'],
  },
  plugins: {
    about: 'list the built-in plugins and those that run',
    usage: '[--config FILE]',
    options: CONFIG,
    examples: ['weir plugins'],
  },
  schema: {
    about: 'print the JSON Schema of the config file, for editors',
    examples: ['weir schema > weir.schema.json'],
  },
  'rotate-master-key': {
    about: 'seal the stored secrets with WEIR_MASTER_KEY instead of WEIR_MASTER_KEY_PREVIOUS',
    examples: ['weir rotate-master-key'],
  },
  healthcheck: {
    about: 'exit 0 when a gateway on this machine is alive',
    usage: '[--config FILE]',
    options: CONFIG,
    examples: ['weir healthcheck'],
  },
  'config migrate': {
    about: 'print the config of a call, in a file of version 1.0, as version 2.0',
    usage: 'FILE',
    options: { FILE: 'a JSON file with the config' },
    examples: ['weir config migrate old-config.json > new-config.json'],
  },
  'keys create': {
    about: 'create an API key; it is shown this once',
    usage: '--name NAME [options]',
    options: {
      '--name NAME': 'what people call the key',
      '--kind KIND': 'workspace-service (default), workspace-user or organisation-service',
      ...WORKSPACE,
      '--user UUID': 'whose key it is, for the kind workspace-user',
      '--scopes LIST':
        "with commas between, or 'all' of its kind; default: completions.write, or all for the organisation",
      '--expires WHEN': '30d, 12h, a date or an RFC 3339 time; default: never',
      ...JSON_OUT,
    },
    examples: [
      'weir keys create --name billing',
      'weir keys create --name ci --scopes completions.write --expires 30d',
    ],
  },
  'keys list': {
    about: 'list API keys, masked',
    usage: '[--workspace REF] [--json]',
    options: { '--workspace REF': 'id or slug of a workspace; default: all', ...JSON_OUT },
    examples: ['weir keys list --json'],
  },
  'keys revoke': {
    about: 'revoke an API key for good',
    usage: 'ID [--json]',
    options: { ID: 'id of the key, as the list shows it', ...JSON_OUT },
    examples: ['weir keys revoke "$KEY_ID"'],
  },
  invite: {
    about: 'invite somebody to the organisation, and print the link',
    usage: 'EMAIL [options]',
    options: {
      EMAIL: 'the address of whoever is invited',
      '--role ROLE': 'in the organisation: member (default), admin or owner',
      '--workspace REF[:ROLE]': 'id or slug of a workspace, and their role in it; may be repeated',
      '--url URL': 'where browsers reach the gateway, with its prefix; default: as the config says',
      ...CONFIG,
      ...JSON_OUT,
    },
    examples: [
      'weir invite anna@example.com --role owner',
      'weir invite ben@example.com --workspace ws-default:manager',
    ],
  },
  'providers add': {
    about: 'store a provider with its key, sealed',
    usage: '--name NAME --provider ID [options]',
    options: {
      '--name NAME': 'what people call the provider',
      '--provider ID': 'id of a running provider, such as openai',
      ...WORKSPACE,
      '--slug SLUG': 'what calls name it by (@SLUG); default: made from the name',
      '--key-env VARIABLE': 'environment variable that holds the key of the provider',
      '--key-stdin': 'read the key from standard input',
      '--set FIELD=VALUE': 'a configuration field, such as custom_host; may be repeated; arrays as JSON',
      '--set-env FIELD=VAR': 'a secret configuration field, from an environment variable; may be repeated',
      '--expires TIME': 'RFC 3339; default: never',
      ...CONFIG,
      ...JSON_OUT,
    },
    examples: ['weir providers add --name main --provider openai --key-env OPENAI_API_KEY'],
  },
  'providers list': {
    about: 'list stored providers',
    usage: '[--workspace REF] [--json]',
    options: { '--workspace REF': 'id or slug of a workspace; default: all', ...JSON_OUT },
    examples: ['weir providers list'],
  },
  list: {
    about: 'list what is stored of one kind',
    usage: 'OBJECTS [--workspace REF] [--json]',
    options: {
      OBJECTS: 'as in the path of the management interface: labels, configs, policies/rate-limits, ...',
      '--workspace REF': 'id or slug of the workspace; default: as in the interface',
      ...JSON_OUT,
    },
    examples: ['weir list labels', 'weir list policies/rate-limits --json'],
  },
  'prompts pull': {
    about: 'write the prompts of a workspace to files',
    usage: 'DIR [options]',
    options: { DIR: 'folder of the files', ...WORKSPACE, ...PRUNE, ...JSON_OUT },
    examples: ['weir prompts pull ./prompts'],
  },
  'prompts push': {
    about: 'make the prompts of a workspace what the files say',
    usage: 'DIR [options]',
    options: {
      DIR: 'folder of the files',
      ...WORKSPACE,
      '--publish': 'publish what the files say is published, also of prompts that are there already',
      ...PRUNE,
      '--dry-run': 'only say what would be done',
      ...JSON_OUT,
    },
    examples: ['weir prompts push ./prompts --dry-run'],
  },
  'prompts render': {
    about: 'print the request that a prompt makes',
    usage: 'ID [options]',
    options: {
      ID: 'id or slug of the prompt',
      ...WORKSPACE,
      '--var NAME=VALUE': 'a variable, as text; NAME may be a path such as user.name; may be repeated',
      '--vars FILE': 'variables of a file with a JSON object; those of --var go over them',
      '--param K=V': 'a parameter in the place of the saved one; V as JSON or text; may be repeated',
      '--strict': 'refuse when a variable is missing',
    },
    examples: ['weir prompts render "$PROMPT_ID" --var name=Ada'],
  },
  logs: {
    about: 'show the calls that a running gateway has served',
    usage: '[--follow] [options]',
    options: {
      '--follow': 'go on with calls as they are made, until Ctrl-C',
      '--filter NAME=VALUE': 'a filter of GET /logs, such as status_code=500; may be repeated',
      '--limit N': 'calls to begin with, up to 500; default: 20',
      '--json': 'a line of JSON for each',
      '--url URL': 'where the gateway is, with its prefix; default: as the config says, on this machine',
      '--key KEY': 'a key with logs.list; default: WEIR_ADMIN_KEY, the file of the first keys, or WEIR_API_KEY',
      ...CONFIG,
    },
    examples: ['weir logs', 'weir logs --follow --filter is_success=false --json'],
  },
  'audit verify': { about: 'verify that nobody changed the audit log', examples: ['weir audit verify'] },
}

/** The text of one command or action, or of every action of a group, whichever the words name. */
export const helpOf = (words: string): string | undefined => {
  const exact = HELP[words]
  const names = exact === undefined ? Object.keys(HELP).filter((name) => name.startsWith(`${words} `)) : [words]
  return names.length === 0 ? undefined : names.map(textOf).join('\n')
}

const textOf = (name: string): string => {
  const { about = '', usage = '', options = {}, examples = [] } = HELP[name] ?? {}
  const rows = Object.entries({ ...options, '--help': 'this text' })
  const width = Math.max(...rows.map(([option]) => option.length))
  return `Usage: weir ${name}${usage === '' ? '' : ` ${usage}`}

  ${about.charAt(0).toUpperCase()}${about.slice(1)}.

Options
${rows.map(([option, meaning]) => `  ${option.padEnd(width)}  ${meaning}`).join('\n')}

Examples
${examples.map((example) => `  ${example}`).join('\n')}
`
}

/** What `weir --help` says of all commands. */
export const overview = (): string => {
  const names = Object.keys(HELP)
  const width = Math.max(...names.map((name) => name.length))
  return `Weir ${VERSION}, a self-hosted LLM gateway

Usage: weir <command> [--config FILE]

${names.map((name) => `  ${name.padEnd(width)}  ${HELP[name]?.about}`).join('\n')}

Options
  --config FILE  the config file; default: weir.config.{ts,yaml,yml,json} in this folder
  --help         this text; behind a command, what that one takes, with examples
  --version      the version
`
}
