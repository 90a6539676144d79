import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { builtInEndpoints, builtInPlugins } from '../../plugins/built-in.ts'
import { realtimeEndpoints } from '../../plugins/endpoints/realtime/endpoints.ts'
import { OperatorConfig } from '../config/schema.ts'
import { check } from '../core/json/check.ts'
import { routesOf } from '../core/route.ts'
import { VERSION } from '../version.ts'
import { runCli } from './cli.ts'
import type { Environment } from './terminal/environment.ts'
import { HELP } from './terminal/help.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-cli-'))
  const files: Record<string, string> = {
    'good.yaml':
      'server: { basePath: /llm }\nplugins:\n  - defaults: { without: [ollama] }\n  - { use: ./own.ts, after: auth }\n',
    'unknown.yaml': 'plugins: [defaults, opnai]\n',
    'typo.yaml': 'plugins: [defaults, { openai: { apikey: "secret-value" } }]\n',
    'many.yaml': `server: { prot: 1 }
egress:
  trustedHosts: [a, 10.0.0.0/99]
jwt: {}
plugins:
  - defaults
  - openai: { apiKey: "\${NO_SUCH_KEY}", modles: [] }
  - opnai
  - 5
  - use: auth
    with:
      headerPrefixes: [7]
`,
    'keyless.json': '{"jwt":{"jwks":{"keys":[{"kty":"oct"}]}}}',
    'no-place.yaml': 'plugins: [defaults, ./own.ts]\n',
    'own.ts':
      'export default { name: "own", config: { [Symbol.for("TypeBox.Kind")]: "Object", type: "object", properties: {} }, setup: () => ({ stages: [{ name: "own-stage", run: (call, next) => next() }] }) }\n',
  }
  await Promise.all(Object.entries(files).map(([name, text]) => Bun.write(join(folder, name), text)))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = async (
  args: readonly string[],
  env: Environment['env'] = {},
): Promise<{ readonly code: number; readonly out: string; readonly error: string }> => {
  let out = ''
  let error = ''
  const code = await runCli({
    arguments: args,
    env,
    folder,
    out: async (text) => {
      out += text
    },
    error: (text) => {
      error += text
    },
    readInput: () => Promise.resolve(''),
    onSignal: () => undefined,
  })
  return { code, out, error: error.replaceAll(folder, '.') }
}

/** Stages of kinds of call alone, by the beginning of their names. */
const KEPT: Readonly<Record<string, string>> = { response: 'responses', file: 'files', batch: 'batches', mcp: 'mcp' }

const CHAIN = [
  'logging',
  'auth',
  'mcp-tools',
  'responses',
  'files',
  'batches',
  'mcp',
  'config',
  'rate-limit',
  'route',
  'guardrails',
  'cache',
  'target-limit',
  'transform',
  'provider-call',
]

describe('usage', () => {
  test.each(['--help', '-h'])('%s explains every command', async (line) => {
    const { code, out, error } = await run(line.split(' '))
    expect([code, error]).toEqual([0, ''])
    expect(out).toStartWith(`Weir ${VERSION}, a self-hosted LLM gateway\n\nUsage: weir <command> [--config FILE]\n`)
    for (const name of Object.keys(HELP)) expect(out).toContain(`\n  ${name} `)
  })

  test.each(Object.keys(HELP))('%s --help says what it takes, with an example', async (name) => {
    const { code, out, error } = await run([...name.split(' '), '--help'])
    expect([code, error]).toEqual([0, ''])
    expect(out).toStartWith(`Usage: weir ${name}`)
    const { examples, options = {} } = HELP[name] ?? { examples: [] }
    expect(examples.length).toBeGreaterThan(0)
    const known = Object.keys(options).map((option) => option.split(' ')[0])
    for (const example of examples) {
      expect(example).toMatch(new RegExp(`(^| )weir ${name}( |$)`))
      for (const [flag] of example.matchAll(/--[a-z-]+/g)) expect(known).toContain(flag)
    }
  })

  test('a group --help is that of all its actions', async () => {
    const { out } = await run(['keys', '--help'])
    expect([...out.matchAll(/^Usage: weir (\S+ \S+)/gm)].map(([, name]) => name)).toEqual([
      'keys create',
      'keys list',
      'keys revoke',
    ])
  })

  test('examples that need neither a database nor a gateway work as they stand', async () => {
    for (const name of ['check', 'routes', 'plugins', 'schema']) {
      const words = HELP[name]?.examples[0]?.replace(/ >.*/, '').split(' ').slice(1) ?? []
      expect(await run(words)).toMatchObject({ code: 0, error: '' })
    }
  })

  test.each(['--version', '-v'])('%s is the version alone', async (flag) => {
    expect(await run([flag])).toEqual({ code: 0, out: `${VERSION}\n`, error: '' })
  })

  const wrong: readonly (readonly [string, readonly string[], string])[] = [
    ['no command', [], 'no command given'],
    ['an unknown command with the nearest one', ['chekc'], "unknown command 'chekc', did you mean 'check'?"],
    ['an unknown command unlike any', ['frobnicate'], "unknown command 'frobnicate'"],
    ['a name that every object has', ['constructor'], "unknown command 'constructor'"],
    ['an argument too many', ['check', 'other.yaml'], "'check' takes no argument 'other.yaml'"],
    ['an unknown option', ['check', '--confg', 'x'], "Unknown option '--confg'"],
    ['an option without its value', ['check', '--config'], "Option '--config <value>' argument missing"],
    ['a config for a command that reads none', ['schema', '--config', 'x.yaml'], "'schema' takes no --config"],
    ['a group without an action', ['keys'], "'keys' needs one of: create, list, revoke"],
    ['an action that the group does not have', ['audit', 'erase'], "'audit' needs one of: verify"],
    ['a group that is misspelled', ['provider'], "unknown command 'provider', did you mean 'providers'?"],
  ]
  for (const [what, args, problem] of wrong) {
    test(`${what} is refused with 2 and the usage`, async () => {
      const { code, out, error } = await run(args)
      expect([code, out]).toEqual([2, ''])
      expect(error).toStartWith(`weir: ${problem}\n\nWeir ${VERSION}`)
    })
  }
})

describe('check', () => {
  test('prints the chain and the providers of the defaults', async () => {
    const { code, out, error } = await run(['check'])
    expect([code, error]).toEqual([0, ''])
    expect(out).toStartWith('The config is valid: no file, the defaults run\n\nChain, outermost first\n')
    expect([...out.matchAll(/^ {2}\d+ +(\S+)/gm)].map((match) => match[1])).toEqual(CHAIN)
    expect(out).toMatch(/^ {2}mock +built-in$/m)
  })

  test('prints where the parts of a file come from', async () => {
    const { code, out } = await run(['check', '--config', 'good.yaml'])
    expect(code).toBe(0)
    expect(out).toStartWith(`The config is valid: ${join(folder, 'good.yaml')}\n`)
    expect(out).toMatch(/^ {2}3 +own-stage +own +\.\/own\.ts$/m)
    expect(out).toMatch(/^ {2}openai +built-in$/m)
    expect(out).not.toContain('ollama')
  })

  test('the mock is there unasked only where nobody is served yet', async () => {
    const mocked = async (args: readonly string[], env: Environment['env'] = {}): Promise<boolean> =>
      /^ {2}mock /m.test((await run(['check', ...args], env)).out)
    expect(await mocked([])).toBe(true)
    expect(await mocked(['--config', 'good.yaml'])).toBe(true)
    expect(await mocked(['--config', 'good.yaml'], { HOST: '::1' })).toBe(true)
    expect(await mocked(['--config', 'good.yaml'], { HOST: '0.0.0.0' })).toBe(false)
    expect(await mocked(['--config', 'good.yaml'], { REDIS_URL: 'redis://localhost' })).toBe(false)
    expect(await mocked([], { HOST: '0.0.0.0' })).toBe(true)
    expect(await mocked([], { DATABASE_URL: 'postgres://localhost/weir' })).toBe(false)
    expect(await mocked([], { REDIS_URL: 'redis://localhost' })).toBe(false)
    expect(await mocked([], { DATABASE_URL: '', REDIS_URL: '' })).toBe(true)
  })

  const faults: readonly (readonly [string, string, string])[] = [
    [
      'an unknown plugin',
      'unknown.yaml',
      "weir: ./unknown.yaml:1:21: plugins[1]: 'opnai' is neither a built-in plugin, a path (./…) nor an installed package; did you mean 'openai'?\n",
    ],
    [
      'an unknown setting',
      'typo.yaml',
      "weir: ./typo.yaml:1:33: plugins[1].openai.apikey: unknown key; did you mean 'apiKey'?\n",
    ],
    [
      'a stage without a place',
      'no-place.yaml',
      "weir: stage 'own-stage' (./own.ts) has no place in the chain: say 'before' or 'after' a stage\n",
    ],
    ['a file that is not there', 'none.yaml', 'weir: ./none.yaml: the config file cannot be read\n'],
  ]
  for (const [what, file, message] of faults) {
    test(`${what} is refused with 1 and one line`, async () => {
      expect(await run(['check', '--config', file])).toEqual({ code: 1, out: '', error: message })
    })
  }

  test('all that is wrong is told at once, a line each', async () => {
    const { code, out, error } = await run(['check', '--config', 'many.yaml'])
    expect([code, out]).toEqual([1, ''])
    expect(error.split('\n').map((line) => line.split(';')[0])).toEqual([
      'weir: ./many.yaml:1:11: server.prot: unknown key',
      "weir: ./many.yaml:3:21: egress.trustedHosts[1]: '10.0.0.0/99' is not a host, host:port, address or CIDR block",
      'weir: ./many.yaml:4:1: jwt: give one of jwksUri and jwks',
      'weir: ./many.yaml:7:15: plugins[1].openai.apiKey: the environment variable NO_SUCH_KEY is not set',
      'weir: ./many.yaml:7:41: plugins[1].openai.modles: unknown key',
      "weir: ./many.yaml:8:5: plugins[2]: 'opnai' is neither a built-in plugin, a path (./…) nor an installed package",
      'weir: ./many.yaml:9:5: plugins[3]: must be of type string or object',
      'weir: ./many.yaml:12:24: plugins[4].with.headerPrefixes[0]: expected string',
      '',
    ])
  })

  test('a key set without a key that can be used is refused', async () => {
    const { code, error } = await run(['check', '--config', 'keyless.json'])
    expect(code).toBe(1)
    expect(error).toStartWith('weir: ./keyless.json:1:9: jwt.jwks: no key has a `kid`')
  })

  test('header prefixes of the environment are checked as the file is', async () => {
    expect((await run(['check'], { WEIR_HEADER_PREFIXES: 'x-acme-' })).code).toBe(0)
    const { code, error } = await run(['check'], { WEIR_HEADER_PREFIXES: 'x-acme-,X_Acme' })
    expect(code).toBe(1)
    expect(error).toStartWith("weir: environment: plugin 'auth': headerPrefixes[1]: ")
  })

  test('it neither listens nor makes a data folder', async () => {
    const before = await readdir(folder)
    await run(['check'])
    expect(await readdir(folder)).toEqual(before)
  })
})

describe('routes', () => {
  test('prints every route with the chain that guards it', async () => {
    const { code, out } = await run(['routes', '--config', 'good.yaml'])
    expect(code).toBe(0)
    const rows = out
      .trim()
      .split('\n')
      .map((line) => line.split(/ {2,}/).map((cell) => cell.trim()))
    const through = (own: string): string =>
      `logging > auth > own-stage${own} > config > rate-limit > route > guardrails > cache > target-limit > transform > provider-call`
    const first = [
      ['GET', '/llm/v1/health', 'public'],
      ['GET', '/health', 'public'],
      ['GET', '/healthz', 'public'],
      ['GET', '/readyz', 'public'],
      ...builtInEndpoints.flatMap(routesOf).map(({ method, path, endpoint, stages = [] }) => {
        const [, kept] = /^(response|file|batch|mcp)/.exec(endpoint) ?? []
        const withTools = endpoint === 'chat' || endpoint === 'responses' ? ['mcp-tools'] : []
        const own = [...withTools, ...(kept === undefined ? [] : [KEPT[kept] ?? '']), ...stages.map(({ name }) => name)]
        return [method, `/llm${path}`, through(own.map((name) => ` > ${name}`).join(''))]
      }),
      ...['/v1', '/v2'].flatMap((version) =>
        ['completions', 'render'].map((action) => [
          'POST',
          `/llm${version}/prompts/:promptId/${action}`,
          through(action === 'completions' ? ' > mcp-tools > prompt' : ' > prompt'),
        ]),
      ),
      ...['/v1/gateway', '/v1/gateway/*', '/v1/*', '/openai/v1/*', '/v1beta/*'].map((path) => [
        'ALL',
        `/llm${path}`,
        through(' > pass-through'),
      ]),
      ...realtimeEndpoints({ idleMs: 1, totalMs: 1 })
        .flatMap(routesOf)
        .map(({ method, path, stages = [] }) => [
          method,
          `/llm${path}`,
          through(stages.map(({ name }) => ` > ${name}`).join('')),
        ]),
      ...['client_secrets', 'calls'].flatMap((place) =>
        ['/v1', '/openai/v1'].map((root) => ['POST', `/llm${root}/realtime/${place}`, through(' > realtime')]),
      ),
      ['POST', '/llm/openai/deployments/*', through(' > mcp-tools > azure-paths')],
      ['ALL', '/llm/v1/proxy/*', through(' > legacy')],
      ...['complete', 'chatComplete', 'embed'].map((path) => [
        'POST',
        `/llm/v1/${path}`,
        through(path === 'chatComplete' ? ' > mcp-tools > legacy' : ' > legacy'),
      ]),
      ['POST', '/llm/v1/prompts/:promptId/generate', through(' > mcp-tools > prompt')],
      ['POST', '/llm/oauth/token', 'the key in the request'],
      ['POST', '/llm/v1/oauth/token', 'the key in the request'],
      ['POST', '/llm/v2/oauth/token', 'the key in the request'],
      ['GET', '/llm/sign-in', 'public'],
      ['GET', '/llm/v2/sign-in/issuers', 'public'],
    ]
    expect(rows.slice(0, first.length)).toEqual(first)
    const guards = new Map(rows.slice(first.length).map(([method, path, guard]) => [`${method} ${path}`, guard]))
    expect(guards.size).toBe(rows.length - first.length)
    expect(guards.get('GET /llm/admin/v2/audit-logs')).toBe('token > audit_logs.list (organisation) > schema')
    expect(guards.get('POST /llm/v2/providers')).toBe(
      'token > providers.create (workspace) > schema > transaction and audit',
    )
    for (const [route, guard] of guards) {
      // Where apps learn how a person lets them in, and how they do.
      if (/ (?:\/llm)?\/\.well-known\/oauth-| \/llm\/oauth\//.test(route)) {
        const [, path = ''] = /(?:\/llm)?(\/\S+)$/.exec(route) ?? []
        const ofPath = path.startsWith('/.well-known/') ? /^public$/ : /^(rate limit|the token in the request$)/
        expect([route, guard]).toEqual([route, expect.stringMatching(ofPath)])
        continue
      }
      // Prices and the keys that sign are facts for everybody; a signed link and an invite are keys of their own.
      const isPublic =
        /\/model-configs\/pricing\/|\/logs\/exports\/:\w+\/file$|\/invites\/accept$|\/jwks\.json$| \/llm\/(openapi\.json|docs|console|console\/\*)?$/.test(
          route,
        )
      if (/ \/llm\/v2\/sign-in\//.test(route)) {
        expect([route, guard]).toEqual([route, expect.stringMatching(/^(rate limit|session > CSRF token)/)])
        continue
      }
      expect([route, guard]).toEqual([route, isPublic ? 'public' : expect.stringMatching(/^token > \S/)])
    }
  })
})

test('an output that is closed early, as by `head`, ends a command quietly', async () => {
  let error = ''
  const code = await runCli({
    arguments: ['plugins'],
    env: {},
    folder,
    out: () => Promise.reject(Object.assign(new Error('broken pipe, write'), { code: 'EPIPE' })),
    error: (text) => {
      error += text
    },
    readInput: () => Promise.resolve(''),
    onSignal: () => undefined,
  })
  expect([code, error]).toEqual([0, ''])
})

describe('plugins', () => {
  test('lists what runs, where it comes from, and what does not run', async () => {
    const { code, out } = await run(['plugins', '--config', 'good.yaml'], { HOST: '0.0.0.0' })
    expect(code).toBe(0)
    expect(out.split('\n')[0]).toMatch(/^PLUGIN +KIND +STATE +ORIGIN +SETTINGS +NEEDS$/)
    expect(out).toMatch(/^auth +stage +running +built-in +headerPrefixes, callerKeys +clock, keys, randomId$/m)
    expect(out).toMatch(/^openai +provider +running +built-in +baseURL, apiKey, models$/m)
    expect(out).toMatch(/^own +stage +running +\.\/own\.ts$/m)
    expect(out).toMatch(/^legacy-proxy +route +running +built-in +providers$/m)
    expect(out).toMatch(/^ollama +provider +not listed +built-in +baseURL, apiKey, models$/m)
    expect(out).toMatch(/^mock +provider +not listed +built-in +port +log, trustOwnServer$/m)
    for (const { name } of builtInPlugins) expect(out).toMatch(new RegExp(`^${name} `, 'm'))
  })
})

describe('schema', () => {
  type JsonSchema = {
    readonly type?: string
    readonly properties?: Readonly<Record<string, JsonSchema>>
    readonly items?: JsonSchema
    readonly anyOf?: readonly JsonSchema[]
    readonly additionalProperties?: boolean
    readonly description?: string
  }
  const schema = async (): Promise<JsonSchema> => JSON.parse((await run(['schema'])).out) as JsonSchema

  /** Paths of a value that the schema has no place for. */
  const strangers = (node: JsonSchema, value: unknown, path = ''): string[] => {
    if (node.anyOf !== undefined) {
      const tried = node.anyOf.map((form) => strangers(form, value, path))
      return tried.toSorted((left, right) => left.length - right.length)[0] ?? []
    }
    if (typeof value === 'string') return node.type === undefined || node.type === 'string' ? [] : [path]
    if (Array.isArray(value)) {
      const { items, type } = node
      if (type !== 'array') return [path]
      return items === undefined ? [] : value.flatMap((item, index) => strangers(items, item, `${path}[${index}]`))
    }
    if (typeof value !== 'object' || value === null) return node.type === 'object' ? [path] : []
    if (node.type !== 'object') return [path]
    return Object.entries(value).flatMap(([key, item]) => {
      const property = node.properties?.[key]
      const at = path === '' ? key : `${path}.${key}`
      if (property !== undefined) return strangers(property, item, at)
      return node.properties === undefined ? [] : [at]
    })
  }

  const EXAMPLE = {
    $schema: './weir.schema.json',
    server: { host: '0.0.0.0', port: 8787, basePath: '/llm', maxBodyBytes: 20_971_520, drainTimeoutMs: 30_000 },
    deadlines: { connectMs: 5_000, firstByteMs: 60_000, idleMs: 60_000, totalMs: 900_000 },
    egress: { trustedHosts: ['ollama.internal:11434', '10.0.0.0/8'] },
    plugins: [
      { defaults: { without: ['ollama'] } },
      'mock',
      { openai: { apiKey: 'sk-1', models: ['gpt-5'] } },
      { auth: { headerPrefixes: ['x-acme-'] } },
      { use: './plugins/own.ts', with: { level: 3 }, after: 'auth' },
    ],
  }

  test('is JSON Schema with every section, key and plugin', async () => {
    const printed = await schema()
    expect(printed).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Weir config',
      type: 'object',
      additionalProperties: false,
    })
    expect(Object.keys(printed.properties ?? {})).toEqual(Object.keys(OperatorConfig.properties))
    const named = printed.properties?.plugins?.items?.anyOf?.at(-1)?.properties ?? {}
    for (const { name, config } of builtInPlugins) {
      const [settings] = named[name]?.anyOf ?? []
      expect(settings?.additionalProperties).toBe(false)
      expect(Object.keys(settings?.properties ?? {})).toEqual(Object.keys(config.properties))
    }
  })

  test('has a place for everything in the example of the README', async () => {
    const readme = await Bun.file(new URL('../../README.md', import.meta.url)).text()
    const [, example] = /```yaml weir\.config\.yaml\n([\s\S]*?)```/.exec(readme) ?? []
    const config: unknown = parse(example ?? '')
    expect(config).toHaveProperty('plugins')
    expect(strangers(await schema(), config)).toEqual([])
  })

  test('has a place for everything in a config that runs, and none for a typo', async () => {
    const checked = check(OperatorConfig, EXAMPLE)
    expect(checked.ok ? [] : checked.violations).toEqual([])
    const printed = await schema()
    expect(strangers(printed, EXAMPLE)).toEqual([])
    expect(strangers(printed, { ...EXAMPLE, server: { prot: 1 } })).toEqual(['server.prot'])
    expect(strangers(printed, { plugins: [{ openai: { apikey: 'a' } }] })).toEqual(['plugins[0]'])
  })
})

describe('healthcheck', () => {
  /** A gateway that only answers this status, on a free port. */
  const answering = (status: number) =>
    Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: (request) => new Response(new URL(request.url).pathname, { status }),
    })

  test('a living gateway gives 0 and no words', async () => {
    const server = answering(200)
    try {
      expect(await run(['healthcheck'], { PORT: String(server.port) })).toEqual({ code: 0, out: '', error: '' })
      expect((await run(['healthcheck'], { PORT: String(server.port), HOST: '0.0.0.0' })).code).toBe(0)
    } finally {
      await server.stop(true)
    }
  })

  test('a proxy of the environment is not asked', async () => {
    const server = answering(200)
    const before = process.env.http_proxy
    process.env.http_proxy = 'http://127.0.0.1:9'
    try {
      expect((await run(['healthcheck'], { PORT: String(server.port) })).code).toBe(0)
    } finally {
      if (before === undefined) delete process.env.http_proxy
      else process.env.http_proxy = before
      await server.stop(true)
    }
  })

  test('another status gives 1 and names it', async () => {
    const server = answering(503)
    try {
      expect(await run(['healthcheck'], { PORT: String(server.port) })).toEqual({
        code: 1,
        out: '',
        error: 'weir: /healthz answered 503\n',
      })
    } finally {
      await server.stop(true)
    }
  })

  test('nobody there gives 1 and names the address', async () => {
    const server = answering(200)
    const { port } = server
    await server.stop(true)
    expect(await run(['healthcheck'], { PORT: String(port) })).toEqual({
      code: 1,
      out: '',
      error: `weir: no answer from 127.0.0.1:${port}\n`,
    })
    expect((await run(['healthcheck'], { PORT: String(port), HOST: '::1' })).error).toBe(
      `weir: no answer from [::1]:${port}\n`,
    )
  })
})
