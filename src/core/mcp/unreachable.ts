/** An MCP server that could not be asked, or answered what is none. Its message is shown to clients: nothing secret is in it. */
export class McpUnreachable extends Error {
  /** HTTP status that it answered with, if it did. */
  readonly status: number | undefined

  constructor(message: string, { status, cause }: { readonly status?: number; readonly cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'McpUnreachable'
    this.status = status
  }
}
