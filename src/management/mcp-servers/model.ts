import { type Static, Type as t } from '@sinclair/typebox'
import {
  DateTime,
  Name,
  nullable,
  OrganisationReference,
  Reference,
  searchIn,
  Uuid,
  WorkspaceReference,
} from '../fields.ts'
import { pageQuery } from '../list.ts'

/** Bodies and queries of MCP servers (interface contract, section 3.7). */

const Description = t.String({ maxLength: 500 })

export const NewMcpServer = t.Object({
  name: Name,
  mcp_integration_id: { ...Reference, description: 'Id or slug of an MCP integration that the workspace may use.' },
  description: t.Optional(nullable(Description)),
  slug: t.Optional(
    t.String({
      pattern: '^[a-zA-Z0-9_-]+$',
      minLength: 3,
      maxLength: 50,
      description: 'Part of the address that clients connect to. Unique within the workspace.',
    }),
  ),
  workspace_id: WorkspaceReference,
  organisation_id: OrganisationReference,
})
export type NewMcpServerBody = Static<typeof NewMcpServer>

export const McpServerChange = t.Object(
  { name: t.Optional(Name), description: t.Optional(nullable(Description)) },
  { minProperties: 1 },
)

export const McpServersQuery = t.Object({
  ...pageQuery(100, 100),
  workspace_id: WorkspaceReference,
  id: t.Optional(t.String({ minLength: 1, maxLength: 4096, description: 'Ids with commas between them.' })),
  search: searchIn('name or slug'),
})

const AccessDefault = t.Union([t.Literal('allow'), t.Literal('deny')], {
  description: 'Whether users may use the server of whom nothing else is said.',
})

export const UserAccessQuery = t.Object({
  page: t.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'Page, from 1.' }),
  page_size: t.Integer({ minimum: 1, maximum: 500, default: 100, description: 'Rows of a page.' }),
  search: searchIn('name or address'),
  workspace_id: WorkspaceReference,
})

export const UserAccess = t.Object({
  data: t.Array(
    t.Object({
      user_id: Uuid,
      first_name: nullable(t.String()),
      last_name: nullable(t.String()),
      enabled: t.Boolean(),
      has_override: t.Boolean(),
      connection_status: t.Union([t.Literal('connected'), t.Literal('not_connected')]),
    }),
  ),
  default_user_access: AccessDefault,
  total: t.Integer({ minimum: 0 }),
  has_more: t.Boolean(),
})

export const UserAccessChange = t.Object(
  {
    user_access: t.Optional(
      t.Array(t.Object({ user_id: Uuid, enabled: t.Boolean() }), {
        maxItems: 500,
        description: 'Users that are not listed stay as they are.',
      }),
    ),
    default_user_access: t.Optional(AccessDefault),
  },
  { minProperties: 1 },
)

export const ConnectionsQuery = t.Object({
  ...pageQuery(100, 500),
  user_id: t.Optional(Uuid),
  workspace_id: WorkspaceReference,
})

export const Connections = t.Object({
  data: t.Array(t.Object({ user_id: Uuid, connected: t.Boolean(), created_at: DateTime, last_updated_at: DateTime })),
  total: t.Integer({ minimum: 0 }),
  has_more: t.Boolean(),
})

export const ConnectionRemoval = t.Object({ user_id: t.Optional(Uuid), workspace_id: WorkspaceReference })
