/**
 * HashiCorp Vault on a loopback socket, as far as Weir asks for it. Written from Vault's documentation, not recorded: "KV secrets
 * engine - version 1 (API)", "version 2 (API)", "AppRole auth method (API)", "Kubernetes auth method (API)", "/sys/internal/ui/mounts",
 * "Namespaces", read 2026-11-25.
 */
export interface FakeVault {
  readonly url: string
  /** As they came: method, path as on the wire, namespace. */
  readonly requests: readonly string[]
  /** Secrets of KV 2 at `secret/` and of KV 1 at `old/`, by their paths below the mount. */
  readonly secrets: Map<string, Readonly<Record<string, unknown>>>
  /** Tokens that are good. */
  readonly tokens: Set<string>
  /** The policy of all tokens lets nobody look at mounts. */
  hidesMounts: boolean
  /** Answers every request so. */
  instead: (() => Response | Promise<Response>) | undefined
  stop(): Promise<void>
  /** It is back at its old place. */
  start(): void
}

export interface FakeVaultOptions {
  readonly namespace?: string
  readonly roleId?: string
  readonly secretId?: string
  /** Token of a service account. */
  readonly jwt?: string
  readonly leaseSeconds?: number
}

const errors = (status: number, ...said: readonly string[]): Response => Response.json({ errors: said }, { status })

export const startFakeVault = (options: FakeVaultOptions = {}): FakeVault => {
  const requests: string[] = []
  const secrets: FakeVault['secrets'] = new Map()
  const tokens: FakeVault['tokens'] = new Set()
  let server: Bun.Server<undefined> | undefined
  let port = 0

  const login = (isGood: boolean): Response => {
    if (!isGood) return errors(400, 'invalid role or secret ID')
    const token = `hvs.login-${tokens.size}`
    tokens.add(token)
    const auth = { client_token: token, lease_duration: options.leaseSeconds ?? 3600, renewable: true, policies: ['p'] }
    return Response.json({ request_id: 'r', lease_id: '', data: null, auth })
  }

  const answer = async (request: Request): Promise<Response> => {
    const path = request.url.slice(new URL(request.url).origin.length)
    const namespace = request.headers.get('x-vault-namespace') ?? ''
    requests.push(`${request.method} ${path} ${namespace}`.trim())
    if (vault.instead !== undefined) return vault.instead()
    if (namespace !== (options.namespace ?? '')) return errors(404, 'no handler for route')
    const decoded = decodeURIComponent(path)
    if (decoded === '/v1/auth/approle/login') {
      const { role_id: role, secret_id: secret } = (await request.json()) as Record<string, unknown>
      return login(role === options.roleId && secret === options.secretId)
    }
    if (decoded === '/v1/auth/kubernetes/login') {
      const { role, jwt } = (await request.json()) as Record<string, unknown>
      return login(role === 'weir' && jwt === options.jwt)
    }
    if (!tokens.has(request.headers.get('x-vault-token') ?? '')) return errors(403, 'permission denied')
    const [, below] = /^\/v1\/sys\/internal\/ui\/mounts\/(.*)$/.exec(decoded) ?? []
    if (below !== undefined) return mountOf(below)
    const [, mount = '', rest = ''] = /^\/v1\/([^/]+)\/(.*)$/.exec(decoded) ?? []
    if (mount === 'old') {
      const data = secrets.get(`old/${rest}`)
      return data === undefined ? errors(404) : Response.json({ lease_duration: 2_764_800, data, auth: null })
    }
    const [, name = ''] = mount === 'secret' ? (/^data\/(.*)$/.exec(rest) ?? []) : []
    const data = secrets.get(`secret/${name}`)
    if (data === undefined) return errors(404)
    const metadata = { created_time: '2026-11-25T00:00:00Z', deletion_time: '', destroyed: false, version: 1 }
    // One that is deleted is told of by its metadata, with 404.
    if (data.deleted === true) return Response.json({ data: { data: null, metadata } }, { status: 404 })
    return Response.json({ lease_duration: 0, data: { data, metadata }, auth: null })
  }

  const mountOf = (path: string): Response => {
    if (vault.hidesMounts)
      return errors(
        403,
        "preflight capability check returned 403, please ensure client's policies grant access to path",
      )
    const [mount = ''] = path.split('/')
    if (mount === 'old') return Response.json({ data: { path: 'old/', type: 'kv', options: null } })
    if (mount === 'secret') return Response.json({ data: { path: 'secret/', type: 'kv', options: { version: '2' } } })
    return errors(403, 'preflight capability check returned 403')
  }

  const start = (): void => {
    server = Bun.serve({ port, hostname: '127.0.0.1', fetch: answer })
    port = server.port ?? 0
  }
  start()
  const vault: FakeVault = {
    url: `http://127.0.0.1:${port}`,
    requests,
    secrets,
    tokens,
    hidesMounts: false,
    instead: undefined,
    async stop() {
      await server?.stop(true)
      server = undefined
    },
    start,
  }
  return vault
}
