import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { createWeir, type Weir } from '../../../../src/compose/weir.ts'
import type { OperatorConfigInput } from '../../../../src/config/schema.ts'
import { temporaryFolder } from '../../../../src/store/testing.ts'
import { copyEmbeddedDatabase } from '../../../support/embedded-database.ts'
import { onFreePorts } from '../../../support/start-ports.ts'
import { createProcessGroup, eventually } from '../../../support/start-process.ts'

export const API_KEY = 'weir-test-workspace-key-0123456789abcdef'
const ADMIN_KEY = 'weir-test-admin-key-0123456789abcdef'
/** Stands for the one address of all servers. */
export const EVERY = '*'
/** A server that is not there after so long will not come. */
const START_MS = 60_000

type Fields = Readonly<Record<string, unknown>>

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface Person {
  readonly userId: string
  readonly workspaceId: string
  readonly key: string
}

/** A gateway on a socket, and what its tests ask it. */
export interface House {
  readonly weir: Weir
  readonly url: string
  /** A call of the management interface with the admin key, or of SCIM. @throws Error unless it answers 200 or 201 */
  manage(method: string, path: string, body?: unknown): Promise<Fields>
  /** Somebody in the default workspace, with a key of theirs. */
  addPerson(person: Fields & { readonly userName: string }, scopes: readonly string[]): Promise<Person>
  /** An MCP server of the default workspace, once calls can use it. @returns its id */
  addServer(slug: string, url: string, more?: Fields): Promise<string>
  /** Waits until a change is live. */
  eventually(check: () => Promise<boolean>): Promise<void>
  /** A message to a server, as plain as can be. */
  post(server: string, message: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** The official client, connected. */
  connect(server: string, client?: Client): Promise<Client>
  close(): Promise<void>
}

/**
 * @param trustedHosts addresses of the servers behind
 * @param configOf what else the operator's file says, once the address of the gateway is known
 */
export const openHouse = async (
  trustedHosts: readonly string[],
  configOf: (url: string) => Promise<OperatorConfigInput> = async () => ({}),
): Promise<House> => {
  const folder = temporaryFolder()
  const env = { WEIR_API_KEY: API_KEY, WEIR_ADMIN_KEY: ADMIN_KEY, WEIR_DATA_DIR: join(folder.path, 'data') }
  await copyEmbeddedDatabase(env.WEIR_DATA_DIR)
  let handle = async (_request: Request): Promise<Response> => new Response(null, { status: 503 })
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, fetch: (request) => handle(request) })
  const url = `http://127.0.0.1:${server.port}`
  const more = await configOf(url)
  const config = { ...more, egress: { trustedHosts: [...trustedHosts, ...(more.egress?.trustedHosts ?? [])] } }
  const addressOfClient = ({ headers }: Request): string => headers.get('x-test-address') ?? '127.0.0.1'
  const weir = await createWeir({ config, folder: folder.path, env, addressOf: addressOfClient })
  handle = (request) => weir.handle(request)
  const clients: Client[] = []

  const manage: House['manage'] = async (method, path, body) => {
    const response = await fetch(path.startsWith('/scim/') ? `${url}${path}` : `${url}/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status !== 200 && response.status !== 201)
      throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return JSON.parse(text) as Fields
  }
  const addressOf = (name: string): string => (name === EVERY ? `${url}/mcp` : `${url}/mcp/${name}/mcp`)
  const post: House['post'] = async (name, message, headers = {}) => {
    const response = await fetch(addressOf(name), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${API_KEY}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: typeof message === 'string' ? message : JSON.stringify(message),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const waitFor: House['eventually'] = async (check) => {
    if (!(await eventually(check, START_MS))) throw new Error('a change is not live')
  }
  return {
    weir,
    url,
    manage,
    post,
    eventually: waitFor,
    async addPerson(person, scopes) {
      const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User']
      const { id: userId } = await manage('POST', '/scim/v2/Users', { schemas, active: true, ...person })
      const { data } = await manage('GET', '/admin/workspaces')
      const workspaceId = String((data as readonly Fields[])[0]?.id)
      await manage('POST', `/admin/workspaces/${workspaceId}/users`, { users: [{ id: userId, role: 'member' }] })
      const fields = { name: person.userName, workspace_id: workspaceId, user_id: userId, scopes }
      const { key } = await manage('POST', '/api-keys/workspace/user', fields)
      return { userId: String(userId), workspaceId, key: String(key) }
    },
    async addServer(slug, at, more = {}) {
      await manage('POST', '/mcp-integrations', {
        name: slug,
        slug,
        url: at,
        auth_type: 'none',
        transport: 'http',
        ...more,
      })
      await manage('PUT', `/mcp-integrations/${slug}/workspaces`, {
        workspaces: [],
        global_workspace_access: { enabled: true },
      })
      const { id } = await manage('POST', '/mcp-servers', { name: slug, slug, mcp_integration_id: slug })
      await waitFor(async () => (await post(slug, { jsonrpc: '2.0', id: 1, method: 'ping' })).status !== 404)
      return String(id)
    },
    async connect(name, client = new Client({ name: 'a test', version: '1.0.0' })) {
      const requestInit = { headers: { authorization: `Bearer ${API_KEY}` } }
      const transport = new StreamableHTTPClientTransport(new URL(addressOf(name)), { requestInit })
      clients.push(client)
      // What the client's types say of optional fields is stricter than what it takes.
      await client.connect(transport as Parameters<Client['connect']>[0])
      return client
    },
    async close() {
      for (const client of clients) await client.close().catch(() => undefined)
      await server.stop(true)
      await weir.close()
      folder.remove()
    },
  }
}

export interface Everything {
  /** `host:port` of each. */
  readonly hosts: readonly string[]
  readonly http: string
  readonly sse: string
  close(): Promise<void>
}

/** The protocol's own reference server, by both transports. */
export const startEverything = (): Promise<Everything> =>
  onFreePorts(2, async ([http = 0, sse = 0]) => {
    const group = createProcessGroup()
    const folder = temporaryFolder()
    const program = Bun.resolveSync('@modelcontextprotocol/server-everything/dist/index.js', import.meta.dir)
    const start = (mode: string, port: number): Promise<void> =>
      group.start({
        name: `the reference server by ${mode}`,
        command: ['env', `PORT=${port}`, 'node', program, mode],
        folder: folder.path,
        logFile: join(folder.path, `${mode}.log`),
        readyText: `on port ${port}`,
        stopSignal: 'SIGTERM',
        deadlineMs: START_MS,
      })
    const close = async (): Promise<void> => {
      await group.close()
      folder.remove()
    }
    try {
      await Promise.all([start('streamableHttp', http), start('sse', sse)])
    } catch (thrown) {
      await close()
      throw thrown
    }
    return {
      hosts: [`127.0.0.1:${http}`, `127.0.0.1:${sse}`],
      http: `http://127.0.0.1:${http}/mcp`,
      sse: `http://127.0.0.1:${sse}/sse`,
      close,
    }
  })
