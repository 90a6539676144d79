import { afterAll, afterEach, beforeAll, expect, spyOn, test } from 'bun:test'
import { Relay } from '../../../src/http/relay.ts'
import { API_KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts'
import { eventually } from '../faults/support/wire.ts'
import { closeSessions, openSession } from './support/session.ts'

/** What Bun reads of a socket at once, at most (1.4.5). */
const READ_BYTES = 512 * 1024
const MESSAGES = 40_000

/** A provider that says as much as it can, and counts what the system took. */
let provider: Bun.Server<undefined>
let gateway: TestGateway
const text = (index: number): string => JSON.stringify({ type: 'delta', index, pad: 'x'.repeat(1_000) })
beforeAll(async () => {
  provider = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request, server) => (server.upgrade(request) ? undefined : new Response('', { status: 426 })),
    websocket: {
      backpressureLimit: 1024 ** 3,
      message(socket) {
        for (let index = 0; index < MESSAGES; index++) socket.sendText(text(index))
      },
    },
  })
  gateway = await startTestGateway({
    config: {
      plugins: ['defaults', { openai: { baseURL: `http://127.0.0.1:${provider.port}/v1`, apiKey: 'provider-key' } }],
    },
  })
})
afterAll(async () => {
  await gateway.close()
  await provider.stop(true)
})
afterEach(closeSessions)

test('a client that does not read costs no more than one read of its provider, and loses nothing', async () => {
  const opened = spyOn(Relay.prototype, 'open')
  const session = await openSession(gateway, {
    path: '/v1/realtime?model=gpt-realtime',
    headers: { 'x-gateway-api-key': API_KEY, 'x-gateway-provider': 'openai' },
  })
  const [[client] = []] = opened.mock.calls
  opened.mockRestore()
  session.socket.pause()
  session.socket.send('go')
  await eventually(() => (client?.getBufferedAmount() ?? 0) > 0, 'it is behind')
  let most = 0
  for (let quiet = 0; quiet < 50; quiet++) {
    const waiting = client?.getBufferedAmount() ?? 0
    if (waiting > most) quiet = 0
    most = Math.max(most, waiting)
    await Bun.sleep(10)
  }
  expect(most).toBeLessThanOrEqual(READ_BYTES + text(MESSAGES).length)
  expect(session.events.length).toBeLessThan(MESSAGES)
  session.socket.resume()
  await eventually(() => session.events.length === MESSAGES, 'all of it is there')
  expect(session.events.every(({ index }, place) => index === place)).toBe(true)
})
