import { type McpServer, mcpServerRows } from '../../store/objects/mcp-servers.ts'
import type { WorkspacePlace } from '../../store/objects/rows-of.ts'
import { type AnyCall, inWorkspace, type Reach } from '../resource/reach.ts'
import { entryOf, scopesIn } from '../resource/resource.ts'

export const serverScopes = scopesIn('mcp_servers')

/** MCP servers of one workspace. */
export const inServerWorkspace: Reach<McpServer, WorkspacePlace> = inWorkspace(mcpServerRows, 'MCP server')

/** The server that the path of a call names. @throws ManagementNotFound */
export const reachServer = (call: AnyCall, verb: 'read' | 'update'): Promise<McpServer> =>
  inServerWorkspace.one(call, call.params.server ?? '', verb)

/** What the audit log says of a change of a server, or of what belongs to it. */
export const serverEntry = (objectKind: string) => entryOf('mcp_servers', objectKind)

export const SHARED = { tag: 'MCP Servers', plane: 'workspace' } as const
export const PATH = '/mcp-servers/:server'
