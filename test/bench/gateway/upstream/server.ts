/**
 * The upstream, in a process of its own: a port for each wire and kind of answer, and one to ask what it saw. It speaks just
 * enough HTTP, on bare sockets, so that it costs next to nothing. Prints its ports as a line of JSON.
 */
import type { Socket } from 'bun'
import { WIRES } from './answers.ts'
import { ANSWERS, type Behaviour, behaviourOf, type Line } from './behaviours.ts'
import { createFramer, type Framer } from './framing.ts'

interface Client extends Line {
  readonly framer: Framer
  drained(): void
  left(): void
}

const createClient = (socket: Socket<Client>): Client => {
  let kept: Buffer | undefined
  let onEmpty: (() => void) | undefined
  const timers = new Set<ReturnType<typeof setInterval>>()
  const write = (bytes: Buffer): void => {
    const written = Math.max(socket.write(bytes), 0)
    kept = written < bytes.length ? bytes.subarray(written) : undefined
  }
  return {
    framer: createFramer(),
    send(bytes) {
      if (kept === undefined) write(bytes)
      else kept = Buffer.concat([kept, bytes])
    },
    get isFull() {
      return kept !== undefined
    },
    every(ms, step) {
      const timer = setInterval(() => {
        if (step()) return
        clearInterval(timer)
        timers.delete(timer)
      }, ms)
      timers.add(timer)
    },
    whenEmpty(next) {
      onEmpty = next
    },
    drained() {
      if (kept !== undefined) write(kept)
      if (kept === undefined) onEmpty?.()
    },
    left() {
      for (const timer of timers) clearInterval(timer)
    },
  }
}

const opened: Record<string, number> = {}

const listen = (name: string, behaviour: Behaviour): number => {
  opened[name] = 0
  const listener = Bun.listen<Client>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(socket) {
        opened[name] = (opened[name] ?? 0) + 1
        socket.data = createClient(socket)
      },
      data(socket, bytes) {
        const client = socket.data
        for (let ended = client.framer(bytes); ended > 0; ended -= 1) behaviour(client)
      },
      drain: (socket) => socket.data.drained(),
      close: (socket) => socket.data.left(),
      error: (socket) => socket.data.left(),
    },
  })
  return listener.port
}

const ports = Object.fromEntries(
  WIRES.flatMap((wire) =>
    ANSWERS.map((kind) => [`${wire}-${kind}`, listen(`${wire}-${kind}`, behaviourOf(wire, kind))] as const),
  ),
)
const control = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => Response.json(opened) })
console.log(JSON.stringify({ ports, control: control.port }))
