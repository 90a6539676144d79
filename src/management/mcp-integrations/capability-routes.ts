import { ManagementReference } from '../../errors/gateway-error.ts'
import {
  type CapabilityName,
  capabilityKey,
  countMcpCapabilities,
  findMcpCapabilities,
  listMcpCapabilities,
  type McpCapability,
  setMcpCapabilities,
} from '../../store/objects/mcp-capabilities.ts'
import type { Db } from '../../store/types.ts'
import { DateTime } from '../fields.ts'
import { invalidField } from '../invalid-field.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import { CapabilitiesChange, CapabilitiesQuery, Done } from './model.ts'
import { mcpIntegrationReach } from './reach.ts'
import { capabilitiesOf, capabilityFields, showCapability, showCounts } from './view.ts'

const { scopesOf, reach, entry } = mcpIntegrationReach
const shared = {
  tag: 'MCP Integrations',
  plane: 'organisation',
  path: '/mcp-integrations/:integration/capabilities',
} as const

/** What an integration offers, and what of it may be used. */
export const capabilityRoutes: readonly AnyRoute[] = [
  defineRoute({
    ...shared,
    method: 'GET',
    summary: 'List what an MCP integration offers, as it was told at the last sync',
    scopes: scopesOf('read'),
    changes: false,
    query: CapabilitiesQuery,
    response: capabilitiesOf({ ...capabilityFields, created_at: DateTime, last_updated_at: DateTime }),
    async handle({ db, actor, params, query: { page, page_size: limit, type } }) {
      const { id } = await reach(db, actor, params.integration ?? '', 'read')
      const offset = (page - 1) * limit
      const { rows, total } = await listMcpCapabilities(db, id, type, { offset, limit })
      const data = rows.map((row) => ({
        ...showCapability(row),
        created_at: row.createdAt.toISOString(),
        last_updated_at: row.lastUpdatedAt.toISOString(),
      }))
      const counts = showCounts(await countMcpCapabilities(db, id))
      return { data, counts, total, has_more: offset + rows.length < total }
    },
  }),
  defineRoute({
    ...shared,
    method: 'PUT',
    summary: 'Say what of an MCP integration may be used, everywhere; enabling what has changed approves it',
    scopes: scopesOf('update'),
    changes: true,
    body: CapabilitiesChange,
    response: Done,
    async handle({ db, actor, params, body: { capabilities: wanted }, audit }) {
      const integration = await reach(db, actor, params.integration ?? '', 'update')
      const found = await requireCapabilities(db, integration.id, wanted)
      for (const enabled of [true, false]) {
        const ids = wanted.filter((one) => one.enabled === enabled).map((one) => found(one).id)
        await setMcpCapabilities(db, ids, enabled)
      }
      audit({
        ...entry('mcp_capabilities')('update', integration),
        before: { capabilities: wanted.map((one) => ({ ...one, enabled: found(one).enabled })) },
        after: { capabilities: wanted },
      })
      return { success: true }
    },
  }),
]

/**
 * The stored capabilities that a body names.
 * @returns each by its name
 * @throws ManagementInvalid for one that is there twice; ManagementReference for one that is not offered
 */
export const requireCapabilities = async (
  db: Db,
  integrationId: string,
  wanted: readonly CapabilityName[],
): Promise<(name: CapabilityName) => McpCapability> => {
  const seen = new Set<string>()
  for (const [index, one] of wanted.entries()) {
    if (seen.has(capabilityKey(one))) throw invalidField(`capabilities[${index}].name`, 'is there twice')
    seen.add(capabilityKey(one))
  }
  const rows = await findMcpCapabilities(db, integrationId, wanted)
  const byKey = new Map(rows.map((row) => [capabilityKey(row), row]))
  const missing = wanted.findIndex((one) => !byKey.has(capabilityKey(one)))
  if (missing >= 0) {
    throw new ManagementReference(`There is no ${wanted[missing]?.type} '${wanted[missing]?.name}': sync first?`, {
      param: `capabilities[${missing}].name`,
    })
  }
  return (name) => {
    const row = byKey.get(capabilityKey(name))
    if (row === undefined) throw new Error('a capability that was just found is gone')
    return row
  }
}
