import { isRecord, textIn } from '../../core/json/record.ts'
import { McpUnreachable } from '../../core/mcp/unreachable.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import type { StoredMcpIntegration } from '../../store/memory/mcp-snapshot.ts'
import { findOauthClient, putOauthClient } from '../../store/objects/mcp-connections.ts'
import type { Db } from '../../store/types.ts'
import { type AskJson, type Authorization, discover } from './server-metadata.ts'

/** How Weir is known where people agree. */
export interface OwnClient {
  readonly id: string
  readonly secret: string | undefined
  readonly method: 'none' | 'client_secret_basic' | 'client_secret_post'
}

/** All that is needed to send people somewhere, and to take what they bring back. */
export interface LoginPlace extends Authorization {
  readonly client: OwnClient
  readonly scope: string | undefined
  /** Added to the address. */
  readonly parameters: Readonly<Record<string, string>>
}

export interface OwnClientDeps {
  readonly db: Db
  readonly secretBox: Pick<SecretBox, 'seal' | 'open'>
  readonly ask: AskJson
  readonly now: () => number
  /** Where people are sent back to. */
  readonly redirectUri: () => string
}

const SECTION = 'oauth_metadata'
const SECRET = `configurations.${SECTION}.client_secret`
const FIELD = 'oauth_client_secret'

/**
 * Where the users of an integration agree, and how Weir shows itself there: as the operator says, else as it has registered
 * itself, which it does now where it has not (RFC 7591).
 * @throws McpUnreachable, a catalogue error
 */
export const openLoginPlace = async (deps: OwnClientDeps, integration: StoredMcpIntegration): Promise<LoginPlace> => {
  const said = settingsOf(integration)
  const found = await discover(deps.ask, integration.url, said.text('issuer'))
  const authorization: Authorization = {
    ...found,
    server: { ...found.server, ...said.endpoints },
  }
  const scope = said.text('scope') ?? (said.scopes ?? found.scopes)?.join(' ')
  return {
    ...authorization,
    scope: scope === '' ? undefined : scope,
    parameters: said.parameters,
    client: await openClient(deps, integration, authorization),
  }
}

const openClient = async (
  { db, secretBox, ask, now, redirectUri }: OwnClientDeps,
  integration: StoredMcpIntegration,
  { server, scopes }: Authorization,
): Promise<OwnClient> => {
  const { id: integrationId, organisationId, secrets } = integration
  const said = settingsOf(integration)
  const own = said.text('client_id')
  if (own !== undefined) {
    const sealed = secrets[SECRET]
    const secret =
      sealed === undefined ? undefined : await secretBox.open(organisationId, integrationId, SECRET, sealed)
    return { id: own, secret, method: methodOf(said.text('token_endpoint_auth_method'), secret, server) }
  }
  const known = await findOauthClient(db, integrationId)
  const isGood =
    known?.issuer === server.issuer &&
    known.redirectUri === redirectUri() &&
    (known.secretEndsAt === null || known.secretEndsAt.getTime() > now())
  if (known !== undefined && isGood) {
    const { sealed } = known
    const secret = sealed === null ? undefined : await secretBox.open(organisationId, integrationId, FIELD, sealed)
    return { id: known.clientId, secret, method: methodOf(undefined, secret, server) }
  }
  const asked = said.asClient(redirectUri(), said.scopes ?? scopes)
  const { id, secret, secretEndsAt } = await register(ask, server, asked)
  await db.transaction(async (transaction) => {
    const sealed =
      secret === undefined ? null : await secretBox.seal(transaction, organisationId, integrationId, FIELD, secret)
    const row = { integrationId, issuer: server.issuer, redirectUri: redirectUri(), clientId: id, sealed, secretEndsAt }
    await putOauthClient(transaction, row)
  })
  return { id, secret, method: methodOf(undefined, secret, server) }
}

const register = async (ask: AskJson, server: Authorization['server'], metadata: object) => {
  const { registration_endpoint: endpoint, issuer } = server
  if (endpoint === undefined) {
    throw new McpUnreachable(
      `The authorization server ${issuer} lets no client register itself: say \`oauth_metadata.client_id\` in the integration.`,
    )
  }
  const headers = { 'content-type': 'application/json' }
  const { status, body } = await ask(endpoint, { method: 'POST', body: JSON.stringify(metadata), headers })
  if ((status !== 201 && status !== 200) || !isRecord(body) || typeof body.client_id !== 'string') {
    throw new McpUnreachable(`The authorization server ${issuer} did not register Weir: status ${status}.`)
  }
  const { client_id: id, client_secret: secret, client_secret_expires_at: ends } = body
  return {
    id,
    secret: typeof secret === 'string' && secret !== '' ? secret : undefined,
    // 0: never.
    secretEndsAt: typeof ends === 'number' && ends > 0 ? new Date(ends * 1000) : null,
  }
}

/** As the operator or the server wants it: HTTP Basic unless one of them says otherwise (RFC 8414, section 2). */
const methodOf = (
  said: string | undefined,
  secret: string | undefined,
  { token_endpoint_auth_methods_supported: supported }: Authorization['server'],
): OwnClient['method'] => {
  if (secret === undefined || said === 'none') return 'none'
  if (said === 'client_secret_post' || said === 'client_secret_basic') return said
  return supported !== undefined && !supported.includes('client_secret_basic')
    ? 'client_secret_post'
    : 'client_secret_basic'
}

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint'] as const
const ABOUT = [
  'client_uri',
  'logo_uri',
  'software_id',
  'software_version',
  'contacts',
  'tos_uri',
  'policy_uri',
] as const

/** What the operator says of it. */
const settingsOf = ({ configurations }: StoredMcpIntegration) => {
  const section = configurations[SECTION]
  const fields = isRecord(section) ? section : {}
  const text = (name: string): string | undefined => textIn(fields, name)
  const { scopes_supported: scopes, authorization_params: parameters } = fields
  const pick = (names: readonly string[]) =>
    Object.fromEntries(names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]))
  return {
    text,
    endpoints: pick(ENDPOINTS) as Readonly<Record<string, string>>,
    scopes: Array.isArray(scopes) ? scopes.map(String) : undefined,
    parameters: isRecord(parameters) ? (parameters as Readonly<Record<string, string>>) : {},
    asClient: (redirectUri: string, asked: readonly string[] | undefined): object => ({
      client_name: text('client_name') ?? 'Weir',
      ...pick(ABOUT),
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: text('token_endpoint_auth_method') ?? 'client_secret_basic',
      ...(asked === undefined ? {} : { scope: asked.join(' ') }),
    }),
  }
}
