import { connect, createServer, type Socket } from 'node:net'

/** A stretch of network between a client and a port of this machine, with its faults. */
export interface TcpProxy {
  readonly port: number
  /** Each piece arrives so much later, in both directions and in order. */
  delayMs: number
  /** Connections that stand swallow all that is written to them from now on, in silence; new ones work. */
  halfOpen(): void
  /** Ends all connections with a reset. */
  reset(): void
  close(): Promise<void>
}

interface Pair {
  readonly client: Socket
  readonly server: Socket
  isSwallowing: boolean
}

export const startTcpProxy = async (target: number): Promise<TcpProxy> => {
  const pairs = new Set<Pair>()
  let delayMs = 0

  const forward = (pair: Pair, from: Socket, to: Socket): void => {
    from.on('data', (piece) => {
      const pass = (): void => {
        if (!pair.isSwallowing && to.writable) to.write(piece)
      }
      if (delayMs === 0) pass()
      else setTimeout(pass, delayMs)
    })
    from.on('error', () => undefined)
    from.on('close', () => {
      pairs.delete(pair)
      to.destroy()
    })
  }

  const listener = createServer((client) => {
    const server = connect({ port: target, host: '127.0.0.1' })
    const pair: Pair = { client, server, isSwallowing: false }
    pairs.add(pair)
    client.setNoDelay(true)
    server.setNoDelay(true)
    forward(pair, client, server)
    forward(pair, server, client)
  })
  await new Promise<void>((resolve) => listener.listen({ port: 0, host: '127.0.0.1' }, resolve))
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port')

  const reset = (): void => {
    for (const { client, server } of pairs) {
      client.resetAndDestroy()
      server.destroy()
    }
  }

  return {
    port: address.port,
    get delayMs() {
      return delayMs
    },
    set delayMs(next) {
      delayMs = next
    },
    halfOpen() {
      for (const pair of pairs) pair.isSwallowing = true
    },
    reset,
    async close() {
      reset()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}
