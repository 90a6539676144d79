import { type Static, Type as t } from '@sinclair/typebox'
import { MCP_AUTH_TYPES, MCP_CAPABILITY_TYPES, MCP_TRANSPORTS } from '../../store/schema/mcp.ts'
import { Description, Name, nullable, OrganisationReference, Reference, Slug, searchIn, Uuid } from '../fields.ts'
import { SecretMappings } from '../integrations/secret-mappings.ts'
import { pageQuery } from '../list.ts'

/** Bodies and queries of MCP integrations (interface contract, section 3.6). */

const AuthType = t.Union(
  MCP_AUTH_TYPES.map((type) => t.Literal(type)),
  {
    description:
      '`none`; `headers` that are the same for all; `oauth_auto`, by which each user agrees; `oauth_client_credentials`, a service account.',
  },
)
const Transport = t.Union(
  MCP_TRANSPORTS.map((transport) => t.Literal(transport)),
  { description: '`http` is streamable HTTP; `sse` the transport before it.' },
)
const Url = t.String({ pattern: '^https?://[^\\s]+$', maxLength: 2048, description: 'Address of the MCP server.' })
/** What may stand in it: see `configuration-model.ts`. */
const Configurations = t.Record(t.String({ pattern: '^[a-z_]{1,64}$' }), t.Unknown(), {
  additionalProperties: false,
  description: 'Headers, forwarding and logins; a field that is null is removed.',
})

const change = {
  description: t.Optional(nullable(Description)),
  configurations: t.Optional(Configurations),
  secret_mappings: t.Optional(SecretMappings),
}

export const NewMcpIntegration = t.Object({
  name: Name,
  url: Url,
  auth_type: AuthType,
  transport: Transport,
  slug: t.Optional(Slug),
  workspace_id: t.Optional(Reference),
  organisation_id: OrganisationReference,
  ...change,
})
export type NewMcpIntegrationBody = Static<typeof NewMcpIntegration>

export const McpIntegrationChange = t.Object(
  {
    name: t.Optional(Name),
    url: t.Optional(Url),
    auth_type: t.Optional(AuthType),
    transport: t.Optional(Transport),
    ...change,
  },
  { minProperties: 1 },
)
export type McpIntegrationChangeBody = Static<typeof McpIntegrationChange>

export const McpIntegrationsQuery = t.Object({
  ...pageQuery(100, 1000),
  workspace_id: t.Optional(Reference),
  type: t.Union([t.Literal('workspace'), t.Literal('organisation'), t.Literal('all')], {
    default: 'all',
    description: 'Whose: those of one workspace, those of the organisation, or both.',
  }),
  search: searchIn('name or slug'),
})

export const McpReceipt = t.Object({ id: Uuid, slug: t.String() })
export const Done = t.Object({ success: t.Literal(true) })

const CapabilityType = t.Union(MCP_CAPABILITY_TYPES.map((type) => t.Literal(type)))

/** These lists count their pages from 1. */
export const CapabilitiesQuery = t.Object({
  page: t.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'Page, from 1.' }),
  page_size: t.Integer({ minimum: 1, maximum: 500, default: 100, description: 'Rows of a page.' }),
  type: t.Optional(CapabilityType),
})

export const CapabilitiesChange = t.Object({
  capabilities: t.Array(
    t.Object({
      name: t.String({
        minLength: 1,
        maxLength: 2048,
        description: 'Of a resource its address, of a template its pattern.',
      }),
      type: CapabilityType,
      enabled: t.Boolean(),
    }),
    { minItems: 1, maxItems: 500, description: 'Those that are not listed stay as they are.' },
  ),
})
export type CapabilitiesChangeBody = Static<typeof CapabilitiesChange>

export const McpWorkspacesQuery = t.Object({
  version: t.Optional(t.String({ maxLength: 32, description: 'Any value: the list as `data`, with its total.' })),
})

export const McpWorkspacesChange = t.Object({
  workspaces: t.Array(t.Object({ id: Reference, enabled: t.Boolean() }), {
    maxItems: 1000,
    description: 'Workspaces that are not listed stay as they are, unless overridden.',
  }),
  global_workspace_access: t.Optional(
    nullable(
      t.Object(
        { enabled: t.Boolean() },
        { description: 'Access of every workspace that is not listed, later ones too.' },
      ),
    ),
  ),
  override_existing_workspace_access: t.Boolean({
    default: false,
    description: 'True: workspaces that are not listed lose their own setting.',
  }),
})
export type McpWorkspacesChangeBody = Static<typeof McpWorkspacesChange>
