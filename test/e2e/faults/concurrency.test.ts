import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type MockServer, startMockServer } from '../../../plugins/providers/mock/server.ts'
import { type ChildGateway, configFor, startChildGateway } from './support/child.ts'
import { delta, ENDING, gate, streamPlan } from './support/gated.ts'
import { chat } from './support/probe.ts'
import { eventually, openCall } from './support/wire.ts'

/** Bun lets 256 outgoing requests run unless it is told otherwise when the process starts. */
const CONCURRENT_CALLS = 400

let upstream: MockServer
let child: ChildGateway
const waiting = { now: 0, peak: 0 }
const everybodyIsHere = gate()

beforeAll(async () => {
  upstream = await startMockServer({
    maxRecorded: 0,
    answer: () =>
      streamPlan(
        (async function* () {
          waiting.now++
          waiting.peak = Math.max(waiting.peak, waiting.now)
          if (waiting.now === CONCURRENT_CALLS) everybodyIsHere.open()
          // Nobody is answered before all are here: with a lower limit they would wait for each other.
          await everybodyIsHere.opened
          yield delta('together')
          yield* ENDING
          waiting.now--
        })(),
      ),
  })
  child = await startChildGateway({ config: configFor(upstream.url) })
}, 60_000)
afterAll(async () => {
  await child.close()
  await upstream.close()
})

test('more than 256 upstream calls are in flight at once', async () => {
  const clients = await Promise.all(
    Array.from({ length: CONCURRENT_CALLS }, () =>
      openCall(child.port, chat({}, { stream: true }), {
        'x-gateway-api-key': child.apiKey,
        'x-gateway-provider': 'openai',
      }),
    ),
  )
  await eventually(() => waiting.peak === CONCURRENT_CALLS, 'every call is at the upstream', 20_000)
  await Promise.all(clients.map((client) => client.until((received) => received.includes('[DONE]'))))
  for (const client of clients) client.leave()
  await upstream.idle()
  // The last one may still be on its way.
  const lines = () =>
    child.output
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.includes('"type":"call"'))
  await eventually(() => lines().length === CONCURRENT_CALLS, 'every call is logged')
  expect(new Set(lines().map((line) => JSON.parse(line).outcome))).toEqual(new Set(['completed']))
}, 40_000)
