import { boolean, index, jsonb, pgTable, primaryKey, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core'
import type { Configurations, MaskedFields, SealedFields, SecretMapping } from './integrations.ts'
import { users } from './people.ts'
import { organisations, rowTimes, workspaces } from './tenancy.ts'
import { objectColumns } from './workspace-objects.ts'

/** How Weir shows itself at an MCP server of somebody else's (contract 3.6). */
export const MCP_AUTH_TYPES = ['oauth_auto', 'oauth_client_credentials', 'headers', 'none'] as const
export type McpAuthType = (typeof MCP_AUTH_TYPES)[number]

/** `http` is streamable HTTP; `sse` the transport before it. */
export const MCP_TRANSPORTS = ['http', 'sse'] as const

/** What an MCP server offers. */
export const MCP_CAPABILITY_TYPES = ['tool', 'prompt', 'resource', 'resource_template'] as const
export type McpCapabilityType = (typeof MCP_CAPABILITY_TYPES)[number]

export const MCP_SYNC_STATUSES = ['pending', 'synced', 'failed'] as const

/** What a server said of itself when it was asked last. */
export interface McpServerInfo {
  readonly name?: string
  readonly version?: string
  readonly title?: string
  readonly description?: string
  readonly websiteUrl?: string
  readonly icons?: readonly unknown[]
  readonly protocolVersion?: string
  readonly capabilities?: Readonly<Record<string, unknown>>
  readonly instructions?: string
}

/** An MCP server as an organisation knows it: its address and how to show oneself there (contract 3.6). */
export const mcpIntegrations = pgTable(
  'mcp_integrations',
  {
    id: uuid().primaryKey(),
    organisationId: uuid()
      .notNull()
      .references(() => organisations.id),
    /** Set on one that belongs to a single workspace. */
    workspaceId: uuid().references(() => workspaces.id, { onDelete: 'cascade' }),
    /** Unique within the organisation. */
    slug: text().notNull(),
    name: text().notNull(),
    description: text(),
    url: text().notNull(),
    authType: text({ enum: MCP_AUTH_TYPES }).notNull(),
    transport: text({ enum: MCP_TRANSPORTS }).notNull(),
    status: text({ enum: ['active', 'archived'] })
      .notNull()
      .default('active'),
    configurations: jsonb().$type<Configurations>().notNull().default({}),
    secrets: jsonb().$type<SealedFields>().notNull().default({}),
    masked: jsonb().$type<MaskedFields>().notNull().default({}),
    secretMappings: jsonb().$type<readonly SecretMapping[]>(),
    /** What workspaces get that have no row of their own in `mcp_integration_workspaces`, later ones too. */
    globalWorkspaceAccess: jsonb().$type<{ readonly enabled: boolean }>(),
    ownerId: text().notNull(),
    serverInfo: jsonb().$type<McpServerInfo>(),
    syncStatus: text({ enum: MCP_SYNC_STATUSES }).notNull().default('pending'),
    syncError: text(),
    lastSyncedAt: timestamp({ withTimezone: true }),
    ...rowTimes(),
  },
  (table) => [
    unique('mcp_integrations_organisation_slug').on(table.organisationId, table.slug),
    index('mcp_integrations_workspace').on(table.workspaceId),
  ],
)

const ofIntegration = () =>
  uuid()
    .notNull()
    .references(() => mcpIntegrations.id, { onDelete: 'cascade' })

/** Whether a workspace may use an MCP integration. */
export const mcpIntegrationWorkspaces = pgTable(
  'mcp_integration_workspaces',
  {
    integrationId: ofIntegration(),
    workspaceId: uuid()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    enabled: boolean().notNull(),
    ...rowTimes(),
  },
  (table) => [
    primaryKey({ columns: [table.integrationId, table.workspaceId] }),
    index('mcp_integration_workspaces_workspace').on(table.workspaceId),
  ],
)

/** A tool, prompt, resource or template that an integration was seen to offer, and whether it may be used. */
export const mcpCapabilities = pgTable(
  'mcp_capabilities',
  {
    id: uuid().primaryKey(),
    integrationId: ofIntegration(),
    type: text({ enum: MCP_CAPABILITY_TYPES }).notNull(),
    /** Its name; of a resource its address, of a template its pattern: what calls name it by. */
    name: text().notNull(),
    enabled: boolean().notNull().default(true),
    /** As the server told it, without its name. */
    definition: jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
    /** SHA-256 of the definition, hex: another one is another thing under the old name. */
    hash: text().notNull(),
    /** The hash that somebody looked at; differs from `hash` when the definition changed since. */
    approvedHash: text().notNull(),
    /** False: the server offers it no more. Kept, so that what was disabled stays so when it comes back. */
    isOffered: boolean().notNull().default(true),
    ...rowTimes(),
  },
  (table) => [unique('mcp_capabilities_name').on(table.integrationId, table.type, table.name)],
)

/** An MCP integration in one workspace: what clients connect to (contract 3.7). */
export const mcpServers = pgTable(
  'mcp_servers',
  {
    ...objectColumns(),
    integrationId: ofIntegration(),
    /** Unique within the workspace: `{base}/mcp/{slug}/mcp`. */
    slug: text().notNull(),
    name: text().notNull(),
    description: text(),
    status: text({ enum: ['active', 'archived'] })
      .notNull()
      .default('active'),
    /** Of users that have no row in `mcp_user_access`. */
    defaultUserAccess: text({ enum: ['allow', 'deny'] })
      .notNull()
      .default('allow'),
    ownerId: text().notNull(),
    ...rowTimes(),
  },
  (table) => [
    unique('mcp_servers_workspace_slug').on(table.workspaceId, table.slug),
    index('mcp_servers_integration').on(table.integrationId),
  ],
)

const ofServer = () =>
  uuid()
    .notNull()
    .references(() => mcpServers.id, { onDelete: 'cascade' })

/** What a server takes away from, or leaves of, the capabilities of its integration. One without a row is as there. */
export const mcpServerCapabilities = pgTable(
  'mcp_server_capabilities',
  {
    serverId: ofServer(),
    capabilityId: uuid()
      .notNull()
      .references(() => mcpCapabilities.id, { onDelete: 'cascade' }),
    enabled: boolean().notNull(),
    ...rowTimes(),
  },
  (table) => [primaryKey({ columns: [table.serverId, table.capabilityId] })],
)

/** Whether a user may use a server. */
export const mcpUserAccess = pgTable(
  'mcp_user_access',
  {
    serverId: ofServer(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    enabled: boolean().notNull(),
    ...rowTimes(),
  },
  (table) => [primaryKey({ columns: [table.serverId, table.userId] }), index('mcp_user_access_user').on(table.userId)],
)

/** What a user agreed to at the server behind: tokens that Weir calls it with for them. */
export const mcpConnections = pgTable(
  'mcp_connections',
  {
    id: uuid().primaryKey(),
    serverId: ofServer(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Access and refresh tokens as JSON, sealed under the id of this row. */
    sealed: text().notNull(),
    scope: text(),
    /** Of the access token; null: not said. */
    expiresAt: timestamp({ withTimezone: true }),
    /** Whoever wrote it asks for other tokens until then: a refresh token is good once. */
    refreshingUntil: timestamp({ withTimezone: true }),
    ...rowTimes(),
  },
  (table) => [
    unique('mcp_connections_server_user').on(table.serverId, table.userId),
    index('mcp_connections_user').on(table.userId),
  ],
)

/** How Weir is known at the authorization server of an MCP server, where it registered itself there. */
export const mcpOauthClients = pgTable('mcp_oauth_clients', {
  integrationId: uuid()
    .primaryKey()
    .references(() => mcpIntegrations.id, { onDelete: 'cascade' }),
  issuer: text().notNull(),
  /** Where people are sent back to: registered under another address, the client is of no use. */
  redirectUri: text().notNull(),
  clientId: text().notNull(),
  /** The client's secret, sealed under the id of the integration; null: it has none. */
  sealed: text(),
  /** Null: it does not end. */
  secretEndsAt: timestamp({ withTimezone: true }),
  ...rowTimes(),
})

/** Keys by which Weir signs who calls, for servers that want to be sure. One of each organisation. */
export const signingKeys = pgTable('signing_keys', {
  id: uuid().primaryKey(),
  organisationId: uuid()
    .notNull()
    .unique('signing_keys_organisation')
    .references(() => organisations.id),
  /** JSON Web Key: anybody may see it. */
  publicKey: jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
  /** The private key as PKCS #8, sealed under the id of this row. */
  sealed: text().notNull(),
  ...rowTimes(),
})
