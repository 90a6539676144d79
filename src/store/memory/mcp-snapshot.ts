import { eq } from 'drizzle-orm'
import type { McpCapability, McpGuardrail } from '../../core/mcp/servers.ts'
import { capabilityKey } from '../objects/mcp-capabilities.ts'
import { guardrailMcpServers } from '../schema/guardrails.ts'
import {
  mcpCapabilities,
  mcpIntegrations,
  mcpIntegrationWorkspaces,
  mcpServerCapabilities,
  mcpServers,
  mcpUserAccess,
} from '../schema/mcp.ts'
import { workspaces } from '../schema/tenancy.ts'
import type { Db, Store } from '../types.ts'
import { createSnapshot, type Snapshot, type SnapshotOptions } from './follow-changes.ts'

export type StoredMcpIntegration = Readonly<typeof mcpIntegrations.$inferSelect>

/** An MCP server with all that decides about calls to it. */
export interface McpServerRecord {
  readonly server: Readonly<typeof mcpServers.$inferSelect>
  readonly integration: StoredMcpIntegration
  /** By type and name: see `capabilityKey`. */
  readonly capabilities: ReadonlyMap<string, McpCapability>
  /** Patterns of the resource templates that nobody may use. */
  readonly hiddenTemplates: readonly string[]
  readonly users: ReadonlyMap<string, boolean>
  readonly guardrails: readonly McpGuardrail[]
}

/** All MCP servers that may be used, in memory. */
export interface McpSnapshot extends Snapshot {
  /** By slug or id. */
  find(workspaceId: string, reference: string): McpServerRecord | undefined
  list(workspaceId: string): readonly McpServerRecord[]
  /** Of any workspace. */
  byId(serverId: string): McpServerRecord | undefined
  /** Servers of that name or id: in the workspace of that name or id, or in any. */
  at(workspace: string | undefined, server: string): readonly McpServerRecord[]
  /** Slug of a workspace that has any. */
  slugOf(workspaceId: string): string | undefined
}

interface WorkspaceServers {
  readonly slug: string
  readonly byName: ReadonlyMap<string, McpServerRecord>
  readonly all: readonly McpServerRecord[]
}

type Content = ReadonlyMap<string, WorkspaceServers>

/** @throws StoreUnavailable when they cannot be read the first time */
export const createMcpSnapshot = (store: Store, options: SnapshotOptions = {}): Promise<McpSnapshot> =>
  createSnapshot(store, {
    ...options,
    tables: [
      'mcp_integrations',
      'mcp_integration_workspaces',
      'mcp_capabilities',
      'mcp_servers',
      'mcp_server_capabilities',
      'mcp_user_access',
      'guardrail_mcp_servers',
      'workspaces',
    ],
    // As it was at one moment: a server must not be seen without what was taken away from it.
    read: (): Promise<Content> =>
      store.db.transaction(async (transaction) => arrange(await readRows(transaction)), {
        isolationLevel: 'repeatable read',
        accessMode: 'read only',
      }),
    find: (content) => ({
      find: (workspaceId: string, reference: string) => content()?.get(workspaceId)?.byName.get(reference),
      list: (workspaceId: string) => content()?.get(workspaceId)?.all ?? NONE,
      byId: (serverId: string) => {
        for (const { byName } of content()?.values() ?? []) {
          const found = byName.get(serverId)
          if (found?.server.id === serverId) return found
        }
        return undefined
      },
      at: (workspace: string | undefined, server: string) =>
        [...(content() ?? [])].flatMap(([id, { slug, byName }]) => {
          const isMeant = workspace === undefined || workspace === slug || workspace.toLowerCase() === id
          const found = isMeant ? byName.get(server) : undefined
          return found === undefined ? [] : [found]
        }),
      slugOf: (workspaceId: string) => content()?.get(workspaceId)?.slug,
    }),
  })

const NONE: readonly McpServerRecord[] = []

const readRows = async (db: Db) => {
  const { id, integrationId, type, name, enabled, hash, approvedHash } = mcpCapabilities
  return {
    servers: await db
      .select({ server: mcpServers, integration: mcpIntegrations, workspaceSlug: workspaces.slug })
      .from(mcpServers)
      .innerJoin(mcpIntegrations, eq(mcpIntegrations.id, mcpServers.integrationId))
      .innerJoin(workspaces, eq(workspaces.id, mcpServers.workspaceId)),
    grants: await db.select().from(mcpIntegrationWorkspaces),
    // Without their definitions, which can be large.
    capabilities: await db.select({ id, integrationId, type, name, enabled, hash, approvedHash }).from(mcpCapabilities),
    ofServers: await db.select().from(mcpServerCapabilities),
    users: await db.select().from(mcpUserAccess),
    guardrails: await db.select().from(guardrailMcpServers),
  }
}

const emptyWorkspace = (slug: string) => ({
  slug,
  byName: new Map<string, McpServerRecord>(),
  all: [] as McpServerRecord[],
})

const arrange = (rows: Awaited<ReturnType<typeof readRows>>): Content => {
  const capabilities = Map.groupBy(rows.capabilities, ({ integrationId }) => integrationId)
  const ofServers = Map.groupBy(rows.ofServers, ({ serverId }) => serverId)
  const users = Map.groupBy(rows.users, ({ serverId }) => serverId)
  const guardrails = Map.groupBy(rows.guardrails, ({ mcpServerId }) => mcpServerId)
  const grants = new Map(
    rows.grants.map(({ integrationId, workspaceId, enabled }) => [`${integrationId} ${workspaceId}`, enabled]),
  )
  const content = new Map<string, ReturnType<typeof emptyWorkspace>>()
  for (const { server, integration, workspaceSlug } of rows.servers) {
    const isGiven =
      integration.workspaceId === null
        ? (grants.get(`${integration.id} ${server.workspaceId}`) ?? integration.globalWorkspaceAccess?.enabled === true)
        : integration.workspaceId === server.workspaceId
    if (!isGiven || server.status !== 'active' || integration.status !== 'active') continue
    const own = new Map((ofServers.get(server.id) ?? []).map(({ capabilityId, enabled }) => [capabilityId, enabled]))
    const refusesChanged = integration.configurations.changed_tools === 'refuse'
    const known = (capabilities.get(integration.id) ?? []).map((row) => {
      const isChanged = row.hash !== row.approvedHash
      const isUsable = row.enabled && own.get(row.id) !== false && !(isChanged && refusesChanged)
      return { ...row, isChanged, isUsable }
    })
    const record: McpServerRecord = {
      server,
      integration,
      capabilities: new Map(
        known.map(({ id, type, name, isUsable, isChanged }) => [
          capabilityKey({ type, name }),
          { id, isUsable, isChanged },
        ]),
      ),
      hiddenTemplates: known.filter((row) => row.type === 'resource_template' && !row.isUsable).map(({ name }) => name),
      users: new Map((users.get(server.id) ?? []).map(({ userId, enabled }) => [userId, enabled])),
      guardrails: (guardrails.get(server.id) ?? []).map(({ guardrailId, runOn, capabilityIds }) => ({
        guardrailId,
        runOn,
        capabilityIds: new Set(capabilityIds),
      })),
    }
    const workspace = content.get(server.workspaceId) ?? emptyWorkspace(workspaceSlug)
    content.set(server.workspaceId, workspace)
    workspace.byName.set(server.id, record)
    workspace.byName.set(server.slug, record)
    workspace.all.push(record)
  }
  return content
}
