import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

/** An MCP server that speaks over its standard input and output, as a server of both transports over HTTP. */
export interface StdioBridge {
  readonly host: string
  readonly http: string
  readonly sse: string
  close(): Promise<void>
}

/** Starts the command once for each session. */
export const startStdioBridge = async (command: string, args: readonly string[]): Promise<StdioBridge> => {
  const streamable = new Map<string, StreamableHTTPServerTransport>()
  const events = new Map<string, SSEServerTransport>()
  const processes = new Set<StdioClientTransport>()

  const join = async (client: Transport): Promise<void> => {
    const server = new StdioClientTransport({ command, args: [...args], stderr: 'ignore' })
    processes.add(server)
    // Whoever does not hear any more has left.
    client.onmessage = (message) => void server.send(message).catch(() => undefined)
    server.onmessage = (message) => void client.send(message).catch(() => undefined)
    client.onclose = () => void server.close()
    server.onclose = () => processes.delete(server)
    await server.start()
    await client.start()
  }

  const byStreamableHttp = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = String(request.headers['mcp-session-id'])
    const known = streamable.get(id)
    if (known !== undefined) return known.handleRequest(request, response)
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (begun) => void streamable.set(begun, transport),
    })
    // Its optional fields are looser than those of what it implements.
    await join(transport as Transport)
    return transport.handleRequest(request, response)
  }

  const bySse = async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    if (request.method === 'POST') {
      const known = events.get(url.searchParams.get('sessionId') ?? '')
      if (known !== undefined) return known.handlePostMessage(request, response)
      response.writeHead(404).end()
      return
    }
    const transport = new SSEServerTransport('/sse', response)
    events.set(transport.sessionId, transport)
    await join(transport)
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://bridge')
    const handled = url.pathname === '/sse' ? bySse(request, response, url) : byStreamableHttp(request, response)
    handled.catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    host: `127.0.0.1:${port}`,
    http: `http://127.0.0.1:${port}/mcp`,
    sse: `http://127.0.0.1:${port}/sse`,
    async close() {
      for (const process of processes) await process.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
