import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError } from './config-error.ts'
import { type Env, type LoadedConfig, type LoadOptions, listOf, loadConfig } from './load.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-config-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const write = (name: string, text: string): Promise<number> => Bun.write(join(folder, name), text)

const load = (env: Env = {}, file?: string): Promise<LoadedConfig> =>
  loadConfig({ folder, env, ...(file === undefined ? {} : { file }) })

const failure = async (env: Env = {}, file?: string): Promise<string> => {
  try {
    await load(env, file)
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.message.replaceAll(folder, '.')
    throw thrown
  }
  throw new Error('the config was accepted')
}

describe('without a file', () => {
  test('the defaults run', async () => {
    const { config, file, folder: root, version } = await load()
    expect(file).toBeUndefined()
    expect(root).toBe(folder)
    expect(version).toMatch(/^[0-9a-f]{1,12}$/)
    expect(config).toEqual({
      server: {
        host: '127.0.0.1',
        port: 8787,
        basePath: '',
        trustedProxies: [],
        forwardedHeaders: 'x-forwarded',
        maxBodyBytes: 20_971_520,
        maxUploadBytes: 5_368_709_120,
        maxSpoolBytes: 1_073_741_824,
        bodyTimeoutMs: 60_000,
        maxConcurrentCalls: 10_000,
        keepAliveMs: 15_000,
        cors: { origins: [], headers: ['*'], maxAgeSeconds: 600 },
        drainDelayMs: 0,
        drainTimeoutMs: 30_000,
      },
      deadlines: { connectMs: 5_000, firstByteMs: 60_000, idleMs: 60_000, totalMs: 900_000 },
      resilience: {
        mode: 'standard',
        firstTokenMinMs: 10_000,
        firstTokenUnknownMs: 15_000,
        firstTokenThinkingMs: 120_000,
        silenceMs: 20_000,
        silenceThinkingMs: 60_000,
      },
      egress: { trustedHosts: [] },
      signIn: { issuers: [], sessionIdleHours: 12, sessionMaxHours: 168 },
      limits: { storeTimeoutMs: 40, maxGroups: 100_000, leases: true },
      records: {
        bodies: 'all',
        retentionDays: 30,
        bodyRetentionDays: 7,
        clickhouse: { database: 'weir', replicated: false },
        spool: { maxBytes: 2 * 1024 ** 3, durability: 'group', onFull: 'drop' },
      },
      files: { maxBytes: 1024 ** 3, workspaceBytes: 100 * 1024 ** 3, workspaceFiles: 10_000 },
      batches: {
        ...{ parallel: 25, retries: 3, reserve: 0.2, maxLines: 50_000 },
        ...{ workspaceBatches: 100, retentionDays: 90 },
      },
      secrets: { environment: [], folders: [], machineLogin: true },
      metrics: { host: '127.0.0.1' },
      controlPlane: { refusedGraceMs: 3_600_000 },
      plugins: ['defaults'],
    })
  })
})

describe('forms of the file', () => {
  const forms = {
    'weir.config.yaml': 'server:\n  port: 9000\nplugins: [defaults, mock]\n',
    'weir.config.yml': 'server: { port: 9000 }\nplugins: [defaults, mock]\n',
    'weir.config.json': '{"$schema":"./x.json","server":{"port":9000},"plugins":["defaults","mock"]}',
    'weir.config.ts': 'const port: number = 9000\nexport default { server: { port }, plugins: ["defaults", "mock"] }\n',
  }
  for (const [name, text] of Object.entries(forms)) {
    test(`${name} is found and read`, async () => {
      await write(name, text)
      const { config, file } = await load()
      expect(file).toBe(join(folder, name))
      expect(config.server.port).toBe(9000)
      expect(config.server.host).toBe('127.0.0.1')
      expect(config.plugins).toEqual(['defaults', 'mock'])
    })
  }

  test('an empty YAML file means the defaults', async () => {
    await write('weir.config.yaml', '# nothing yet\n')
    expect((await load()).config.plugins).toEqual(['defaults'])
  })

  test('a file elsewhere is named, and relative paths start from its folder', async () => {
    await write('sub/other.yaml', 'server: { port: 1 }\n')
    const loaded = await load({}, 'sub/other.yaml')
    expect(loaded.config.server.port).toBe(1)
    expect(loaded.folder).toBe(join(folder, 'sub'))
    expect((await load({}, join(folder, 'sub/other.yaml'))).file).toBe(join(folder, 'sub/other.yaml'))
  })

  test('two files are one too many', async () => {
    await write('weir.config.yaml', '{}')
    await write('weir.config.json', '{}')
    expect(await failure()).toBe('more than one config file: ./weir.config.yaml, ./weir.config.json; keep one')
  })

  test('a folder of that name is no file', async () => {
    await write('weir.config.yaml/file', '')
    expect((await load()).file).toBeUndefined()
  })

  test('what cannot be read is named', async () => {
    await write('broken.json', '{"server":')
    await write('broken.yaml', 'server: [1\n')
    await write('broken.ts', 'export default {')
    await write('empty.ts', 'export const config = {}\n')
    await write('config.toml', '')
    expect(await failure({}, 'none.yaml')).toBe('./none.yaml: the config file cannot be read')
    expect(await failure({}, 'broken.json')).toBe('./broken.json:1:11: Flow map must end with a }')
    expect(await failure({}, 'broken.yaml')).toStartWith('./broken.yaml:2:1: Flow sequence ')
    expect(await failure({}, 'broken.ts')).toStartWith('./broken.ts:1:16: ')
    expect(await failure({}, 'empty.ts')).toBe('./empty.ts: the file has no default export')
    expect(await failure({}, 'config.toml')).toBe('./config.toml: a config file ends in .ts, .yaml, .yml or .json')
  })

  test('a file that holds something else than an object is refused', async () => {
    await write('weir.config.yaml', '- defaults\n')
    expect(await failure()).toBe('./weir.config.yaml: expected object')
  })

  test('a changed TypeScript file is read anew', async () => {
    await write('weir.config.ts', 'export default { server: { port: 1 } }\n')
    const first = await load()
    await write('weir.config.ts', 'export default { server: { port: 2 } }\n')
    const second = await load()
    expect([first.config.server.port, second.config.server.port]).toEqual([1, 2])
    expect(second.version).not.toBe(first.version)
  })
})

describe('precedence', () => {
  test('the environment wins over the file, the file over the defaults', async () => {
    await write('weir.config.yaml', 'server: { host: 0.0.0.0, port: 9000 }\n')
    expect((await load()).config.server).toMatchObject({ host: '0.0.0.0', port: 9000, basePath: '' })
    expect((await load({ PORT: '9001', HOST: '::1' })).config.server).toMatchObject({ host: '::1', port: 9001 })
  })

  test('an empty variable counts as none', async () => {
    await write('weir.config.yaml', 'server: { host: 0.0.0.0, port: 9000 }\n')
    expect((await load({ PORT: '', HOST: '' })).config.server).toMatchObject({ host: '0.0.0.0', port: 9000 })
  })

  test.each(['http', '-1', '65536', '80 ', '8.5', '0x50'])("PORT '%s' is refused", async (port) => {
    expect(await failure({ PORT: port })).toBe(`PORT: '${port}' is not a port`)
  })

  test('trusted hosts of the environment are added to those of the file', async () => {
    await write('weir.config.yaml', 'egress: { trustedHosts: [10.0.0.0/8] }\n')
    expect((await load({ WEIR_TRUSTED_HOSTS: ' ollama:11434, ,::1 ' })).config.egress.trustedHosts).toEqual([
      '10.0.0.0/8',
      'ollama:11434',
      '::1',
    ])
    expect(listOf(undefined)).toEqual([])
  })

  test('the version follows the content, not its layout', async () => {
    await write('a.yaml', 'server: { port: 9000 }\n')
    await write('b.json', '{ "server": { "port": 9000 } }')
    await write('c.json', '{ "server": { "port": 9001 } }')
    const [a, b, c] = await Promise.all(['a.yaml', 'b.json', 'c.json'].map((file) => load({}, file)))
    expect(a?.version).toBe(b?.version ?? '')
    expect(a?.version).not.toBe(c?.version ?? '')
  })
})

describe('the section `jwt`', () => {
  test('is absent by default, and taken as it is, with references resolved', async () => {
    expect((await load()).config).not.toHaveProperty('jwt')
    const jwks = { keys: [{ kty: 'RSA', kid: 'one', n: 'AQAB', e: 'AQAB' }] }
    await write('weir.config.json', JSON.stringify({ jwt: { jwks, issuer: '${ISSUER}', audience: 'weir' } }))
    const { config } = await load({ ISSUER: 'https://login.example.com' })
    expect(config.jwt).toEqual({ jwks, issuer: 'https://login.example.com', audience: 'weir' })
  })

  test('is refused with what it does not know or cannot be', async () => {
    await write('weir.config.yaml', 'jwt: { jwksUrl: "https://a.example", jwks: { keys: [] }, organisationId: acme }\n')
    const lines = (await failure()).split('\n')
    expect(lines.map((line) => line.split(': ')[1])).toEqual(['jwt.jwksUrl', 'jwt.jwks.keys', 'jwt.organisationId'])
    expect(lines[0]).toEndWith("jwt.jwksUrl: unknown key; did you mean 'jwksUri'?")
  })
})

describe('faults in the file', () => {
  test('unknown keys are refused, one line each, with path and nearest name', async () => {
    await write('weir.config.yaml', 'servr: {}\nserver: { prot: 1 }\ndeadlines: { zzzzzzzzzz: 1 }\n')
    expect((await failure()).split('\n')).toEqual([
      "./weir.config.yaml:1:1: servr: unknown key; did you mean 'server'?",
      "./weir.config.yaml:2:11: server.prot: unknown key; did you mean 'port'?",
      './weir.config.yaml:3:14: deadlines.zzzzzzzzzz: unknown key; known are: connectMs, firstByteMs, idleMs, totalMs',
    ])
  })

  test('wrong values are refused with their path', async () => {
    await write('weir.config.yaml', 'server: { port: "9000", maxBodyBytes: 1, basePath: llm/ }\n')
    const lines = (await failure()).split('\n')
    expect(lines.map((line) => line.split(': ')[1]).toSorted()).toEqual([
      'server.basePath',
      'server.maxBodyBytes',
      'server.port',
    ])
  })

  test('an entry of the plugin list that is nothing is refused with its place', async () => {
    await write('weir.config.yaml', 'plugins: [defaults, { use: mock, befor: auth }]\n')
    expect(await failure()).toBe("./weir.config.yaml:1:34: plugins[1].befor: unknown key; did you mean 'before'?")
    await write('weir.config.yaml', 'plugins: [defaults, 5]\n')
    expect(await failure()).toBe('./weir.config.yaml:1:21: plugins[1]: must be of type string or object')
  })

  test('a reference to a variable that is not set names both', async () => {
    await write('weir.config.yaml', 'plugins: [{ openai: { apiKey: "${OPENAI_API_KEY}" } }]\n')
    expect(await failure()).toBe(
      './weir.config.yaml:1:23: plugins[0].openai.apiKey: the environment variable OPENAI_API_KEY is not set',
    )
    const { config } = await load({ OPENAI_API_KEY: 'sk-1' })
    expect(config.plugins).toEqual([{ openai: { apiKey: 'sk-1' } }])
  })

  test('all of them are told at once, in the order of the file, each with its place', async () => {
    await write(
      'weir.config.yaml',
      `server: &server
  prot: 1
  basePath: "\${BASE_PATH}"
deadlines:
  <<: { zzzzzzzzzz: 1 }
plugins:
  - openai: { apiKey: "\${A_KEY}\${B_KEY}" }
  - 5
servr: *server
`,
    )
    expect((await failure({ PORT: 'x' })).split('\n')).toEqual([
      "PORT: 'x' is not a port",
      "./weir.config.yaml:2:3: server.prot: unknown key; did you mean 'port'?",
      './weir.config.yaml:3:3: server.basePath: the environment variable BASE_PATH is not set',
      './weir.config.yaml:3:3: servr.basePath: the environment variable BASE_PATH is not set',
      './weir.config.yaml:5:9: deadlines.zzzzzzzzzz: unknown key; known are: connectMs, firstByteMs, idleMs, totalMs',
      './weir.config.yaml:7:15: plugins[0].openai.apiKey: the environment variable A_KEY is not set',
      './weir.config.yaml:7:15: plugins[0].openai.apiKey: the environment variable B_KEY is not set',
      './weir.config.yaml:8:5: plugins[1]: must be of type string or object',
      "./weir.config.yaml:9:1: servr: unknown key; did you mean 'server'?",
    ])
    await write('weir.config.yaml', Array.from({ length: 30 }, (_, index) => `key${index}: 1`).join('\n'))
    expect((await failure()).split('\n')).toHaveLength(30)
  })

  test('what looks further gets all that could be read, with holes where an entry could not', async () => {
    await write(
      'weir.config.yaml',
      'server: { prot: 1 }\nplugins: [defaults, 5, mock]\negress: { trustedHosts: [a] }\n',
    )
    const seen: unknown[] = []
    const inspect: NonNullable<LoadOptions['inspect']> = async ({ server, plugins, egress }) => {
      seen.push(server.port, plugins, egress.trustedHosts)
      return [{ path: 'egress.trustedHosts[0]', message: 'is not good' }]
    }
    const lines = await loadConfig({ folder, env: {}, inspect }).catch((thrown: Error) => thrown.message.split('\n'))
    expect(seen).toEqual([8787, ['defaults', undefined, 'mock'], ['a']])
    expect(lines).toHaveLength(3)
    expect(lines).toContain(`${folder}/weir.config.yaml:3:26: egress.trustedHosts[0]: is not good`)
  })
})
