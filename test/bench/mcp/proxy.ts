/** What Weir is measured against: a proxy of Bun's own `fetch`, which looks at nothing. */
const upstream = `http://127.0.0.1:${process.argv[2]}/mcp`

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  async fetch(request) {
    const { method, headers, body } = request
    const passed = new Headers(headers)
    passed.delete('host')
    passed.set('authorization', 'Bearer of the server')
    return fetch(upstream, { method, headers: passed, ...(body === null ? {} : { body: await request.bytes() }) })
  },
})
process.stdout.write(`${server.port}\n`)

export {}
