import { connect, type Socket } from 'node:net'
import { CALL_HEADERS } from './probe.ts'

/** Milliseconds that anything on the loopback address may take before a test says what is missing. */
export const PATIENCE_MS = 8_000

/** A connection whose bytes a test watches as they come. */
export interface Wire {
  readonly socket: Socket
  /** All that came so far, one character a byte. */
  readonly received: string
  /** Resolves once the received text fits; rejects with it when it does not in time, or the connection ended before. */
  until(fits: (received: string) => boolean): Promise<void>
  /** Resolves with all that came when the server has closed the connection. */
  closed(): Promise<string>
  write(text: string | Uint8Array): void
  /** Hangs up without a goodbye. */
  leave(): void
}

export const openWire = async (port: number, host = '127.0.0.1'): Promise<Wire> => {
  let received = ''
  let ended = false
  const watchers = new Set<() => void>()
  const notify = (): void => {
    for (const watcher of [...watchers]) watcher()
  }
  const socket = connect({ port, host })
  socket.setNoDelay(true)
  socket.on('data', (piece) => {
    received += piece.toString('latin1')
    notify()
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    ended = true
    notify()
  })
  const when = (ready: () => boolean, wanted: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const ok = ready()
        if (!ok && !ended) return
        clearTimeout(timer)
        watchers.delete(look)
        if (ok) resolve()
        else reject(new Error(`the connection ended before ${wanted}: ${received.slice(-1000)}`))
      }
      const timer = setTimeout(() => {
        watchers.delete(look)
        reject(new Error(`${wanted} did not come: ${received.slice(-1000)}`))
      }, PATIENCE_MS)
      watchers.add(look)
      look()
    })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  return {
    socket,
    get received() {
      return received
    },
    until: (fits) => when(() => fits(received), 'the awaited text'),
    closed: async () => {
      await when(() => ended, 'the end of the connection')
      return received
    },
    write: (text) => {
      socket.write(text)
    },
    leave: () => socket.destroy(),
  }
}

type Headers = Readonly<Record<string, string>>

/** The head of a request, without the empty line that ends it. */
export const requestHead = (headers: Headers, path = '/v1/chat/completions', method = 'POST'): string =>
  [
    `${method} ${path} HTTP/1.1`,
    'host: gateway.test',
    ...Object.entries({ ...CALL_HEADERS, ...headers }).map(([name, value]) => `${name}: ${value}`),
  ].join('\r\n')

/** A call on a connection of its own, whose answer is watched. */
export const openCall = async (port: number, body: unknown, headers: Headers = {}): Promise<Wire> => {
  const wire = await openWire(port)
  const payload = JSON.stringify(body)
  wire.write(`${requestHead({ ...headers, 'content-length': String(Buffer.byteLength(payload)) })}\r\n\r\n${payload}`)
  return wire
}

/** Resolves once the condition holds; looks again after each turn of the event loop. */
export const eventually = async (holds: () => boolean, wanted: string, withinMs = PATIENCE_MS): Promise<number> => {
  const startMs = performance.now()
  while (!holds()) {
    if (performance.now() - startMs > withinMs) throw new Error(`not within ${withinMs} ms: ${wanted}`)
    await Bun.sleep(2)
  }
  return performance.now() - startMs
}

/** What no answer may hold, whatever broke: a stack, a path of this machine, the name of a source file. */
export const expectNothingInternal = (text: string): void => {
  const found = /\n\s+at |node_modules|\/src\/|\/plugins\/|file:\/\/|\.ts:\d|TypeError|SyntaxError|ReferenceError/.exec(
    text,
  )
  if (found !== null) throw new Error(`the answer holds '${found[0]}': ${text.slice(0, 500)}`)
}
