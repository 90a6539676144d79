import { connect, type Socket } from 'node:net'

/** Everything a server sent on one connection, and how the connection ended. */
export interface RawAnswer {
  readonly bytes: Buffer
  readonly status: number
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>
  /** After the head, with the chunk framing as it came. */
  readonly rawBody: Buffer
  /** The body without chunk framing, as far as it came. */
  readonly body: Buffer
  /** For a chunked body: whether its last chunk came. */
  readonly terminated: boolean
  /** `left`: the client hung up because it had what it waited for. */
  readonly ending: 'end' | 'reset' | 'left'
  /** Number of reads; at least as many as the pieces that the network kept apart. */
  readonly reads: number
}

export interface RawCall {
  readonly port: number
  readonly path?: string
  readonly method?: string
  /** Sent as JSON unless it is text. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Hang up when this holds. */
  readonly until?: (received: string) => boolean
  /** Keep the own half open after the server closed its half, until this resolves. */
  readonly afterEnd?: (socket: Socket) => Promise<unknown>
}

/** One request on a connection of its own, for tests that need the bytes themselves. */
export const rawCall = ({ port, path, method, body, headers, until, afterEnd }: RawCall): Promise<RawAnswer> =>
  new Promise((resolve) => {
    const pieces: Buffer[] = []
    let ending: RawAnswer['ending'] = 'end'
    const payload = typeof body === 'string' ? body : JSON.stringify(body ?? {})
    const lines = [
      `${method ?? 'POST'} ${path ?? '/v1/chat/completions'} HTTP/1.1`,
      'Host: mock.test',
      'Connection: close',
      `Content-Length: ${Buffer.byteLength(payload)}`,
      ...Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    ]
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => {
      socket.write(`${lines.join('\r\n')}\r\n\r\n${payload}`)
    })
    const leaveWhenReady = () => {
      if (until?.(Buffer.concat(pieces).toString('latin1')) !== true) return
      ending = 'left'
      socket.destroy()
    }
    socket.on('data', (piece) => {
      pieces.push(Buffer.from(piece))
      leaveWhenReady()
    })
    socket.on('end', () => {
      Promise.resolve(afterEnd?.(socket)).then(
        () => socket.end(),
        (error: Error) => socket.destroy(error),
      )
    })
    socket.on('error', () => {
      ending = 'reset'
    })
    socket.on('close', () => resolve(parse(Buffer.concat(pieces), ending, pieces.length)))
  })

const parse = (bytes: Buffer, ending: RawAnswer['ending'], reads: number): RawAnswer => {
  const headEnd = bytes.indexOf('\r\n\r\n')
  const head = bytes.subarray(0, headEnd === -1 ? 0 : headEnd).toString('latin1')
  const rawBody = bytes.subarray(headEnd === -1 ? bytes.length : headEnd + 4)
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const chunked = headers.get('transfer-encoding') === 'chunked'
  const { body, terminated } = chunked ? dechunk(rawBody) : { body: rawBody, terminated: false }
  return { bytes, status: Number(statusLine.split(' ')[1] ?? 0), headers, rawBody, body, terminated, ending, reads }
}

const dechunk = (bytes: Buffer): { body: Buffer; terminated: boolean } => {
  const pieces: Buffer[] = []
  for (let start = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', start)
    const size = lineEnd === -1 ? Number.NaN : Number.parseInt(bytes.subarray(start, lineEnd).toString('latin1'), 16)
    if (size === 0 || Number.isNaN(size)) return { body: Buffer.concat(pieces), terminated: size === 0 }
    pieces.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    start = lineEnd + 2 + size + 2
  }
}
