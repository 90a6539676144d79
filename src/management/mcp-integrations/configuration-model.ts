import { type TSchema, Type as t } from '@sinclair/typebox'
import { CustomHeaders } from '../integrations/configuration-fields.ts'

/** What an MCP integration may be told besides its address (interface contract, sections 3.6 and 3.7; behaviours, section 10.3). */

const text = t.String({ minLength: 1, maxLength: 2048 })
const secretText = t.String({ minLength: 1, maxLength: 8192 })
const url = t.String({ pattern: '^https?://[^\\s]+$', maxLength: 2048 })
const names = (what: string, maxItems = 64) =>
  t.Array(t.String({ minLength: 1, maxLength: 256 }), { maxItems, description: what })
const HeaderName = t.String({ pattern: '^[A-Za-z0-9_-]{1,128}$' })
const closed = { additionalProperties: false }
const oneOf = (...values: readonly string[]): TSchema => t.Union(values.map((value) => t.Literal(value)))

const ForwardedHeader = t.Union([
  HeaderName,
  t.Object({ from: HeaderName, to: HeaderName }, { ...closed, description: 'Sent on under another name.' }),
])

const ForwardHeaders = t.Union(
  [
    t.Array(ForwardedHeader, { maxItems: 64 }),
    t.Object({ mode: oneOf('allowlist', 'all-except'), headers: t.Array(ForwardedHeader, { maxItems: 64 }) }, closed),
  ],
  { description: 'Headers of the client that the server gets too. Those that carry credentials are never among them.' },
)

const clientFields = {
  client_id: t.Optional({ ...text, description: 'A client that is registered already: no registration is made then.' }),
  client_secret: t.Optional(secretText),
  scope: t.Optional(text),
  authorization_endpoint: t.Optional(url),
  token_endpoint: t.Optional(url),
  registration_endpoint: t.Optional(url),
  issuer: t.Optional(url),
  token_endpoint_auth_method: t.Optional(oneOf('none', 'client_secret_post', 'client_secret_basic')),
  authorization_params: t.Optional(
    t.Record(t.String({ minLength: 1, maxLength: 128 }), t.String({ maxLength: 1024 }), {
      maxProperties: 16,
      additionalProperties: false,
      description: 'Added to the address at which people agree. Those of the protocol itself stay as they are.',
    }),
  ),
}

const OAuthMetadata = t.Object(
  {
    ...clientFields,
    client_name: t.Optional(text),
    client_uri: t.Optional(url),
    logo_uri: t.Optional(url),
    software_id: t.Optional(text),
    software_version: t.Optional(text),
    contacts: t.Optional(names('Whom to write to.')),
    tos_uri: t.Optional(url),
    policy_uri: t.Optional(url),
    scopes_supported: t.Optional(names('Scopes to ask for, where `scope` does not say.')),
  },
  { ...closed, description: 'How Weir shows itself to the authorization server, and what it need not discover there.' },
)

const ClientCredentials = t.Object(
  {
    token_endpoint: url,
    client_id: text,
    client_secret: t.Optional(secretText),
    scope: t.Optional(text),
    audience: t.Optional(text),
    resource: t.Optional(text),
    token_endpoint_auth_method: t.Optional(oneOf('client_secret_post', 'client_secret_basic')),
  },
  { ...closed, description: 'Of `oauth_client_credentials`: the service account that Weir calls the server as.' },
)

const IdentityForwarding = t.Object(
  {
    method: oneOf('claims_header', 'bearer', 'jwt_header'),
    include_claims: t.Optional(names('Claims that the server gets.')),
    header_name: t.Optional(HeaderName),
  },
  { ...closed, description: 'Tells the server who calls.' },
)

const ClaimValue = t.Object(
  {
    values: t.Union([
      t.String({ maxLength: 1024 }),
      t.Array(t.String({ maxLength: 1024 }), { minItems: 1, maxItems: 64 }),
    ]),
    matchType: t.Optional(oneOf('exact', 'contains', 'containsAll', 'regex')),
  },
  closed,
)

const JwtValidation = t.Object(
  {
    jwksUri: t.Optional(url),
    jwks: t.Optional(
      t.Object({ keys: t.Array(t.Record(t.String(), t.Unknown()), { minItems: 1, maxItems: 32 }) }, closed),
    ),
    introspectEndpoint: t.Optional(url),
    introspectClientId: t.Optional(text),
    introspectClientSecret: t.Optional(secretText),
    headerKey: t.Optional(HeaderName),
    algorithms: t.Optional(
      t.Array(oneOf('RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'), {
        minItems: 1,
        maxItems: 10,
      }),
    ),
    clockTolerance: t.Optional(t.Integer({ minimum: 0, maximum: 600, description: 'Seconds; 5 unless given.' })),
    cacheMaxAge: t.Optional(t.Integer({ minimum: 60, maximum: 604_800, description: 'Seconds; a day unless given.' })),
    requiredClaims: t.Optional(names('Claims that must be there.')),
    claimValues: t.Optional(
      t.Record(t.String({ minLength: 1, maxLength: 256 }), ClaimValue, {
        maxProperties: 32,
        additionalProperties: false,
      }),
    ),
  },
  { ...closed, description: 'Takes tokens of an issuer of yours, by its keys or by asking it.' },
)

export const McpConfigurations = t.Object(
  {
    headers: t.Optional(CustomHeaders),
    custom_headers: t.Optional({ ...CustomHeaders, description: 'Another name of `headers`.' }),
    passthrough_headers: t.Optional({ ...CustomHeaders, description: 'Sent with every call, and win over `headers`.' }),
    passthrough_header: t.Optional({ ...CustomHeaders, description: 'Older name of `passthrough_headers`.' }),
    forward_headers: t.Optional(ForwardHeaders),
    oauth_metadata: t.Optional(OAuthMetadata),
    oauth_client_credentials: t.Optional(ClientCredentials),
    user_identity_forwarding: t.Optional(IdentityForwarding),
    jwt_validation: t.Optional(JwtValidation),
    external_auth_config: t.Optional(
      t.Object(clientFields, {
        ...closed,
        description: 'An authorization server of yours instead of Weir for clients.',
      }),
    ),
    timeout_ms: t.Optional(
      t.Integer({ minimum: 100, maximum: 600_000, description: 'Of a call to it; 60 s unless given.' }),
    ),
    changed_tools: t.Optional({
      ...oneOf('flag', 'refuse'),
      description:
        'A tool whose description is another than the one that was approved: shown as changed (`flag`, unless given), or hidden until it is approved (`refuse`).',
    }),
  },
  { ...closed, description: 'A field that is null in a change is removed.' },
)
