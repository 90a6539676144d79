import type { CheckStage } from '../guardrails.ts'

/** What an MCP server offers. */
export type McpCapabilityType = 'tool' | 'prompt' | 'resource' | 'resource_template'

/** Headers of a client that go on to a server. */
export type McpForwarding =
  | { readonly mode: 'allowlist'; readonly headers: readonly { readonly from: string; readonly to: string }[] }
  | { readonly mode: 'all-except'; readonly headers: readonly { readonly from: string; readonly to: string }[] }

/** How a server is told who calls. */
export interface McpIdentity {
  readonly method: 'claims_header' | 'bearer' | 'jwt_header'
  readonly claims: readonly string[]
  readonly header?: string | undefined
}

/** Who uses a server. */
export interface McpCaller {
  readonly keyId: string
  readonly keyName: string
  readonly organisationId: string
  readonly workspaceId?: string | undefined
  readonly userId?: string | undefined
  readonly scopes: ReadonlySet<string>
  /** The token of an issuer that they came with. */
  readonly token?: string | undefined
}

/** What is known of one thing that a server offers. */
export interface McpCapability {
  readonly id: string
  /** False: nobody may see or use it. */
  readonly isUsable: boolean
  /** It is another than the one that was approved. */
  readonly isChanged: boolean
}

/** A guardrail that looks at what goes to the tools of a server, and what comes back. */
export interface McpGuardrail {
  readonly guardrailId: string
  readonly runOn: readonly CheckStage[]
  /** Of which tools; none stands for all. */
  readonly capabilityIds: ReadonlySet<string>
}

/** An MCP server of a workspace, as calls need it: the same object as long as nothing of it changes. */
export interface McpTarget {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly description: string | undefined
  readonly organisationId: string
  readonly workspaceId: string
  readonly integrationId: string
  /** Address of the server behind it. */
  readonly url: string
  readonly transport: 'http' | 'sse'
  /** Milliseconds that a call to it may take. */
  readonly timeoutMs: number
  readonly forwarding: McpForwarding | undefined
  readonly identity: McpIdentity | undefined
  readonly guardrails: readonly McpGuardrail[]
  /** Whether a user may use it; a key without a user may. */
  allows(userId: string | undefined): boolean
  /** Undefined for what was not seen at the last look: it may be used. */
  capability(type: McpCapabilityType, name: string): McpCapability | undefined
  /** Whether a resource comes from a template that nobody may use. */
  isFromHiddenTemplate(uri: string): boolean
  /**
   * The headers that the server is asked with for this caller: credentials, then those that are always sent.
   * @throws McpLoginMissing where the user has to agree at the server first; another catalogue error where no token can be had
   */
  credentials(caller: McpCaller): McpHeaders | Promise<McpHeaders>
  /** The server did not take what was sent. @returns whether there are others now, so that it may be asked once more */
  renewed(caller: McpCaller, sent: McpHeaders): Promise<boolean>
  /** The server wants another scope than the user agreed to. @returns McpLoginMissing where they can agree to it */
  wanting(caller: McpCaller, scope: string): Error | undefined
}

export type McpHeaders = readonly (readonly [name: string, value: string])[]

/** The MCP servers of every workspace, in memory. */
export interface McpServers {
  /** @param reference slug or id */
  find(workspaceId: string, reference: string): McpTarget | undefined
  list(workspaceId: string): readonly McpTarget[]
  /** Whether a workspace is called so: by its id or slug. */
  isWorkspace(workspaceId: string, reference: string): boolean
  /**
   * A server has told what it offers: it is looked at in the background, and kept where it is new.
   * @param type of the list that it told
   */
  seen(target: McpTarget, type: McpCapabilityType, items: readonly Readonly<Record<string, unknown>>[]): void
}
