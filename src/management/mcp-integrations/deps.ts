import type { McpProbe } from '../../mcp/probe.ts'
import type { ProviderDeps } from '../integrations/deps.ts'

/** What the routes of MCP integrations and servers need. */
export interface McpDeps extends Pick<ProviderDeps, 'checkCustomHost' | 'secretBox' | 'now' | 'randomId'> {
  readonly mcpProbe: McpProbe
  /** Base of the addresses that clients connect to, without a slash at its end. */
  readonly mcpBase: string
}
