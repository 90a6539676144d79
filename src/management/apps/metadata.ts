import { isRecord } from '../../core/json/record.ts'
import { ManagementNotFound } from '../../errors/gateway-error.ts'
import { MCP_SCOPE, type McpPlace } from '../../mcp/place.ts'
import type { OwnAddress } from '../../people/sessions/origin.ts'
import type { Visit } from '../sign-in/serve.ts'
import { ANY_PAGE } from '../tokens/oauth-error.ts'
import type { AppsDeps } from './deps.ts'
import { APP_PATHS, RESOURCE_METADATA } from './paths.ts'
import { readResource } from './resource.ts'

/** The issuer of tokens for apps. */
export const issuerOf = ({ origin, prefix }: OwnAddress): string => `${origin}${prefix}`

/** `GET /.well-known/oauth-authorization-server` (RFC 8414). */
export const showServer = (deps: AppsDeps, visit: Visit): Response => {
  requireIssuers(deps)
  const rest = visit.params['*']
  if (rest !== undefined && `/${rest}` !== visit.prefix) throw new ManagementNotFound('There is no such issuer here.')
  const issuer = issuerOf(visit)
  const at = (path: keyof typeof APP_PATHS): string => `${issuer}${APP_PATHS[path]}`
  return Response.json(
    {
      issuer,
      authorization_endpoint: at('authorize'),
      token_endpoint: at('token'),
      registration_endpoint: at('register'),
      revocation_endpoint: at('revoke'),
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      scopes_supported: [MCP_SCOPE],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    },
    { headers: ANY_PAGE },
  )
}

/** `GET /.well-known/oauth-protected-resource/*` (RFC 9728): of any place where an MCP server could be. */
export const showResource = (deps: AppsDeps, visit: Visit): Response => {
  const resource = readResource(`${visit.origin}/${visit.params['*'] ?? ''}`, visit)
  if (resource === undefined) throw new ManagementNotFound('There is no MCP server at such a path.')
  const other = otherIssuerOf(deps, resource.place)
  if (other === undefined) requireIssuers(deps)
  return Response.json(
    {
      resource: resource.address,
      authorization_servers: [other ?? issuerOf(visit)],
      ...(other === undefined ? { scopes_supported: [MCP_SCOPE] } : {}),
      bearer_methods_supported: ['header'],
      resource_name: 'Weir',
    },
    { headers: ANY_PAGE },
  )
}

/** An authorization server of the operator's that stands in for this one, at the server that a place names. */
export const otherIssuerOf = (
  { serversAt }: Pick<AppsDeps, 'serversAt'>,
  { workspace, server }: McpPlace,
): string | undefined => {
  const [record, ...others] = server === undefined ? [] : serversAt(workspace, server)
  // A name that several workspaces have says nothing about which one is meant.
  const section = others.length > 0 ? undefined : record?.integration.configurations.external_auth_config
  const issuer = isRecord(section) ? section.issuer : undefined
  return typeof issuer === 'string' ? issuer : undefined
}

/** Where nobody can sign in, no app can ask anybody: it is told so before it tries. @throws ManagementNotFound */
const requireIssuers = ({ issuers }: AppsDeps): void => {
  if (issuers.list.length > 0) return
  throw new ManagementNotFound('Nobody signs in here, as no issuer is set up: send a gateway key.')
}

/** Where the description of a resource is. @param path as clients call it, with the prefix */
export const resourceMetadataUrl = ({ origin, prefix }: OwnAddress, path: string): string =>
  `${origin}${prefix}${RESOURCE_METADATA}${path}`
