import { heapStats } from 'bun:jsc'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createServer, type Server } from 'node:net'
import { ask, type Client, createClient, outcomeOf } from './test-support/client.ts'

const HOSTS = 1_200
const MAX_GROWTH_BYTES = 6_000_000
/** As long as a query may be in a call that passes through. */
const QUERY = 'x'.repeat(20_000)

let server: Server
let port = 0
let client: Client
beforeAll(async () => {
  // Keeps nothing of what it saw.
  server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
  client = createClient({ lookup: async () => ['127.0.0.1'] })
})
afterAll(async () => {
  client.close()
  server.close()
})

/** Every call has a name, an owner, a path and with them a peer of its own. */
const callHosts = async (from: number): Promise<void> => {
  for (let host = from; host < from + HOSTS; host++) {
    const url = `http://${host}.test:${port}/${host}?${QUERY}`
    expect(await outcomeOf(ask(client, url, { hostOwner: `workspace-${host}` }))).toBe('ok')
    expect(await outcomeOf(ask(client, `http://${host}.test:1/`, { hostOwner: `workspace-${host}` }))).toContain(
      'REFUSED',
    )
  }
}

/** Bytes of the heap that are in use. */
const heapBytes = (): number => {
  Bun.gc(true)
  return heapStats().heapSize + heapStats().extraMemorySize
}

test('what is remembered of hosts does not grow with their number', async () => {
  await callHosts(0)
  const before = heapBytes()
  for (let round = 1; round <= 3; round++) {
    await callHosts(round * HOSTS)
    expect(heapBytes() - before).toBeLessThan(MAX_GROWTH_BYTES)
  }
}, 60_000)
