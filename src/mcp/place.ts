/** Where MCP servers are, one or all, behind the address of the gateway (behaviours, section 10.2; `/mcp` alone is ours). */
const FORMS = [
  /^(?:\/v1)?\/mcp\/(?<server>[^/]+)\/mcp$/,
  /^(?:\/v1)?\/mcp$/,
  /^\/m\/(?<server>[^/]+)\/mcp$/,
  /^\/m\/(?<workspace>[^/]+)\/(?<server>[^/]+)\/mcp$/,
  /^(?:\/v1)?\/(?<workspace>[^/]+)\/mcp\/(?<server>[^/]+)\/mcp$/,
  /^(?:\/v1)?\/(?<workspace>[^/]+)\/mcp$/,
] as const

/** What a path names; both absent: all servers of the workspace of whoever calls. */
export interface McpPlace {
  readonly workspace?: string | undefined
  readonly server?: string | undefined
}

/** @returns undefined for a path where no MCP server is */
export const readMcpPlace = (path: string): McpPlace | undefined => {
  for (const form of FORMS) {
    const found = form.exec(path)
    if (found !== null) return { workspace: found.groups?.workspace, server: found.groups?.server }
  }
  return undefined
}

/** What somebody needs to use MCP servers. */
export const MCP_SCOPE = 'mcp.invoke'

/** Where users agree at the servers behind, behind the address of the gateway. */
export const MCP_LOGIN_PATHS = { start: '/oauth/mcp/start', callback: '/oauth/mcp/callback' } as const
