import { Type as t } from '@sinclair/typebox'
import { ManagementReference } from '../../errors/gateway-error.ts'
import { mcpIntegrationRows } from '../../store/objects/mcp-integrations.ts'
import { MCP_SERVER_SLUG_TAKEN, type McpServer, mcpServerRows } from '../../store/objects/mcp-servers.ts'
import { isUuid } from '../../store/objects/rows.ts'
import type { WorkspacePlace } from '../../store/objects/rows-of.ts'
import type { Db } from '../../store/types.ts'
import { type Actor, authorOf } from '../actor.ts'
import { WorkspaceQuery } from '../fields.ts'
import { invalidField } from '../invalid-field.ts'
import type { McpDeps } from '../mcp-integrations/deps.ts'
import { McpReceipt } from '../mcp-integrations/model.ts'
import { metadataAnswer, reachedFields, showReached } from '../mcp-integrations/view.ts'
import { columnsOf } from '../resource/answer.ts'
import { placeOfCall } from '../resource/reach.ts'
import { resource } from '../resource/resource.ts'
import { refuseTaken } from '../resource/taken.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import { suffix } from '../slug.ts'
import { accessRoutes } from './access-routes.ts'
import { serverCapabilityRoutes } from './capability-routes.ts'
import { publicKeysRoute } from './keys-route.ts'
import { McpServerChange, McpServersQuery, NewMcpServer, type NewMcpServerBody } from './model.ts'
import { inServerWorkspace, PATH, reachServer, SHARED, serverEntry, serverScopes } from './reach.ts'
import { registryRoute } from './registry-route.ts'
import { detailedMcpServer, listedMcpServer, mcpServerAnswer } from './view.ts'

/** MCP servers: what clients of a workspace connect to (interface contract, section 3.7). */
export const mcpServersRoutes = (deps: McpDeps): readonly AnyRoute[] => {
  const servers = resource<McpServer, WorkspacePlace>({
    ...SHARED,
    ...inServerWorkspace,
    path: PATH,
    scopes: serverScopes,
    entry: serverEntry('mcp_server'),
    query: WorkspaceQuery,
    answer: mcpServerAnswer,
  })
  return [
    servers.list({
      summary: 'List the MCP servers of a workspace',
      query: McpServersQuery,
      shown: listedMcpServer(deps.mcpBase),
      async rows(call, page) {
        const { id: ids, search } = call.query
        return mcpServerRows.list(call.db, { ...(await placeOfCall(call)), ids: toIds(ids), search }, page)
      },
    }),
    servers.create({
      summary: 'Make an MCP server of an MCP integration',
      body: NewMcpServer,
      response: McpReceipt,
      run: ({ db, actor, body }, place) => createServer(db, deps, actor, place, body),
      receipt: ({ id, slug }: McpServer) => ({ id, slug }),
    }),
    servers.read({
      summary: 'Show an MCP server',
      response: t.Union([detailedMcpServer.schema, mcpServerAnswer.schema]),
      // What the integration is told is for those who manage it.
      show: async ({ actor }, server) =>
        actor.kind === 'workspace-user' ? mcpServerAnswer.of(server) : detailedMcpServer.of(server),
    }),
    servers.update({
      summary: 'Change the name or description of an MCP server',
      body: McpServerChange,
      async run({ db, body }, server) {
        const changed = await mcpServerRows.update(db, {
          id: server.id,
          ...columnsOf(body, ['name', 'description']),
        })
        return { ...server, ...changed }
      },
    }),
    servers.delete({
      summary: 'Delete an MCP server, with what users agreed to there',
      run: ({ db }, { id }) => mcpServerRows.remove(db, id),
    }),
    defineRoute({
      ...SHARED,
      method: 'POST',
      path: `${PATH}/test`,
      summary: 'Ask the server behind an MCP server whether it answers',
      scopes: serverScopes('read'),
      changes: false,
      query: WorkspaceQuery,
      response: t.Object({ ...reachedFields, server_name: t.String() }),
      async handle(call) {
        const { integration, name } = await reachServer(call, 'read')
        return { ...showReached(integration, await deps.mcpProbe.reach(integration)), server_name: name }
      },
    }),
    defineRoute({
      ...SHARED,
      method: 'GET',
      path: `${PATH}/metadata`,
      summary: 'Show what the server behind an MCP server said of itself',
      etag: true,
      scopes: serverScopes('read'),
      changes: false,
      query: WorkspaceQuery,
      response: metadataAnswer.schema,
      async handle(call) {
        return metadataAnswer.of((await reachServer(call, 'read')).integration)
      },
    }),
    ...serverCapabilityRoutes,
    ...accessRoutes,
    publicKeysRoute,
    registryRoute(deps),
  ]
}

/** @throws ManagementInvalid for what is no id */
const toIds = (text: string | undefined): readonly string[] | undefined => {
  const ids = text?.split(',').map((id) => id.trim().toLowerCase())
  const strange = ids?.find((id) => !isUuid(id))
  if (strange !== undefined) throw invalidField('id', `names '${strange}', which is no id`)
  return ids
}

const MAX_STEM_CHARACTERS = 40

/** @throws ManagementReference for an integration that the workspace cannot use; ManagementConflict for a slug that it has */
const createServer = async (
  db: Db,
  { randomId }: McpDeps,
  actor: Actor,
  place: WorkspacePlace,
  { name, mcp_integration_id: reference, description, slug: asked }: NewMcpServerBody,
): Promise<McpServer> => {
  const integration = await mcpIntegrationRows.find(db, { ...place, reference }, 'keep')
  if (integration === undefined) {
    throw new ManagementReference(`There is no MCP integration '${reference}' that the workspace may use.`, {
      param: 'mcp_integration_id',
    })
  }
  const slug = asked ?? `${integration.slug.slice(0, MAX_STEM_CHARACTERS)}-${suffix(randomId)}`
  const row = { ...place, integrationId: integration.id, name, slug, ownerId: authorOf(actor) }
  const made = await refuseTaken(MCP_SERVER_SLUG_TAKEN, 'slug', `There is an MCP server '${slug}' already.`, () =>
    mcpServerRows.insert(db, { ...row, description: description ?? null }),
  )
  const stored = await mcpServerRows.find(db, { ...place, reference: made.id })
  if (stored === undefined) throw new Error('an MCP server that was just made is gone')
  return stored
}
