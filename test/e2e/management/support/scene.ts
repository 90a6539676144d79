import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MockServer, type MockServerOptions, startMockServer } from '../../../../plugins/providers/mock/server.ts'
import { type CommandEnd, type RunningGateway, spawnCommand, startCommand } from '../../../support/command.ts'
import { copyEmbeddedDatabase } from '../../../support/embedded-database.ts'
import { privateDatabase } from '../../../support/services.ts'
import { chat, type Reply, type Sent, send } from './http.ts'

export const ADMIN_KEY = 'scene-organisation-key-0123456789abcdef'
export const API_KEY = 'scene-workspace-key-0123456789abcdef012'
export const MASTER_KEY = 'scene master key, a passphrase of some length'

/** How long a change may take until every process acts by it, on a busy machine: less than a look that no message asks for. */
export const SPREAD_MS = 4_000
/** How long a test with child processes may take on a busy machine. */
export const SLOW_MS = 60_000

/** A folder with a config, a database, a provider that records what it gets, and the gateways that were started there. */
export interface Scene {
  readonly folder: string
  /** Where stored providers send their calls. */
  readonly upstream: MockServer
  /** Where `openai` of the config sends calls that say no other host. */
  readonly ownUpstream: MockServer
  readonly databaseUrl?: string
  readonly env: Readonly<Record<string, string>>
  start(more?: Readonly<Record<string, string>>): Promise<RunningGateway>
  /** Runs another command of Weir to its end. */
  run(args: readonly string[], more?: Readonly<Record<string, string>>): Promise<CommandEnd>
  /** All that every process wrote. */
  output(): string
  close(): Promise<void>
}

export interface SceneOptions {
  readonly store: 'pglite' | 'postgres'
  /** Instead of a database of the test run's Postgres. */
  readonly databaseUrl?: string
  /** False: no config file, so that the embedded default runs. */
  readonly hasConfig?: boolean
  /** What the recording provider answers instead of the mock. */
  readonly answer?: MockServerOptions['answer']
}

const configFor = ({ url }: MockServer): string =>
  `server: { drainDelayMs: 0 }\nplugins:\n  - defaults\n  - mock\n  - openai: { baseURL: "${url}/v1" }\n`

export const openScene = async ({ store, databaseUrl, hasConfig = true, answer }: SceneOptions): Promise<Scene> => {
  const folder = await mkdtemp(join(tmpdir(), 'weir-management-'))
  const upstream = await startMockServer(answer === undefined ? {} : { answer })
  const ownUpstream = await startMockServer()
  const database = store === 'postgres' && databaseUrl === undefined ? await privateDatabase() : undefined
  if (store === 'pglite') await copyEmbeddedDatabase(join(folder, '.weir'))
  const url = databaseUrl ?? database?.url
  if (hasConfig) await Bun.write(join(folder, 'weir.config.yaml'), configFor(ownUpstream))
  const env = {
    PORT: '0',
    WEIR_ADMIN_KEY: ADMIN_KEY,
    WEIR_API_KEY: API_KEY,
    WEIR_TRUSTED_HOSTS: '127.0.0.1',
    ...(url === undefined ? {} : { DATABASE_URL: url, WEIR_MASTER_KEY: MASTER_KEY }),
  }
  const gateways: RunningGateway[] = []
  const ended: CommandEnd[] = []
  return {
    folder,
    upstream,
    ownUpstream,
    env,
    ...(url === undefined ? {} : { databaseUrl: url }),
    async start(more = {}) {
      const gateway = await startCommand({ folder, env: { ...env, ...more } })
      gateways.push(gateway)
      return gateway
    },
    async run(args, more = {}) {
      const end = await spawnCommand({ folder, args, env: { ...env, ...more } }).exited
      ended.push(end)
      return end
    },
    output: () =>
      [
        ...gateways.map((gateway) => gateway.stdout() + gateway.stderr()),
        ...ended.map(({ stdout, stderr }) => stdout + stderr),
      ].join('\n'),
    async close() {
      await Promise.all(gateways.map((gateway) => gateway.stop('SIGKILL')))
      await Promise.all([upstream.close(), ownUpstream.close()])
      await database?.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A management call with the key of the organisation. */
export const manage = (
  { url }: Pick<RunningGateway, 'url'>,
  method: NonNullable<Sent['method']>,
  path: string,
  body?: unknown,
): Promise<Reply> => send(`${url}${path}`, { method, token: ADMIN_KEY, ...(body === undefined ? {} : { body }) })

/** The same, for what must go well. @throws Error with the answer. */
export const done = async (...call: Parameters<typeof manage>): Promise<Reply> => {
  const reply = await manage(...call)
  if (reply.status !== 200) throw new Error(`${call[1]} ${call[2]} answered ${reply.status}: ${reply.text}`)
  return reply
}

export interface StoredProviderInput {
  readonly slug: string
  readonly key: string
}

/** An integration of the organisation at the recording provider, given to the default workspace, and a provider of it. */
export const storeProvider = async (
  scene: Scene,
  gateway: Pick<RunningGateway, 'url'>,
  { slug, key }: StoredProviderInput,
): Promise<void> => {
  await done(gateway, 'POST', '/admin/v2/integrations', {
    name: `integration ${slug}`,
    ai_provider_id: 'openai',
    slug: `${slug}-integration`,
    key,
    configurations: { custom_host: `${scene.upstream.url}/v1` },
  })
  await done(gateway, 'PUT', `/admin/v2/integrations/${slug}-integration/workspaces`, {
    workspaces: [{ id: 'ws-default', enabled: true, create_default_provider: false }],
  })
  await done(gateway, 'POST', '/v2/providers', { name: slug, slug, integration_id: `${slug}-integration` })
}

/** A call that names a stored provider. */
export const chatWith = ({ url }: Pick<RunningGateway, 'url'>, slug: string, model = 'mock'): Promise<Reply> =>
  chat(url, API_KEY, { headers: { 'x-gateway-provider': `@${slug}` }, model })
