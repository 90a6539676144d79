import { createServer, type Socket } from 'node:net'

const PIECE = Buffer.alloc(64 * 1024, 'x')
const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 11\r\n\r\n{"text":""}'

export interface Provider {
  readonly port: number
  /** Bytes of the last upload that it has taken, and of the last download that the system took from it. */
  taken: number
  given: number
  close(): Promise<void>
}

/** A provider over raw sockets that holds nothing: takes uploads, and gives as many bytes as the path of a GET says. */
export const startProvider = async (): Promise<Provider> => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    serve(socket, provider)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const provider: Provider = {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    taken: 0,
    given: 0,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return provider
}

const serve = (socket: Socket, provider: Provider): void => {
  let head = ''
  let length = -1
  let tail = ''
  socket.on('data', (bytes: Buffer) => {
    let body = bytes
    if (length === -1) {
      head += bytes.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end === -1) return
      body = Buffer.from(head.slice(end + 4), 'latin1')
      head = head.slice(0, end)
      const bytesAsked = /^GET \S*\/bytes\/(\d+) /.exec(head)?.[1]
      if (bytesAsked !== undefined) {
        head = ''
        give(socket, Number(bytesAsked), provider)
        return
      }
      length = Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? Number.POSITIVE_INFINITY)
      provider.taken = 0
    }
    provider.taken += body.length
    const spoken = /^POST \S*\/audio\/speech /.test(head)
      ? /"bytes (\d+)"/.exec(body.toString('latin1'))?.[1]
      : undefined
    if (spoken !== undefined) {
      head = ''
      length = -1
      give(socket, Number(spoken), provider)
      return
    }
    // The last chunk, wherever it was cut.
    tail = (tail + body.subarray(-8).toString('latin1')).slice(-8)
    if (provider.taken < length && !tail.endsWith('\r\n0\r\n\r\n')) return
    head = ''
    length = -1
    tail = ''
    socket.write(ANSWER)
  })
}

const give = (socket: Socket, bytes: number, provider: Provider): void => {
  provider.given = 0
  socket.write(`HTTP/1.1 200 OK\r\ncontent-type: audio/mpeg\r\ncontent-length: ${bytes}\r\n\r\n`)
  const go = (): void => {
    while (provider.given < bytes && !socket.destroyed) {
      const piece = PIECE.subarray(0, bytes - provider.given)
      provider.given += piece.length
      if (!socket.write(piece)) {
        socket.once('drain', go)
        return
      }
    }
  }
  go()
}
