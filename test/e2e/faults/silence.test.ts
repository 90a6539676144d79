import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { type MockServer, startMockServer } from '../../../plugins/providers/mock/server.ts'
import { rawCall } from '../../../plugins/providers/mock/test-support/raw-client.ts'
import { startTestGateway, type TestGateway } from '../../support/gateway.ts'
import { delta, ENDING, streamPlan } from './support/gated.ts'
import { CALL_HEADERS, chat, providerAt } from './support/probe.ts'
import { openCall, openWire } from './support/wire.ts'

/** Longer than Bun's default idle time-out of 10 s, and much longer than the one that the server gets here. */
const SILENCE_MS = 11_500
const SERVER_IDLE_SECONDS = 3

let upstream: MockServer
let gateway: TestGateway
beforeAll(async () => {
  upstream = await startMockServer({
    answer: ({ headers }) => (headers.get('x-silent') === 'stream' ? streamPlan(silent()) : undefined),
  })
  const { serve } = Bun
  // The real server of the gateway, with an idle time-out that a test can outlast.
  const shortened = spyOn(Bun, 'serve').mockImplementation(((options: Parameters<typeof serve>[0]) =>
    serve({ ...options, idleTimeout: SERVER_IDLE_SECONDS } as Parameters<typeof serve>[0])) as typeof serve)
  gateway = await startTestGateway({
    plugins: [providerAt(`${upstream.url}/v1`)],
    config: { server: { keepAliveMs: 0 }, plugins: ['defaults'] },
  })
  expect(shortened).toHaveBeenCalledTimes(1)
  shortened.mockRestore()
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

const port = (): number => gateway.server.port ?? 0

async function* silent(): AsyncGenerator<string> {
  yield delta('before')
  await Bun.sleep(SILENCE_MS)
  yield delta('after')
  yield* ENDING
}

test.concurrent('a stream may be silent for longer than any idle time-out of the server', async () => {
  const client = await openCall(port(), chat({}, { stream: true }), {
    'x-silent': 'stream',
    'x-gateway-forward-headers': 'x-silent',
  })
  await client.until((received) => received.includes('before'))
  await Bun.sleep(SILENCE_MS)
  await client.until((received) => received.includes('[DONE]'))
  expect(client.received).toContain('after')
  expect(client.received).not.toContain('keep-alive\n')
  client.leave()
}, 30_000)

test.concurrent('a plain answer may take longer than any idle time-out of the server', async () => {
  const answer = await rawCall({ port: port(), body: chat({ latencyMs: SILENCE_MS }), headers: CALL_HEADERS })
  expect(answer.status).toBe(200)
  expect(JSON.parse(answer.body.toString()).choices[0].message.content).toStartWith('Mock answer')
}, 30_000)

test.concurrent('the idle time-out is real: without the care of the gateway a silent answer is cut', async () => {
  const careless = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: SERVER_IDLE_SECONDS,
    fetch: async () => {
      await Bun.sleep(SILENCE_MS)
      return new Response('too late')
    },
  })
  const wire = await openWire(careless.port ?? 0)
  wire.write('GET / HTTP/1.1\r\nhost: careless.test\r\n\r\n')
  expect(await wire.closed()).toBe('')
  await careless.stop(true)
}, 30_000)
