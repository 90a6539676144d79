import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import Provider from 'oidc-provider'
import type { ToolServer } from './tool-server.ts'

/** An MCP server that wants tokens of a real authorization server (`oidc-provider`), where anybody may register. */
export interface GuardedServer {
  readonly hosts: readonly string[]
  readonly url: string
  /** Whoever agrees next; absent: they call it off. */
  next: string | undefined
  /** Seconds that tokens are good for, from the next on. */
  seconds: number
  /** Tokens are not good any more, whatever was said of them. */
  forget(): void
  /** Who called last, by the token that came. */
  readonly callers: string[]
  /** Clients that registered themselves. */
  readonly registered: () => number
  /** What the token endpoint was asked for. */
  readonly grants: string[]
  close(): Promise<void>
}

const SCOPE = 'tools'

export const startGuardedServer = async (tools: ToolServer): Promise<GuardedServer> => {
  let handle = async (_request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.end()
  }
  const issuerServer = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => issuerServer.listen(0, '127.0.0.1', resolve))
  const address = issuerServer.address()
  if (address === null || typeof address === 'string') throw new Error('the issuer does not listen')
  const issuer = `http://127.0.0.1:${address.port}`
  let forgotten = new Set<string>()
  let registrations = 0
  const met = new Set<string>()

  const mcp = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname === '/.well-known/oauth-protected-resource/mcp') {
        return Response.json({ resource: guarded.url, authorization_servers: [issuer], scopes_supported: [SCOPE] })
      }
      if (pathname !== '/mcp') return new Response(null, { status: 404 })
      const [, token = ''] = /^Bearer (\S+)$/.exec(request.headers.get('authorization') ?? '') ?? []
      const found = token === '' || forgotten.has(token) ? undefined : await provider.AccessToken.find(token)
      if (found === undefined || found.aud !== guarded.url) {
        const at = `${new URL(request.url).origin}/.well-known/oauth-protected-resource/mcp`
        const headers = { 'www-authenticate': `Bearer resource_metadata="${at}"` }
        return new Response(null, { status: 401, headers })
      }
      met.add(token)
      guarded.callers.push(found.accountId)
      const { method, headers } = request
      return fetch(tools.url, { method, headers, ...(method === 'POST' ? { body: await request.text() } : {}) })
    },
  })

  const guarded: GuardedServer = {
    hosts: [new URL(issuer).host, `127.0.0.1:${mcp.port}`],
    url: `http://127.0.0.1:${mcp.port}/mcp`,
    next: undefined,
    seconds: 3_600,
    forget() {
      forgotten = new Set(met)
    },
    callers: [],
    registered: () => registrations,
    grants: [],
    async close() {
      issuerServer.closeAllConnections()
      await new Promise((resolve) => issuerServer.close(resolve))
      await mcp.stop(true)
    },
  }

  const provider = new Provider(issuer, {
    scopes: [SCOPE, 'offline_access'],
    cookies: { keys: ['a key of the tests'] },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context: unknown, resource: string) => ({
          ...{ scope: SCOPE, audience: resource, accessTokenFormat: 'opaque' },
          accessTokenTTL: guarded.seconds,
        }),
        useGrantedResource: () => true,
      },
    },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    async loadExistingGrant({ oidc }: { oidc: GrantContext }) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope(`${SCOPE} offline_access`)
      grant.addResourceScope(guarded.url, SCOPE)
      await grant.save()
      return grant
    },
  })
  const standard = provider.callback()
  handle = async (request, response) => {
    if (request.url === '/reg') registrations++
    if (request.url === '/token') guarded.grants.push('asked')
    if (request.url?.startsWith('/interaction/') !== true) return standard(request, response)
    const result = guarded.next === undefined ? { error: 'access_denied' } : { login: { accountId: guarded.next } }
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  }
  return guarded
}

interface GrantContext {
  readonly client: { readonly clientId: string }
  readonly session: { readonly accountId: string }
  readonly provider: {
    readonly Grant: new (of: {
      clientId: string
      accountId: string
    }) => {
      addOIDCScope(scope: string): void
      addResourceScope(resource: string, scope: string): void
      save(): Promise<string>
    }
  }
}
