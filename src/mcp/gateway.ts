import { fromPieces } from '../core/bodies/ready-stream.ts'
import { HeaderList } from '../core/header-fields.ts'
import type { McpGateway, McpReply, McpRequest } from '../core/mcp/ask.ts'
import type { McpCaller, McpHeaders, McpServers, McpTarget } from '../core/mcp/servers.ts'
import { McpUnreachable } from '../core/mcp/unreachable.ts'
import type { Upstream, UpstreamResponse } from '../core/ports.ts'
import { InvalidRequest } from '../errors/gateway-error.ts'
import { askMcp, callDeadlines, listeningDeadlines, SESSION_HEADER } from './ask.ts'
import { connectMcp } from './connection.ts'
import type { Identities } from './identity.ts'
import { EVERY_SERVER, type McpSession, ownSession, type SessionTokens } from './session-token.ts'
import { createSharedSessions, type SharedSession } from './shared-sessions.ts'
import type { SseBridge } from './sse-bridge.ts'

export interface McpGatewayOptions {
  readonly servers: McpServers
  readonly upstream: Upstream
  readonly tokens: SessionTokens
  readonly bridge: SseBridge
  readonly identities: Identities
  /** Of Weir. */
  readonly version: string
}

/** The way from calls of clients to MCP servers, whatever transport those speak. */
export const createMcpGateway = ({
  servers,
  upstream,
  tokens,
  bridge,
  identities,
  version,
}: McpGatewayOptions): McpGateway => {
  const shared = createSharedSessions()

  const send = (
    target: McpTarget,
    headers: McpHeaders,
    request: McpRequest,
    session: { readonly upstream: string | undefined; readonly protocolVersion?: string | undefined } | undefined,
  ): Promise<UpstreamResponse> =>
    askMcp(upstream, {
      method: request.method,
      url: target.url,
      headers,
      body: request.body,
      sessionId: session?.upstream,
      protocolVersion: request.protocolVersion ?? session?.protocolVersion,
      lastEventId: request.lastEventId,
      hostOwner: target.workspaceId,
      signal: request.signal,
      deadlines: request.method === 'GET' ? listeningDeadlines(target.timeoutMs) : callDeadlines(target.timeoutMs),
    })

  const beginShared = async (
    target: McpTarget,
    headers: McpHeaders,
    { signal }: McpRequest,
    handshake?: object,
  ): Promise<SharedSession> => {
    const { url, transport, timeoutMs, workspaceId: hostOwner } = target
    const { sessionId, protocolVersion } = await connectMcp(upstream, {
      ...{ url, transport, headers, hostOwner, timeoutMs, version, signal, handshake },
    })
    return { upstream: sessionId, protocolVersion }
  }

  /** A call of a client that keeps no session: without one, unless the server wants one. */
  const askWithout = async (target: McpTarget, headers: McpHeaders, request: McpRequest): Promise<UpstreamResponse> => {
    const key = `${target.id} ${request.caller.keyId}`
    const known = shared.find(key)
    const first = await send(target, headers, request, known)
    const wantsOne = first.status === 400 || first.status === 404
    if (!wantsOne || request.method !== 'POST') return first
    if (known !== undefined) shared.drop(key, known)
    const begun = await shared.begin(key, () => beginShared(target, headers, request)).catch(() => undefined)
    if (begun?.upstream === undefined) return first
    first.body.cancel()
    return send(target, headers, request, begun)
  }

  /** A call in a session with all servers: the one with this server is begun when it is first needed, and again when it has ended. */
  const askAsOneOfMany = async (
    target: McpTarget,
    headers: McpHeaders,
    request: McpRequest,
    { upstream: id, handshake }: McpSession,
  ): Promise<UpstreamResponse> => {
    const key = `${id} ${target.id}`
    const begin = (): Promise<SharedSession> =>
      shared.begin(key, () => beginShared(target, headers, request, handshake))
    // Each server has agreed with Weir on a version of its own.
    const sent = { ...request, protocolVersion: undefined }
    const known = shared.find(key)
    if (request.method === 'DELETE') {
      if (known?.upstream === undefined) return { status: 200, headers: new HeaderList(), body: fromPieces([]) }
      shared.drop(key, known)
      return send(target, headers, sent, known)
    }
    const session = known ?? (await begin())
    const first = await send(target, headers, sent, session)
    if (first.status !== 404 || session.upstream === undefined) return first
    first.body.cancel()
    shared.drop(key, session)
    return send(target, headers, sent, await begin())
  }

  const once = async (target: McpTarget, request: McpRequest, credentials: McpHeaders): Promise<McpReply> => {
    const { caller, session: token } = request
    const headers = [...request.forwarded, ...credentials, ...(await identities.headersFor(target, caller))]
    if (target.transport === 'sse') return bridge.ask(target, headers, request)
    const isSessionless = token === undefined && request.isInitialize !== true
    const session = token === undefined ? undefined : ownSession(tokens, token, target, caller)
    if (session?.serverId === EVERY_SERVER) {
      const { status, headers: told, body } = await askAsOneOfMany(target, headers, request, session)
      return { status, headers: told, body }
    }
    const response = await (isSessionless
      ? askWithout(target, headers, request)
      : send(target, headers, request, session))
    return toReply(response, tokens, { serverId: target.id, callerId: caller.keyId }, request)
  }

  return {
    ...servers,
    version,
    begin({ keyId: callerId }, params) {
      const handshake = { jsonrpc: '2.0', id: 0, method: 'initialize', params }
      const token = tokens.seal({ serverId: EVERY_SERVER, callerId, upstream: crypto.randomUUID(), handshake })
      if (token !== undefined) return token
      throw new InvalidRequest('The `capabilities` of the client are too long.', { param: 'params.capabilities' })
    },
    resume(caller, token) {
      ownSession(tokens, token, { id: EVERY_SERVER }, caller)
    },
    end(caller, token) {
      tokens.end(ownSession(tokens, token, { id: EVERY_SERVER }, caller))
    },
    async ask(target, request) {
      const { caller } = request
      const sent = await target.credentials(caller)
      const first = await once(target, request, sent).catch(unlessRefused)
      if (first?.status === 403) refuseScope(target, caller, first)
      if (first?.status !== 401 && first !== undefined) return first
      const isRenewed = await target.renewed(caller, sent)
      if (first !== undefined && !isRenewed) return first
      first?.body.cancel()
      return once(target, request, await target.credentials(caller))
    },
  }
}

/** @throws McpLoginMissing where the user has to agree to more (RFC 6750, section 3.1; specification, "Scope Challenge Handling") */
const refuseScope = (target: McpTarget, caller: McpCaller, { headers, body }: McpReply): void => {
  const challenge = headers.get('www-authenticate') ?? ''
  const [, scope] = /\bscope="([^"]{1,1024})"/.exec(challenge) ?? []
  if (scope === undefined || !/\berror="insufficient_scope"/.test(challenge)) return
  const wanted = target.wanting(caller, scope)
  if (wanted === undefined) return
  body.cancel()
  throw wanted
}

/** The handshake itself was refused: as good as an answer that says so. */
const unlessRefused = (thrown: unknown): undefined => {
  if (thrown instanceof McpUnreachable && thrown.status === 401) return undefined
  throw thrown
}

const toReply = (
  { status, headers, body }: UpstreamResponse,
  tokens: SessionTokens,
  owner: Omit<McpSession, 'upstream'>,
  { isInitialize }: McpRequest,
): McpReply => {
  const given = headers.get(SESSION_HEADER)
  const isBegun = isInitialize === true && status === 200 && given !== null && given !== ''
  if (!isBegun) return { status, headers, body }
  const session = tokens.seal({ ...owner, upstream: given })
  if (session !== undefined) return { status, headers, body, session }
  body.cancel()
  throw new McpUnreachable('The MCP server gave its session an id that is too long.')
}
