import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type MockServer, startMockServer } from '../../../plugins/providers/mock/server.ts'
import { type ChildGateway, startChildGateway } from './support/child.ts'
import { delta, gate, streamPlan } from './support/gated.ts'
import { chat } from './support/probe.ts'
import { eventually, openCall, type Wire } from './support/wire.ts'

const STALLED_CLIENTS = 200
/**
 * Weir hands on small pieces, and reads nothing more while one waits. But Bun 1.4.5 reads up to half a megabyte from a socket
 * in one go, and what a provider floods it with has to be kept then: measured at 640 KiB (2026-11-21).
 */
const MAX_KIB_PER_CLIENT = 1_024
const EVENT = delta('x'.repeat(16 * 1024))

let upstream: MockServer
let child: ChildGateway
/** What the upstream does once the test says so; before that every stream is silent after its first event. */
let goesOn = gate()
const flooded = { events: 0 }

beforeAll(async () => {
  upstream = await startMockServer({
    maxRecorded: 0,
    answer: () =>
      streamPlan(
        (async function* () {
          const { opened } = goesOn
          yield delta('begun')
          await opened
          yield* flood()
        })(),
      ),
  })
  child = await startChildGateway({ script: 'test/e2e/faults/support/serve.ts', env: { UPSTREAM: upstream.url } })
}, 60_000)
afterAll(async () => {
  await child.close()
  await upstream.close()
})

const stall = async (): Promise<Wire> => {
  const client = await openCall(child.port, chat({}, { stream: true }))
  await client.until((received) => received.includes('begun'))
  client.socket.pause()
  return client
}

test('a client that stops reading costs a bounded amount of memory, whatever the upstream sends', async () => {
  // The first calls also pay for code and pools that every later one shares.
  const warm = await Promise.all(Array.from({ length: STALLED_CLIENTS }, stall))
  for (const client of warm) client.leave()
  await eventually(() => upstream.counters.open === 0, 'the first calls are given up')
  const idleKib = await settled()
  goesOn = gate()
  const clients = await Promise.all(Array.from({ length: STALLED_CLIENTS }, stall))
  const silentKib = (await settled()) - idleKib
  goesOn.open()
  await eventually(() => flooded.events > STALLED_CLIENTS, 'the upstream sends at full speed')
  await untilStill()
  const eventsBefore = flooded.events
  const stalledKib = (await settled()) - idleKib
  const perClient = (kib: number): string => (kib / STALLED_CLIENTS).toFixed(1)
  const sentMib = (flooded.events * EVENT.length) / 1024 ** 2 / STALLED_CLIENTS
  console.log(
    `${STALLED_CLIENTS} clients: ${perClient(silentKib)} KiB each while silent, ${perClient(stalledKib)} KiB each while stalled; the upstream could write ${sentMib.toFixed(2)} MiB to each, network buffers included`,
  )
  expect(stalledKib / STALLED_CLIENTS).toBeLessThan(MAX_KIB_PER_CLIENT)
  // It stands still: nothing is read on behalf of a client that does not read.
  expect(flooded.events - eventsBefore).toBeLessThan(STALLED_CLIENTS)
  for (const client of clients) client.leave()
  await eventually(() => upstream.counters.open === 0, 'every stalled upstream call is given up')
}, 60_000)

function* flood(): Generator<string> {
  for (;;) {
    flooded.events++
    yield EVENT
  }
}

const untilStill = async (): Promise<void> => {
  // On a busy machine nobody may get a turn for half a second.
  for (let before = -1, stood = 0; stood < 3; ) {
    stood = before === flooded.events ? stood + 1 : 0
    before = flooded.events
    await Bun.sleep(500)
  }
}

/** Resident memory of the gateway after a collection, once it no longer moves by more than 1 %. */
const settled = async (): Promise<number> => {
  let before = 0
  for (let round = 0; round < 10; round++) {
    child.kill('SIGUSR2')
    await Bun.sleep(250)
    const now = await child.residentKib()
    if (Math.abs(now - before) < now / 100) return now
    before = now
  }
  return before
}
