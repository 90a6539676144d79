import { createServer, type Socket } from 'node:net'

/** One request as it came: whole, one character a byte. */
export interface Seen {
  readonly text: string
  /** Which connection it came on, and the how-manieth of it, from 1. */
  readonly connection: number
  readonly turn: number
}

/** Bytes go out as they are, text one byte a character, numbers are waits in milliseconds, promises are waited for, `end` closes properly, `reset` does not, `stay` keeps it as it is. */
export type Step = string | Uint8Array | number | Promise<void> | 'end' | 'reset' | 'stay'

export interface ScriptedServer {
  readonly port: number
  readonly seen: readonly Seen[]
  /** Connections made so far. */
  readonly connections: number
  /** Connections open now. */
  readonly open: number
  play: (seen: Seen) => readonly Step[]
  /** Closes every connection from this side, properly. */
  hangUp(): void
  close(): Promise<void>
}

/** A server over a raw socket that does what a test says, and nothing else. */
export const startScriptedServer = async (play: ScriptedServer['play']): Promise<ScriptedServer> => {
  const sockets = new Set<Socket>()
  const seen: Seen[] = []
  let connections = 0
  const server = createServer((socket) => {
    const connection = ++connections
    let turn = 0
    let received = ''
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1')
      for (let length = wholeLength(received); length !== -1; length = wholeLength(received)) {
        const request: Seen = { text: received.slice(0, length), connection, turn: ++turn }
        received = received.slice(length)
        seen.push(request)
        void perform(socket, scripted.play(request))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const scripted: ScriptedServer = {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    seen,
    get connections() {
      return connections
    },
    get open() {
      return sockets.size
    },
    play,
    hangUp() {
      for (const socket of sockets) socket.end()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return scripted
}

/** Bytes of the first request in the text, or -1 while it is not whole. */
const wholeLength = (text: string): number => {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return -1
  const length = Number(/\r\ncontent-length: (\d+)\r\n/.exec(text.slice(0, end + 2))?.[1] ?? 0)
  return text.length >= end + 4 + length ? end + 4 + length : -1
}

const perform = async (socket: Socket, steps: readonly Step[]): Promise<void> => {
  for (const step of steps) {
    if (socket.destroyed || step === 'stay') return
    if (step === 'end') socket.end()
    else if (step === 'reset') socket.resetAndDestroy()
    else if (step instanceof Promise) await step
    else if (typeof step === 'number') await Bun.sleep(step)
    else await new Promise<void>((resolve) => socket.write(bytesOf(step), () => resolve()))
  }
}

const bytesOf = (step: string | Uint8Array): Uint8Array =>
  typeof step === 'string' ? Buffer.from(step, 'latin1') : step
