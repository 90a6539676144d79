/**
 * The load of streams, in a process of its own: reads its plan from standard input as a line of JSON and opens the streams on
 * bare sockets. Prints a line when all of them have begun, and its report when its time is over; the streams stay until it is
 * stopped, so that their end is in nobody's account.
 */
import type { Socket } from 'bun'
import type { StreamPlan, StreamReport } from './stream-plan.ts'
import { createStreamReader } from './stream-reader.ts'

interface State {
  read: ReturnType<typeof createStreamReader>
  askedMs: number
  hasBegun: boolean
}

/** Connections that are made at a time: more at once would overflow the queue of whoever listens. */
const CONNECTING = 100
/** Whoever cannot begin that many streams in this time is not measured. */
const BEGIN_DEADLINE_MS = 60_000

const readPlan = async (): Promise<StreamPlan> => {
  for await (const line of console) return JSON.parse(line) as StreamPlan
  throw new Error('There is no plan')
}

const plan = await readPlan()
const { hostname, port, host, pathname } = new URL(plan.url)
const head = Object.entries({ ...plan.headers, host, 'content-length': String(Buffer.byteLength(plan.body)) })
const request = Buffer.from(
  `POST ${pathname} HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${plan.body}`,
)

const failures: Record<string, number> = {}
let firstByteMs: number[] = []
let events = 0
let begun = 0
let onAllBegun: () => void = () => undefined
const allBegun = new Promise<void>((resolve) => {
  onAllBegun = resolve
})

const fail = (kind: string): void => {
  failures[kind] = (failures[kind] ?? 0) + 1
}

const ask = (socket: Socket<State>): void => {
  socket.data = { read: createStreamReader(), askedMs: performance.now(), hasBegun: false }
  if (socket.write(request) < request.length) fail('request not written at once')
}

const begin = (socket: Socket<State>): void => {
  socket.data.hasBegun = true
  firstByteMs.push(performance.now() - socket.data.askedMs)
  begun += 1
  if (begun === plan.streams) onAllBegun()
  if (plan.mode === 'stall') socket.pause()
}

const open = (): Promise<Socket<State>> =>
  Bun.connect<State>({
    hostname,
    port: Number(port),
    socket: {
      open: ask,
      data(socket, piece) {
        const progress = socket.data.read(piece)
        events += progress.events
        if (progress.status !== undefined && progress.status !== 200) fail(`status ${progress.status}`)
        if (progress.hasBody && !socket.data.hasBegun) begin(socket)
        if (!progress.hasEnded) return
        if (plan.mode === 'repeat') ask(socket)
        else fail('ended')
      },
      close: () => fail('closed'),
      error: () => fail('socket error'),
      connectError: () => fail('not connected'),
    },
  })

const late = setTimeout(() => {
  const kinds = Object.entries(failures).map(([kind, count]) => `, ${count} × ${kind}`)
  console.error(`only ${begun} of ${plan.streams} streams began${kinds.join('')}`)
  process.exit(1)
}, BEGIN_DEADLINE_MS)
for (let opened = 0; opened < plan.streams; opened += CONNECTING) {
  await Promise.all(Array.from({ length: Math.min(CONNECTING, plan.streams - opened) }, open))
}
await allBegun
clearTimeout(late)
console.log('all begun')
events = 0
firstByteMs = []
const startedMs = performance.now()
await Bun.sleep(plan.durationMs)
const report: StreamReport = { events, durationMs: performance.now() - startedMs, firstByteMs, failures }
console.log(JSON.stringify(report))
