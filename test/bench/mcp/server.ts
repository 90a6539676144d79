/** The MCP server of the benchmark: answers at once, keeps nothing of a session but its name. */
const answer = (id: unknown, result: object, headers: Record<string, string> = {}): Response =>
  Response.json({ jsonrpc: '2.0', id, result }, { headers })

const resultOf = (method: string, params: { readonly arguments?: object }): object => {
  switch (method) {
    case 'initialize':
      return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'bench', version: '1' } }
    case 'tools/list':
      return { tools: [{ name: 'echo', description: 'Says it again.', inputSchema: { type: 'object' } }] }
    default:
      return { content: [{ type: 'text', text: JSON.stringify(params.arguments) }] }
  }
}

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  async fetch(request) {
    if (request.method === 'GET') {
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode(': open\n\n')),
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    }
    if (request.method !== 'POST') return new Response(null, { status: 200 })
    const { id, method, params = {} } = (await request.json()) as { id?: unknown; method: string; params?: object }
    if (id === undefined) return new Response(null, { status: 202 })
    return answer(
      id,
      resultOf(method, params),
      method === 'initialize' ? { 'mcp-session-id': crypto.randomUUID() } : {},
    )
  },
})
process.stdout.write(`${server.port}\n`)

export {}
