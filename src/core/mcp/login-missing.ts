/** The user has to agree at the server behind first. The address is shown to the client, which opens it in a browser. */
export class McpLoginMissing extends Error {
  readonly authorizationUrl: string

  constructor(serverName: string, authorizationUrl: string) {
    super(`The MCP server '${serverName}' wants its user to agree first: open the address in a browser.`)
    this.name = 'McpLoginMissing'
    this.authorizationUrl = authorizationUrl
  }
}
