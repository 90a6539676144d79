import { Page } from '../ui/page.tsx'
import { McpIntegrations } from './mcp-integrations.tsx'
import { McpServers } from './mcp-servers.tsx'

/** Tools that models may use, through the gateway. */
export const McpPage = () => (
  <Page
    title="MCP servers"
    about="An integration says where a server of tools is; a workspace uses it as a server of its own."
  >
    <h2 className="font-semibold">Servers of the workspace</h2>
    <McpServers />
    <h2 className="font-semibold">Integrations</h2>
    <McpIntegrations />
  </Page>
)
