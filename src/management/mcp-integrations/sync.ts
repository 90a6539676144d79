import { McpUnreachable } from '../../core/mcp/unreachable.ts'
import { hashOf } from '../../mcp/hash.ts'
import type { McpProbe, OfferedCapability, SeenServer } from '../../mcp/probe.ts'
import { syncMcpCapabilities } from '../../store/objects/mcp-capabilities.ts'
import { type McpIntegration, mcpIntegrationRows } from '../../store/objects/mcp-integrations.ts'
import { MCP_CAPABILITY_TYPES } from '../../store/schema/mcp.ts'
import type { Db } from '../../store/types.ts'

/** What came of asking a server what it offers. */
export interface Synced {
  readonly integration: McpIntegration
  /** Absent where it could not be asked. */
  readonly seen?: SeenServer
}

/** Asks the server what it is and offers, and writes it down: also that it could not be asked. */
export const syncMcpIntegration = async (
  db: Db,
  { probe, nowMs }: { readonly probe: McpProbe; readonly nowMs: number },
  integration: McpIntegration,
): Promise<Synced> => {
  try {
    const seen = await probe.look(integration)
    await syncMcpCapabilities(db, integration.id, MCP_CAPABILITY_TYPES, seen.capabilities.map(withHash))
    const state = {
      syncStatus: 'synced',
      syncError: null,
      serverInfo: seen.info,
      lastSyncedAt: new Date(nowMs),
    } as const
    return { integration: (await mcpIntegrationRows.update(db, { id: integration.id, ...state })) ?? integration, seen }
  } catch (thrown) {
    if (!(thrown instanceof McpUnreachable)) throw thrown
    const state = { syncStatus: 'failed', syncError: thrown.message } as const
    return { integration: (await mcpIntegrationRows.update(db, { id: integration.id, ...state })) ?? integration }
  }
}

const withHash = (capability: OfferedCapability) => ({ ...capability, hash: hashOf(capability.definition) })
