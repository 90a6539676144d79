import { Type as t } from '@sinclair/typebox'
import {
  countMcpCapabilities,
  listMcpServerCapabilities,
  setMcpServerCapabilities,
} from '../../store/objects/mcp-capabilities.ts'
import { WorkspaceQuery } from '../fields.ts'
import { requireCapabilities } from '../mcp-integrations/capability-routes.ts'
import { CapabilitiesChange, CapabilitiesQuery, Done } from '../mcp-integrations/model.ts'
import { capabilitiesOf, capabilityFields, showCapability, showCounts } from '../mcp-integrations/view.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import { PATH, reachServer, SHARED, serverEntry, serverScopes } from './reach.ts'

const shared = { ...SHARED, path: `${PATH}/capabilities` } as const

/** What of an integration may be used at one server: it can only take away. */
export const serverCapabilityRoutes: readonly AnyRoute[] = [
  defineRoute({
    ...shared,
    method: 'GET',
    summary: 'List what an MCP server offers',
    scopes: serverScopes('read'),
    changes: false,
    query: t.Composite([CapabilitiesQuery, WorkspaceQuery]),
    response: capabilitiesOf({ ...capabilityFields, integration_enabled: t.Boolean() }),
    async handle(call) {
      const { page, page_size: limit, type } = call.query
      const server = await reachServer(call, 'read')
      const offset = (page - 1) * limit
      const { rows, total } = await listMcpServerCapabilities(call.db, server, type, { offset, limit })
      const data = rows.map((row) => ({
        ...showCapability(row),
        enabled: row.enabled && (row.serverEnabled ?? true),
        integration_enabled: row.enabled,
      }))
      const counts = showCounts(await countMcpCapabilities(call.db, server.integrationId, server.id))
      return { data, counts, total, has_more: offset + rows.length < total }
    },
  }),
  defineRoute({
    ...shared,
    method: 'PUT',
    summary: 'Say what of an MCP server may be used; what its integration takes away stays away',
    scopes: serverScopes('update'),
    changes: true,
    query: WorkspaceQuery,
    body: CapabilitiesChange,
    response: Done,
    async handle(call) {
      const { db, body, audit } = call
      const server = await reachServer(call, 'update')
      const found = await requireCapabilities(db, server.integrationId, body.capabilities)
      await setMcpServerCapabilities(
        db,
        server.id,
        body.capabilities.map((one) => ({ capabilityId: found(one).id, enabled: one.enabled })),
      )
      audit({
        ...serverEntry('mcp_capabilities')('update', server),
        // What the server said before is nobody's to ask for: what its integration says is told.
        before: { capabilities: body.capabilities.map((one) => ({ ...one, enabled: found(one).enabled })) },
        after: { capabilities: body.capabilities },
      })
      return { success: true }
    },
  }),
]
