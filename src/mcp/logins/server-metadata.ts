import { isRecord } from '../../core/json/record.ts'
import { McpUnreachable } from '../../core/mcp/unreachable.ts'
import { GatewayError } from '../../errors/gateway-error.ts'

/** One answer, its body read as JSON where it is that. */
export interface JsonAnswer {
  readonly status: number
  readonly header: (name: string) => string | null
  readonly body: unknown
}

/** Asks one address through the guard of all outgoing calls. @throws a catalogue error */
export type AskJson = (
  url: string,
  init?: {
    readonly method?: 'GET' | 'POST'
    readonly body?: string
    readonly headers?: Readonly<Record<string, string>>
  },
) => Promise<JsonAnswer>

/** What an authorization server says of itself (RFC 8414). */
export interface ServerMetadata {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly registration_endpoint?: string
  readonly token_endpoint_auth_methods_supported?: readonly string[]
  readonly authorization_response_iss_parameter_supported?: boolean
}

/** Where people agree for an MCP server. */
export interface Authorization {
  readonly server: ServerMetadata
  /** What tokens are bound to (RFC 8707). */
  readonly resource: string
  readonly scopes: readonly string[] | undefined
}

/**
 * Finds the authorization server of an MCP server (MCP specification 2025-11-25, "Authorization Server Discovery"): by the
 * description of the server, and where it has none, at its own host, as servers of 2025-03-26 have it.
 * @param issuer where the operator says it
 * @throws McpUnreachable, a catalogue error
 */
export const discover = async (ask: AskJson, url: string, issuer: string | undefined): Promise<Authorization> => {
  const described = await describe(ask, url)
  const { origin } = new URL(url)
  const resource = described?.resource ?? url
  const own = issuer ?? described?.issuer
  const server = await findServer(ask, own ?? origin, own === undefined)
  if (server !== undefined) return { server, resource, scopes: described?.scopes }
  if (own !== undefined) throw new McpUnreachable(`The authorization server ${own} does not say where people agree.`)
  const at = (path: string): string => `${origin}${path}`
  return {
    server: {
      issuer: origin,
      authorization_endpoint: at('/authorize'),
      token_endpoint: at('/token'),
      registration_endpoint: at('/register'),
    },
    resource,
    scopes: undefined,
  }
}

interface Described {
  readonly issuer: string | undefined
  readonly resource: string
  readonly scopes: readonly string[] | undefined
}

const PING = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'ping' })

/** What the server says of itself (RFC 9728). */
const describe = async (ask: AskJson, url: string): Promise<Described | undefined> => {
  const { origin, pathname } = new URL(url)
  const refused = await ask(url, {
    method: 'POST',
    body: PING,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  }).catch(unlessOwn)
  const challenge = refused?.status === 401 ? (refused.header('www-authenticate') ?? '') : ''
  const [, named] = /resource_metadata="([^"]+)"/.exec(challenge) ?? []
  const [, scope] = /\bscope="([^"]+)"/.exec(challenge) ?? []
  const wellKnown = `${origin}/.well-known/oauth-protected-resource`
  const places = [named, pathname === '/' ? undefined : `${wellKnown}${pathname}`, wellKnown]
  for (const place of places) {
    if (place === undefined || !isSameOrigin(place, origin)) continue
    const answer = await ask(place).catch(unlessOwn)
    if (answer?.status !== 200 || !isRecord(answer.body)) continue
    const { resource, authorization_servers: servers, scopes_supported: scopes } = answer.body
    if (typeof resource !== 'string' || !isPartOf(resource, url)) continue
    const [issuer] = Array.isArray(servers) ? (servers as readonly unknown[]) : []
    return {
      issuer: typeof issuer === 'string' ? issuer : undefined,
      resource,
      scopes: scope?.split(' ') ?? textsOf(scopes),
    }
  }
  return undefined
}

/** Somebody else's description says nothing about this server. */
const isSameOrigin = (place: string, origin: string): boolean => URL.parse(place)?.origin === origin

/** Whether a token for the one is a token for the other (specification, "Canonical Server URI"). */
const isPartOf = (resource: string, url: string): boolean => {
  const [whole, one] = [URL.parse(resource), new URL(url)]
  return whole !== null && whole.origin === one.origin && one.pathname.startsWith(whole.pathname.replace(/\/$/, ''))
}

/** In the order of the specification. */
const placesOf = (issuer: string): readonly string[] => {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const [oauth, openid] = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']
  const plain = [`${origin}${oauth}${path}`, `${origin}${openid}${path}`]
  return path === '' ? plain : [...plain, `${origin}${path}${openid}`]
}

/** @throws McpUnreachable for one that may not be used */
const findServer = async (ask: AskJson, issuer: string, isGuessed: boolean): Promise<ServerMetadata | undefined> => {
  if (!URL.canParse(issuer))
    throw new McpUnreachable('The MCP server names an authorization server that is no address.')
  for (const place of placesOf(issuer)) {
    const answer = await ask(place).catch(unlessOwn)
    if (answer?.status !== 200 || !isRecord(answer.body)) continue
    return readServer(answer.body, issuer, isGuessed)
  }
  return undefined
}

const readServer = (body: Readonly<Record<string, unknown>>, issuer: string, isGuessed: boolean): ServerMetadata => {
  const { issuer: said, code_challenge_methods_supported: methods } = body
  const { authorization_endpoint: authorize, token_endpoint: token, registration_endpoint: register } = body
  // Servers of 2025-03-26 describe at the root of their host what may have a path.
  const isHere = typeof said === 'string' && isGuessed && isSameOrigin(said, issuer)
  if (typeof said !== 'string' || !(isHere || said.replace(/\/$/, '') === issuer.replace(/\/$/, ''))) {
    throw new McpUnreachable(`The authorization server ${issuer} calls itself something else.`)
  }
  if (typeof authorize !== 'string' || typeof token !== 'string') {
    throw new McpUnreachable(`The authorization server ${issuer} does not say where people agree.`)
  }
  // "MCP clients MUST refuse to proceed" where it is not said (specification, "Authorization Code Protection").
  if (!Array.isArray(methods) || !methods.includes('S256')) {
    throw new McpUnreachable(`The authorization server ${issuer} does not say that it supports PKCE with S256.`)
  }
  const authMethods = textsOf(body.token_endpoint_auth_methods_supported)
  return {
    issuer: said,
    authorization_endpoint: authorize,
    token_endpoint: token,
    ...(typeof register === 'string' ? { registration_endpoint: register } : {}),
    ...(authMethods === undefined ? {} : { token_endpoint_auth_methods_supported: authMethods }),
    ...(body.authorization_response_iss_parameter_supported === true
      ? { authorization_response_iss_parameter_supported: true }
      : {}),
  }
}

const textsOf = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : undefined

/** What does not answer, or may not be reached, says nothing. */
const unlessOwn = (thrown: unknown): undefined => {
  if (!(thrown instanceof GatewayError) || thrown.code === 'internal_error') throw thrown
  return undefined
}
