/**
 * `weir`, with counters: what it allocates (the collector is off, so that nothing that was made is lost), what it writes to
 * sockets of providers, what it asks Redis. A line of standard error says where to read them.
 */
import { heapStats } from 'bun:jsc'
import Redis from 'ioredis'

const counters = { providerWrites: 0, redisCommands: 0 }

const { sendCommand } = Redis.prototype
Redis.prototype.sendCommand = function (this: Redis, ...sent: Parameters<typeof sendCommand>) {
  counters.redisCommands += 1
  return sendCommand.apply(this, sent)
}

/** Sockets of one kind share what their methods come from. */
let countsWrites = false
const countWrites = (socket: object): void => {
  countsWrites = true
  const kind: { write(...sent: unknown[]): number } = Object.getPrototypeOf(socket)
  const { write } = kind
  kind.write = function (...sent) {
    counters.providerWrites += 1
    return write.apply(this, sent)
  }
}

const { connect } = Bun
Bun.connect = (async (...given: Parameters<typeof connect>) => {
  const socket = await connect(...given)
  if (!countsWrites) countWrites(socket)
  return socket
}) as typeof connect

const control = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: () => {
    const { objectTypeCounts } = heapStats()
    const objects = Object.values(objectTypeCounts).reduce((sum, count) => sum + count, 0)
    return Response.json({ ...counters, objects, promises: objectTypeCounts.Promise ?? 0 })
  },
})
process.stderr.write(`Counters are at ${control.url.origin}\n`)

await import('../../../../src/main.ts')
