import { isRecord, textIn } from '../core/json/record.ts'
import type { McpCaller, McpForwarding, McpHeaders, McpIdentity, McpServers, McpTarget } from '../core/mcp/servers.ts'
import { SecretUnavailable, UnsupportedConfig } from '../errors/gateway-error.ts'
import { SecretFailure } from '../secret-managers/manager.ts'
import { pickValue } from '../secret-managers/pick-value.ts'
import type { FoundSecret, SecretReferences } from '../secret-managers/secret-references.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import type { McpServerRecord, McpSnapshot, StoredMcpIntegration } from '../store/memory/mcp-snapshot.ts'
import { capabilityKey } from '../store/objects/mcp-capabilities.ts'
import { isUuid } from '../store/objects/rows.ts'
import type { SecretMapping } from '../store/schema/integrations.ts'
import type { UserLogins } from './logins/user-logins.ts'
import type { ServiceAccount, ServiceTokens } from './service-tokens.ts'
import { matchesTemplate } from './uri-template.ts'

export interface McpServersOptions extends CredentialSources {
  /** Of users at the servers behind. */
  readonly logins: Pick<UserLogins, 'headersFor' | 'renew' | 'wanting'>
  readonly snapshot: Pick<McpSnapshot, 'find' | 'list' | 'slugOf'>
  readonly seen: McpServers['seen']
}

/** Milliseconds that a call may take where the integration does not say. */
const TIMEOUT_MS = 60_000

/** Opens MCP servers for calls, each once for each version of its record. */
export const createMcpServers = (options: McpServersOptions): McpServers => {
  const { snapshot, seen } = options
  const targets = new WeakMap<McpServerRecord, McpTarget>()
  const toTarget = (record: McpServerRecord): McpTarget => {
    const known = targets.get(record)
    if (known !== undefined) return known
    const made = targetOf(record, options)
    targets.set(record, made)
    return made
  }
  return {
    find(workspaceId, reference) {
      const record = snapshot.find(workspaceId, reference)
      return record && toTarget(record)
    },
    list: (workspaceId) => snapshot.list(workspaceId).map(toTarget),
    isWorkspace: (workspaceId, reference) =>
      reference.toLowerCase() === workspaceId || reference === snapshot.slugOf(workspaceId),
    seen,
  }
}

const targetOf = (record: McpServerRecord, { logins, ...sources }: McpServersOptions): McpTarget => {
  const { server, integration, capabilities, hiddenTemplates, users, guardrails } = record
  const {
    timeout_ms: timeoutMs,
    forward_headers: forwarding,
    user_identity_forwarding: identity,
  } = integration.configurations
  return {
    id: server.id,
    slug: server.slug,
    name: server.name,
    description: server.description ?? undefined,
    organisationId: server.organisationId,
    workspaceId: server.workspaceId,
    integrationId: integration.id,
    url: integration.url,
    transport: integration.transport,
    timeoutMs: typeof timeoutMs === 'number' ? timeoutMs : TIMEOUT_MS,
    forwarding: toForwarding(forwarding),
    identity: toIdentity(identity),
    guardrails,
    allows: (userId) =>
      userId === undefined || (users.get(userId.toLowerCase()) ?? server.defaultUserAccess === 'allow'),
    capability: (type, name) => capabilities.get(capabilityKey({ type, name })),
    isFromHiddenTemplate: (uri) => hiddenTemplates.some((template) => matchesTemplate(template, uri)),
    credentials(caller) {
      if (integration.authType !== 'oauth_auto') return openCredentials(integration, server.workspaceId, sources)
      const own = logins.headersFor({ record, userId: userOf(caller, integration) })
      const always = openAlways(integration, server.workspaceId, sources)
      return Promise.all([own, always]).then(([first, second]) => [...first, ...second])
    },
    wanting: ({ userId }, scope) =>
      integration.authType === 'oauth_auto' && userId !== undefined
        ? logins.wanting({ record, userId }, scope)
        : undefined,
    renewed: async ({ userId }, sent) => {
      if (integration.authType === 'oauth_client_credentials')
        return renewService(integration, server.workspaceId, sources)
      return integration.authType === 'oauth_auto' && userId !== undefined && logins.renew({ record, userId }, sent)
    },
  }
}

/** @throws UnsupportedConfig for a caller who is no person: nobody could agree */
const userOf = ({ userId }: McpCaller, { slug }: StoredMcpIntegration): string => {
  if (userId !== undefined && isUuid(userId)) return userId
  throw new UnsupportedConfig(
    `The MCP integration '${slug}' needs a login of each user: call it with a key of a user, or signed in.`,
  )
}

/** What opens the credentials of integrations. */
export interface CredentialSources {
  readonly secretBox: Pick<SecretBox, 'open'>
  /** Secrets that are kept elsewhere. */
  readonly references: SecretReferences
  readonly tokens: ServiceTokens
}

const HEADERS = 'configurations.headers'
const ALWAYS = 'configurations.passthrough_headers'
const SERVICE = 'configurations.oauth_client_credentials'

/**
 * The headers that an integration is asked with.
 * @param workspaceId that it is asked for: secrets from elsewhere are of some workspaces alone
 * @throws UnsupportedConfig for a login that a user has to make first, where none can be made here; SecretUnavailable
 */
export const openCredentials = (
  integration: StoredMcpIntegration,
  workspaceId: string | undefined,
  sources: CredentialSources,
): McpHeaders | Promise<McpHeaders> => {
  const opened = openAll(integration, workspaceId, sources, [HEADERS, ALWAYS, SERVICE])
  if (!opened.some((text) => text instanceof Promise)) {
    return joined(integration, opened as readonly (string | undefined)[], sources.tokens)
  }
  return Promise.all(opened).then((texts) => joined(integration, texts, sources.tokens))
}

/** Headers that are sent whoever asks. */
const openAlways = async (...[integration, workspaceId, sources]: Parameters<typeof openCredentials>) => {
  const [always] = openAll(integration, workspaceId, sources, [ALWAYS])
  return pairsOf(await always)
}

/** @returns whether there was a token that may be replaced by another */
const renewService = async (...[integration, workspaceId, sources]: Parameters<typeof openCredentials>) => {
  const [secret] = openAll(integration, workspaceId, sources, [SERVICE])
  return sources.tokens.forget(toAccount(integration.configurations.oauth_client_credentials, (await secret) ?? ''))
}

/** The secrets of an integration, in clear; at once where they are here. */
const openAll = (
  integration: StoredMcpIntegration,
  workspaceId: string | undefined,
  { secretBox, references }: CredentialSources,
  targets: readonly string[],
): readonly (string | undefined | Promise<string>)[] => {
  const { organisationId, id, secrets, secretMappings } = integration
  return targets.map((target): string | undefined | Promise<string> => {
    const mapping = secretMappings?.find(({ targetField }) => targetField === target)
    if (mapping !== undefined && workspaceId !== undefined) {
      const found = references.get(organisationId, workspaceId, mapping.secretReferenceId)
      return found instanceof Promise ? found.then((one) => picked(one, mapping)) : picked(found, mapping)
    }
    const name = target === SERVICE ? `${SERVICE}.client_secret` : target
    const sealed = secrets[name]
    return sealed === undefined ? undefined : secretBox.open(organisationId, id, name, sealed)
  })
}

/** @throws SecretUnavailable for a secret that has no such value */
const picked = (found: FoundSecret, mapping: SecretMapping): string => {
  try {
    const value = pickValue(found, mapping)
    return typeof value === 'string' ? value : JSON.stringify(value)
  } catch (thrown) {
    if (!(thrown instanceof SecretFailure)) throw thrown
    throw new SecretUnavailable(`The secret reference '${found.slug}' cannot be used: ${thrown.message}.`, {
      cause: thrown,
    })
  }
}

const joined = (
  { authType, configurations, slug }: StoredMcpIntegration,
  [headers, always, secret]: readonly (string | undefined)[],
  tokens: ServiceTokens,
): McpHeaders | Promise<McpHeaders> => {
  const behind = pairsOf(always)
  switch (authType) {
    case 'none':
      return behind
    case 'headers':
      return [...pairsOf(headers), ...behind]
    case 'oauth_client_credentials': {
      const token = tokens.of(toAccount(configurations.oauth_client_credentials, secret ?? ''))
      const withToken = (text: string): McpHeaders => [['authorization', `Bearer ${text}`], ...behind]
      return token instanceof Promise ? token.then(withToken) : withToken(token)
    }
    case 'oauth_auto':
      throw new UnsupportedConfig(
        `The MCP integration '${slug}' is used with the login of each user: Weir itself has none there.`,
      )
  }
}

/** Headers of an object of JSON; what is none has no headers. */
const pairsOf = (text: string | undefined): McpHeaders => {
  const value = text === undefined ? undefined : parsed(text)
  return isRecord(value) ? Object.entries(value).map(([name, header]) => [name.toLowerCase(), String(header)]) : []
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new SecretUnavailable('The headers of an MCP integration are kept elsewhere, and are no JSON there.')
  }
}

const toAccount = (given: unknown, clientSecret: string): ServiceAccount => {
  const fields = isRecord(given) ? given : {}
  const text = (name: string): string | undefined => textIn(fields, name)
  return {
    tokenEndpoint: text('token_endpoint') ?? '',
    clientId: text('client_id') ?? '',
    clientSecret,
    scope: text('scope'),
    audience: text('audience'),
    resource: text('resource'),
    method: text('token_endpoint_auth_method') === 'client_secret_basic' ? 'client_secret_basic' : 'client_secret_post',
  }
}

const toForwarding = (given: unknown): McpForwarding | undefined => {
  const fields = isRecord(given) && !Array.isArray(given) ? given : { mode: 'allowlist', headers: given }
  const { mode, headers } = fields
  if (!Array.isArray(headers)) return undefined
  const pairs = headers.flatMap((entry: unknown) => {
    if (typeof entry === 'string') return [{ from: entry.toLowerCase(), to: entry.toLowerCase() }]
    if (!isRecord(entry)) return []
    return [{ from: String(entry.from).toLowerCase(), to: String(entry.to).toLowerCase() }]
  })
  return { mode: mode === 'all-except' ? 'all-except' : 'allowlist', headers: pairs }
}

const DEFAULT_CLAIMS = ['sub', 'email', 'username', 'user_id', 'workspace_id', 'organisation_id', 'scope', 'client_id']

const toIdentity = (given: unknown): McpIdentity | undefined => {
  if (!isRecord(given)) return undefined
  const { method, include_claims: claims, header_name: header } = given
  if (method !== 'claims_header' && method !== 'bearer' && method !== 'jwt_header') return undefined
  return {
    method,
    claims: Array.isArray(claims) ? claims.map(String) : DEFAULT_CLAIMS,
    header: typeof header === 'string' ? header.toLowerCase() : undefined,
  }
}
