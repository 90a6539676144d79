import type { McpIntegration } from '../store/objects/mcp-integrations.ts'
import type { McpCapabilityType, McpServerInfo } from '../store/schema/mcp.ts'

/** One thing that a server said it offers. */
export interface OfferedCapability {
  readonly type: McpCapabilityType
  /** What calls name it by: of a resource its address, of a template its pattern. */
  readonly name: string
  /** As the server told it, without that. */
  readonly definition: Readonly<Record<string, unknown>>
}

/** What a server says of itself and of what it offers. */
export interface SeenServer {
  readonly info: McpServerInfo
  readonly capabilities: readonly OfferedCapability[]
}

/** Whether a server answers. */
export interface Reached {
  readonly success: boolean
  /** Absent where no answer came. */
  readonly statusCode?: number
  readonly responseTimeMs: number
  /** Why not, without anything secret. */
  readonly error?: string
}

/** Asks MCP servers about themselves, with the credentials of their integration. */
export interface McpProbe {
  /** Shakes hands. Never throws for what a server does. */
  reach(integration: McpIntegration): Promise<Reached>
  /**
   * Shakes hands and lists what is offered.
   * @throws McpUnreachable saying why, without anything secret
   */
  look(integration: McpIntegration): Promise<SeenServer>
}
