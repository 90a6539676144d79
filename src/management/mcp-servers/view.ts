import { Type as t } from '@sinclair/typebox'
import type { McpServer } from '../../store/objects/mcp-servers.ts'
import { DateTime, nullable, Uuid } from '../fields.ts'
import { showConfigurations } from '../mcp-integrations/configurations.ts'
import { answerOf } from '../resource/answer.ts'

/** What MCP servers look like in answers (interface contract, section 3.7). */

const fields = {
  id: Uuid,
  slug: t.String(),
  name: t.String(),
  status: t.Union([t.Literal('active'), t.Literal('archived')]),
  description: nullable(t.String()),
  created_at: DateTime,
  mcp_integration_id: Uuid,
  workspace_id: nullable(Uuid),
}

const made = { mcp_integration_id: ({ integrationId }: McpServer) => integrationId }

/** A server in a list. */
export const listedMcpServer = (mcpBase: string) =>
  answerOf<McpServer>()(
    {
      ...fields,
      organisation_id: Uuid,
      owner_id: t.String(),
      mcp_integration_slug: t.String(),
      mcp_integration_url: t.String(),
      auth_type: t.String(),
      workspace_name: t.String(),
      workspace_slug: t.String(),
      url: t.String({ description: 'What clients connect to with a key of the workspace.' }),
    },
    {
      ...made,
      mcp_integration_slug: ({ integration }) => integration.slug,
      mcp_integration_url: ({ integration }) => integration.url,
      auth_type: ({ integration }) => integration.authType,
      workspace_name: ({ workspace }) => workspace.name,
      workspace_slug: ({ workspace }) => workspace.slug,
      url: ({ slug }) => `${mcpBase}/${slug}/mcp`,
    },
  )

const Details = t.Object({
  id: Uuid,
  slug: t.String(),
  status: t.String(),
  configurations: t.Record(t.String(), t.Unknown()),
  url: t.String(),
  transport: t.String(),
  auth_type: t.String(),
})

export const mcpServerAnswer = answerOf<McpServer>()(
  { ...fields, default_user_access: t.Union([t.Literal('allow'), t.Literal('deny')]) },
  made,
)

/** With what it is a use of: for keys of services alone. */
export const detailedMcpServer = answerOf<McpServer>()(
  {
    ...fields,
    default_user_access: mcpServerAnswer.schema.properties.default_user_access,
    mcp_integration_details: Details,
  },
  {
    ...made,
    mcp_integration_details: ({ integration }) => ({
      id: integration.id,
      slug: integration.slug,
      status: integration.status,
      configurations: showConfigurations(integration.configurations, integration.masked),
      url: integration.url,
      transport: integration.transport,
      auth_type: integration.authType,
    }),
  },
)
