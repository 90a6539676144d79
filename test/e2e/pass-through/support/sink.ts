import { createServer, type Socket } from 'node:net'

/** An upload as it reached a provider: counted and hashed, not kept. */
export interface Upload {
  readonly head: string
  bytes: number
  /** SHA-256 of the body, once it is whole. */
  hash?: string
  /** How its connection ended, when that came before the body was whole. */
  broken?: true
}

export interface Sink {
  readonly port: number
  readonly uploads: Upload[]
  /** What happens when a head is here; by default the body is read, and answered with 200. */
  onHead: (upload: Upload, socket: Socket) => void
  /** The answer to a whole body. */
  status: (upload: Upload, turn: number) => number
  close(): Promise<void>
}

const ANSWER = '{"ok":true}'
export const answerWith = (status: number): string =>
  `HTTP/1.1 ${status} x\r\ncontent-type: application/json\r\ncontent-length: ${ANSWER.length}\r\n\r\n${ANSWER}`

/** A provider over a raw socket that takes bodies, one a connection; one of unknown length has no end. */
export const startSink = async (): Promise<Sink> => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let upload: Upload | undefined
    let received = ''
    let length = 0
    const hasher = new Bun.CryptoHasher('sha256')
    socket.on('error', () => undefined)
    socket.on('close', () => {
      sockets.delete(socket)
      if (upload !== undefined && upload.hash === undefined) upload.broken = true
    })
    const take = (bytes: Uint8Array): void => {
      if (upload === undefined) return
      hasher.update(bytes)
      upload.bytes += bytes.length
      if (upload.bytes < length) return
      upload.hash = hasher.digest('hex')
      socket.write(answerWith(sink.status(upload, sink.uploads.length)))
    }
    socket.on('data', (bytes: Buffer) => {
      if (upload !== undefined) {
        take(bytes)
        return
      }
      received += bytes.toString('latin1')
      const end = received.indexOf('\r\n\r\n')
      if (end === -1) return
      upload = { head: received.slice(0, end), bytes: 0 }
      length = Number(/\r\ncontent-length: (\d+)/.exec(upload.head)?.[1] ?? Number.POSITIVE_INFINITY)
      sink.uploads.push(upload)
      sink.onHead(upload, socket)
      take(Buffer.from(received.slice(end + 4), 'latin1'))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const sink: Sink = {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    uploads: [],
    onHead: () => undefined,
    status: () => 200,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return sink
}
