import { createServer, type Socket } from 'node:net'
import { type SeenRequest, takeRequest } from './request.ts'

/**
 * What a provider does for a request, one step after the other: bytes go out as they are, `reset` breaks the connection,
 * `close` ends it, `hang` keeps it open for good. Without one of these the connection stays open for the next request.
 */
export type Step = string | Uint8Array | { readonly waitMs: number } | 'reset' | 'close' | 'hang'

export type Play = (request: SeenRequest) => readonly Step[]

export interface FaultServer {
  /** `http://127.0.0.1:<port>`, without a trailing slash. */
  readonly url: string
  /** What it does from now on. */
  play: Play
  /** Requests that came whole, oldest first. */
  readonly requests: readonly SeenRequest[]
  /** Connections that are open. */
  readonly open: number
  /** Resolves when the other side has let go of every connection that was not kept for the next request. */
  close(): Promise<void>
}

/** A provider over a raw socket: nothing between the script and the wire. */
export const startFaultServer = async (play: Play): Promise<FaultServer> => {
  const sockets = new Set<Socket>()
  const requests: SeenRequest[] = []
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.setNoDelay(true)
    let received = Buffer.alloc(0)
    let turn = Promise.resolve()
    socket.on('close', () => sockets.delete(socket))
    // The gateway breaks connections of attempts that it has given up.
    socket.on('error', () => undefined)
    socket.on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes])
      for (let taken = take(); taken !== undefined; taken = take()) {
        const request = taken
        requests.push(request)
        const steps = fault.play(request)
        turn = turn.then(() => perform(socket, steps))
      }
    })
    const take = (): SeenRequest | undefined => {
      const taken = takeRequest(received, performance.now())
      if (taken === undefined) return undefined
      received = Buffer.from(taken.rest)
      return taken.request
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const fault: FaultServer = {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    play,
    requests,
    get open() {
      return sockets.size
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return fault
}

/** An address where nobody listens. */
export const refusingUrl = async (): Promise<string> => {
  const server = await startFaultServer(() => [])
  await server.close()
  return server.url
}

const perform = async (socket: Socket, steps: readonly Step[]): Promise<void> => {
  for (const step of steps) {
    if (socket.destroyed || step === 'hang') return
    if (step === 'reset') socket.resetAndDestroy()
    else if (step === 'close') socket.end()
    else if (typeof step === 'string' || step instanceof Uint8Array)
      await new Promise<void>((resolve) => socket.write(step, () => resolve()))
    else await Bun.sleep(step.waitMs)
  }
}

const portOf = (address: ReturnType<ReturnType<typeof createServer>['address']>): number => {
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}
