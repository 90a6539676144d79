import { Type as t } from '@sinclair/typebox'
import { ManagementConflict } from '../../errors/gateway-error.ts'
import { countMcpServersOf, type McpIntegration, mcpIntegrationRows } from '../../store/objects/mcp-integrations.ts'
import { authorOf } from '../actor.ts'
import { Uuid } from '../fields.ts'
import { toPage } from '../list.ts'
import { placeOf, resolveWorkspace } from '../resolve-workspace.ts'
import { named, requireOrganisation } from '../resource/reach.ts'
import { resource } from '../resource/resource.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import { capabilityRoutes } from './capability-routes.ts'
import type { McpDeps } from './deps.ts'
import { McpIntegrationChange, McpIntegrationsQuery, McpReceipt, NewMcpIntegration } from './model.ts'
import { mcpIntegrationReach } from './reach.ts'
import { createMcpIntegration, updateMcpIntegration } from './service.ts'
import { syncMcpIntegration } from './sync.ts'
import {
  capabilityFields,
  listedMcpIntegration,
  mcpIntegrationAnswer,
  metadataAnswer,
  reachedFields,
  showCapability,
  showReached,
} from './view.ts'
import { countUsers, workspaceRoutes } from './workspace-routes.ts'

const { scopesOf, requireVerb, reach, visibleType, entry } = mcpIntegrationReach
const TAG = 'MCP Integrations'
const PATH = '/mcp-integrations/:integration'

const integrations = resource<
  McpIntegration,
  { readonly organisationId: string; readonly workspaceId: string | null; readonly ownerId: string }
>({
  // Of one workspace where one is named or the key belongs to one, else of the organisation.
  async place({ db, actor, body }) {
    requireOrganisation(actor, named('organisation_id', body))
    const reference = named('workspace_id', body)
    const isOfWorkspace = reference !== undefined || actor.workspaceId !== undefined
    const workspaceId = isOfWorkspace ? (await resolveWorkspace(db, actor, reference)).id : null
    requireVerb(actor, { workspaceId }, 'create')
    return { organisationId: actor.organisationId, workspaceId, ownerId: authorOf(actor) }
  },
  one: ({ db, actor }, reference, verb) => reach(db, actor, reference, verb === 'sync' ? 'update' : (verb as 'read')),
  tag: TAG,
  plane: 'organisation',
  path: PATH,
  scopes: (verb) => scopesOf(verb === 'sync' ? 'update' : (verb as 'read')),
  entry: entry('mcp_integration'),
  answer: mcpIntegrationAnswer,
})

/** MCP integrations: servers of tools that an organisation gives to its workspaces (interface contract, section 3.6). */
export const mcpIntegrationRoutes = (deps: McpDeps): readonly AnyRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/mcp-integrations',
    tag: TAG,
    plane: 'organisation',
    summary: 'List MCP integrations',
    scopes: scopesOf('list'),
    changes: false,
    query: McpIntegrationsQuery,
    response: t.Object({
      object: t.Literal('list'),
      data: t.Array(listedMcpIntegration.schema),
      total: t.Integer({ minimum: 0 }),
      has_more: t.Boolean(),
    }),
    async handle({ db, actor, query }) {
      const place = await placeOf(db, actor, query.workspace_id)
      const page = toPage(query)
      const wanted = { ...place, type: visibleType(actor, query.type), search: query.search }
      const { rows, total } = await mcpIntegrationRows.list(db, wanted, page)
      const data = (await countUsers(db, rows)).map(listedMcpIntegration.of)
      return { object: 'list', data, total, has_more: page.offset + rows.length < total }
    },
  }),
  integrations.create({
    summary: 'Make an MCP integration',
    body: NewMcpIntegration,
    response: McpReceipt,
    run: ({ db, body }, place) => createMcpIntegration(db, deps, place, body),
    receipt: ({ id, slug }: McpIntegration) => ({ id, slug }),
  }),
  integrations.read({ summary: 'Show an MCP integration, its secrets masked' }),
  integrations.update({
    summary: 'Change an MCP integration',
    body: McpIntegrationChange,
    run: ({ db, body }, stored) => updateMcpIntegration(db, deps, stored, body),
  }),
  integrations.delete({
    summary: 'Delete an MCP integration; refused while servers are made of it',
    async run({ db }, { id }) {
      const servers = await countMcpServersOf(db, id)
      if (servers > 0) throw new ManagementConflict(`${servers} MCP servers are made of it: delete them first.`)
      await mcpIntegrationRows.remove(db, id)
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${PATH}/test`,
    tag: TAG,
    plane: 'organisation',
    summary: 'Ask the server of an MCP integration whether it answers',
    scopes: scopesOf('read'),
    changes: false,
    response: t.Object(reachedFields),
    async handle({ db, actor, params }) {
      const integration = await reach(db, actor, params.integration ?? '', 'read')
      return showReached(integration, await deps.mcpProbe.reach(integration))
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${PATH}/sync`,
    tag: TAG,
    plane: 'organisation',
    summary: 'Ask the server of an MCP integration what it offers, and keep that',
    scopes: scopesOf('update'),
    changes: true,
    response: t.Object({
      success: t.Boolean(),
      server_info: metadataAnswer.schema,
      capabilities: t.Array(t.Object({ ...capabilityFields, id: t.Optional(Uuid) })),
    }),
    async handle({ db, actor, params, audit }) {
      const integration = await reach(db, actor, params.integration ?? '', 'update')
      const { integration: synced, seen } = await syncMcpIntegration(
        db,
        { probe: deps.mcpProbe, nowMs: deps.now() },
        integration,
      )
      audit({
        ...entry('mcp_capabilities')('update', integration),
        before: { sync_status: integration.syncStatus },
        after: { sync_status: synced.syncStatus, capabilities: seen?.capabilities.length ?? null },
      })
      return {
        success: seen !== undefined,
        server_info: metadataAnswer.of(synced),
        capabilities: (seen?.capabilities ?? []).map(({ type, name, definition }) => {
          const { id: _, ...shown } = showCapability({
            ...{ type, name, definition, id: '', integrationId: synced.id, enabled: true, isOffered: true },
            ...{ hash: '', approvedHash: '', createdAt: synced.createdAt, lastUpdatedAt: synced.lastUpdatedAt },
          })
          return shown
        }),
      }
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${PATH}/metadata`,
    tag: TAG,
    plane: 'organisation',
    summary: 'Show what the server of an MCP integration said of itself',
    etag: true,
    scopes: scopesOf('read'),
    changes: false,
    response: metadataAnswer.schema,
    async handle({ db, actor, params }) {
      return metadataAnswer.of(await reach(db, actor, params.integration ?? '', 'read'))
    },
  }),
  ...capabilityRoutes,
  ...workspaceRoutes,
]
