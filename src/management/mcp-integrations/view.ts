import { type TProperties, Type as t } from '@sinclair/typebox'
import { defined } from '../../core/defined.ts'
import type { Reached } from '../../mcp/probe.ts'
import type { CapabilityCount, McpCapability } from '../../store/objects/mcp-capabilities.ts'
import type { McpIntegration, McpIntegrationWorkspace } from '../../store/objects/mcp-integrations.ts'
import { MCP_CAPABILITY_TYPES, MCP_SYNC_STATUSES, type McpCapabilityType } from '../../store/schema/mcp.ts'
import { DateTime, nullable, Uuid } from '../fields.ts'
import { fromMapping } from '../integrations/answers.ts'
import { SecretMappings } from '../integrations/secret-mappings.ts'
import { answerOf } from '../resource/answer.ts'
import { showConfigurations } from './configurations.ts'

/** What MCP integrations look like in answers (interface contract, section 3.6). */

const Free = t.Record(t.String(), t.Unknown())

const integrationFields = {
  id: Uuid,
  organisation_id: Uuid,
  workspace_id: nullable(Uuid),
  name: t.String(),
  slug: t.String(),
  description: nullable(t.String()),
  owner_id: t.String(),
  status: t.Union([t.Literal('active'), t.Literal('archived')]),
  type: t.Union([t.Literal('workspace'), t.Literal('organisation')]),
  url: t.String(),
  auth_type: t.String(),
  transport: t.String(),
  configurations: Free,
  secret_mappings: SecretMappings,
  created_at: DateTime,
  last_updated_at: DateTime,
}

const made = {
  type: ({ workspaceId }: McpIntegration) =>
    workspaceId === null ? ('organisation' as const) : ('workspace' as const),
  configurations: ({ configurations, masked }: McpIntegration) => showConfigurations(configurations, masked),
  secret_mappings: ({ secretMappings }: McpIntegration) => (secretMappings ?? []).map(fromMapping),
}

/** An integration in a list, with how many workspaces may use it. */
export interface ListedMcpIntegration extends McpIntegration {
  readonly workspacesCount: number
}

export const listedMcpIntegration = answerOf<ListedMcpIntegration>()(
  { ...integrationFields, workspaces_count: t.Integer({ minimum: 0 }) },
  made,
)

export const mcpIntegrationAnswer = answerOf<McpIntegration>()(
  { ...integrationFields, global_workspace_access: nullable(t.Object({ enabled: t.Boolean() })) },
  made,
)

/** What a server answered when it was asked whether it is there. */
export const reachedFields = {
  success: t.Boolean(),
  status_code: t.Optional(t.Integer()),
  response_time_ms: t.Number({ minimum: 0 }),
  url: t.String(),
  error: t.Optional(t.String()),
}

export const showReached = ({ url }: Pick<McpIntegration, 'url'>, reached: Reached) => ({
  success: reached.success,
  ...defined({ status_code: reached.statusCode, error: reached.error }),
  response_time_ms: reached.responseTimeMs,
  url,
})

export const metadataAnswer = answerOf<McpIntegration>()(
  {
    server_name: nullable(t.String()),
    server_version: nullable(t.String()),
    title: nullable(t.String()),
    description: nullable(t.String()),
    website_url: nullable(t.String()),
    icons: t.Array(t.Unknown()),
    protocol_version: nullable(t.String()),
    capability_flags: nullable(Free),
    instructions: nullable(t.String()),
    sync_status: t.Union(MCP_SYNC_STATUSES.map((status) => t.Literal(status))),
    last_synced_at: nullable(DateTime),
    sync_error: nullable(t.String()),
  },
  {
    server_name: ({ serverInfo }) => serverInfo?.name ?? null,
    server_version: ({ serverInfo }) => serverInfo?.version ?? null,
    title: ({ serverInfo }) => serverInfo?.title ?? null,
    description: ({ serverInfo }) => serverInfo?.description ?? null,
    website_url: ({ serverInfo }) => serverInfo?.websiteUrl ?? null,
    icons: ({ serverInfo }) => [...(serverInfo?.icons ?? [])],
    protocol_version: ({ serverInfo }) => serverInfo?.protocolVersion ?? null,
    capability_flags: ({ serverInfo }) =>
      serverInfo?.capabilities === undefined ? null : { ...serverInfo.capabilities },
    instructions: ({ serverInfo }) => serverInfo?.instructions ?? null,
  },
)

/** Parts of a definition that an answer shows, by the name that they have in the protocol. */
const PARTS = {
  title: 'title',
  description: 'description',
  icons: 'icons',
  input_schema: 'inputSchema',
  output_schema: 'outputSchema',
  execution: 'execution',
  annotations: 'annotations',
  arguments: 'arguments',
  mime_type: 'mimeType',
  size: 'size',
} as const

export const capabilityFields = {
  id: Uuid,
  name: t.String(),
  type: t.Union(MCP_CAPABILITY_TYPES.map((type) => t.Literal(type))),
  enabled: t.Boolean(),
  changed: t.Boolean({ description: 'True: it is another than the one that was approved. Enabling it approves it.' }),
  uri: t.Optional(t.String()),
  uri_template: t.Optional(t.String()),
  ...Object.fromEntries(Object.keys(PARTS).map((name) => [name, t.Optional(t.Unknown())])),
}

/** A capability as the interface shows it, but for its times. */
export const showCapability = ({ id, type, name, definition, enabled, hash, approvedHash }: McpCapability) => ({
  id,
  // A resource has a name for people besides its address, which calls know it by.
  name: typeof definition.name === 'string' ? definition.name : name,
  type,
  enabled,
  changed: hash !== approvedHash,
  ...defined({
    uri: type === 'resource' ? name : undefined,
    uri_template: type === 'resource_template' ? name : undefined,
  }),
  ...Object.fromEntries(
    Object.entries(PARTS)
      .map(([field, part]) => [field, definition[part]] as const)
      .filter(([, value]) => value !== undefined),
  ),
})

const Count = t.Object({ total: t.Integer({ minimum: 0 }), enabled: t.Integer({ minimum: 0 }) })

/** The envelope of a list of capabilities. */
export const capabilitiesOf = (fields: TProperties) =>
  t.Object({
    data: t.Array(t.Object(fields)),
    counts: t.Object({ tools: Count, prompts: Count, resources: Count, resource_templates: Count }),
    total: t.Integer({ minimum: 0 }),
    has_more: t.Boolean(),
  })

export const showCounts = (counts: ReadonlyMap<McpCapabilityType, CapabilityCount>) => {
  const of = (type: McpCapabilityType): CapabilityCount => counts.get(type) ?? { total: 0, enabled: 0 }
  return {
    tools: of('tool'),
    prompts: of('prompt'),
    resources: of('resource'),
    resource_templates: of('resource_template'),
  }
}

export const workspaceAccessAnswer = answerOf<McpIntegrationWorkspace>()(
  {
    id: Uuid,
    enabled: t.Boolean(),
    status: t.Union([t.Literal('active'), t.Literal('archived')]),
    created_at: DateTime,
    last_updated_at: DateTime,
  },
  {
    id: ({ workspaceId }) => workspaceId,
    status: ({ enabled }) => (enabled ? ('active' as const) : ('archived' as const)),
  },
)
