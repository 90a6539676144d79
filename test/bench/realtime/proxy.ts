/** What Weir is measured against: a proxy of Bun's own WebSockets, a page long, that looks at nothing and holds nobody back. */
const upstream = `ws://127.0.0.1:${process.argv[2]}/v1/realtime`

interface Pair {
  provider: WebSocket | undefined
}

const server = Bun.serve<Pair>({
  port: 0,
  hostname: '127.0.0.1',
  fetch: (request, server) =>
    server.upgrade(request, { data: { provider: undefined } })
      ? undefined
      : new Response('no upgrade', { status: 426 }),
  websocket: {
    open(client) {
      const provider = new WebSocket(upstream, { headers: { authorization: 'Bearer provider-key' } })
      client.data.provider = provider
      provider.onmessage = ({ data }) => {
        client.send(data)
      }
      provider.onclose = () => client.close()
    },
    message: (client, message) => client.data.provider?.send(message),
    close: (client) => client.data.provider?.close(),
  },
})
process.stdout.write(`${server.port}\n`)

export {}
