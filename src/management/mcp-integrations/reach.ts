import { type McpIntegration, mcpIntegrationRows } from '../../store/objects/mcp-integrations.ts'
import { givenOut } from '../resource/given-out.ts'

/** Who may do what with MCP integrations. */
export const mcpIntegrationReach = givenOut<McpIntegration>('mcp_integrations', 'MCP integration', mcpIntegrationRows)
