import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { API_KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts'
import { eventually, openWire } from '../faults/support/wire.ts'
import { closeSessions, openSession } from './support/session.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())
afterEach(async () => {
  closeSessions()
  await eventually(() => gateway.gateway.calls.running === 0, 'all sessions are over')
  gateway.records.length = 0
})

const model = (switches: string): string => `/v1/realtime?model=mock-realtime:${switches}`

/** The record of the only session of a test. */
const sessionRecord = () => gateway.record(({ status }) => status === 101)
const responses = () => gateway.records.filter(({ call_id: of }) => of !== undefined)

describe('a provider that', () => {
  test('dies in the middle of a response: an error event, 1011, and what was said is counted', async () => {
    const session = await openSession(gateway, { path: model('fault=cut-connection,at=12') })
    const error = session.next('error')
    session.say('one two three four five')
    expect((await error).error).toMatchObject({ type: 'upstream_error', code: 'stream_truncated' })
    expect((await session.closed).code).toBe(1011)
    expect(await sessionRecord()).toMatchObject({ outcome: 'truncated', error: { code: 'stream_truncated' } })
    const [response] = responses()
    expect(response).toMatchObject({ outcome: 'truncated', usage: { estimated: true } })
    expect(response?.usage).toHaveProperty('output_tokens', expect.any(Number))
    expect(response?.usage).not.toHaveProperty('output_tokens', 0)
  })

  test('leaves with a goodbye: it goes on, and so does its code', async () => {
    const session = await openSession(gateway, { path: model('fault=cut-mid-stream,at=12') })
    session.say('one two three')
    expect(await session.closed).toEqual({ code: 1011, reason: 'The mock was asked to leave.' })
  })

  test('refuses the handshake: its status and its words', async () => {
    const answer = await handshake('/v1/realtime?model=mock-realtime:status=503')
    expect(answer).toStartWith('HTTP/1.1 503 ')
    expect(answer).toContain('The mock was asked for status 503.')
  })

  test('fails in an event: the session goes on', async () => {
    const session = await openSession(gateway, { path: model('fault=error-event,at=4') })
    const error = session.next('error')
    session.say('one')
    expect((await error).error).toMatchObject({ code: 'server_error' })
    expect(session.socket.readyState).toBe(WebSocket.OPEN)
  })

  test('does not count: the tokens are ours, and say so', async () => {
    const session = await openSession(gateway, { path: model('fault=usage-missing') })
    const done = session.next('response.done')
    session.say('one two three')
    await done
    await eventually(() => responses().length === 1, 'the record is there')
    expect(responses()[0]).toMatchObject({ outcome: 'completed', usage: { estimated: true } })
  })
})

test('a client that leaves in the middle of a response pays for what it has had', async () => {
  const session = await openSession(gateway, { path: model('tokens=200,interval=5') })
  const delta = session.next('response.output_audio.delta')
  session.say('one two three')
  await delta
  session.socket.terminate()
  expect(await sessionRecord()).toMatchObject({ outcome: 'client_closed' })
  const [response] = responses()
  expect(response).toMatchObject({ outcome: 'client_closed', usage: { estimated: true } })
  expect(gateway.gateway.calls.running).toBe(0)
})

describe('a gateway that stops', () => {
  test('closes a session at once that says nothing, and one in the middle of a response after it', async () => {
    const stopping = await startTestGateway()
    const quiet = await openSession(stopping)
    const busy = await openSession(stopping, { path: model('tokens=40,interval=5') })
    const begun = busy.next('response.output_audio.delta')
    busy.say('one two three')
    await begun
    const drained = stopping.gateway.drain(30_000)
    expect(await quiet.closed).toEqual({ code: 1001, reason: 'shutting_down: open another session.' })
    expect((await busy.closed).code).toBe(1001)
    expect(busy.events.at(-1)?.type).toBe('response.done')
    await drained
    expect(stopping.records.filter(({ outcome }) => outcome === 'completed').length).toBe(3)
    await stopping.close()
  })

  test('does not wait for ever', async () => {
    const stopping = await startTestGateway()
    const busy = await openSession(stopping, { path: model('tokens=1000,interval=50') })
    const begun = busy.next('response.output_audio.delta')
    busy.say('one two three')
    await begun
    await stopping.gateway.drain(50)
    expect((await busy.closed).code).toBe(1001)
    expect(stopping.gateway.calls.running).toBe(0)
    expect(await stopping.record(({ status }) => status === 101)).toMatchObject({ outcome: 'truncated' })
    await stopping.close()
  })
})

describe('deadlines', () => {
  test.each([
    ['idleMs', 'idle_timeout'],
    ['totalMs', 'total_timeout'],
  ])('%s', async (name, code) => {
    const strict = await startTestGateway({ config: { plugins: ['defaults', 'mock', { realtime: { [name]: 200 } }] } })
    const session = await openSession(strict)
    const error = session.next('error')
    expect((await error).error).toMatchObject({ code })
    const { code: closed, reason } = await session.closed
    expect([closed, reason.startsWith(`${code}: `)]).toEqual([1001, true])
    await strict.record(({ error: told }) => (told as { code?: string } | undefined)?.code === code)
    await strict.close()
  })

  test('somebody who talks is not idle', async () => {
    const strict = await startTestGateway({ config: { plugins: ['defaults', 'mock', { realtime: { idleMs: 300 } }] } })
    const session = await openSession(strict)
    for (let turn = 0; turn < 10; turn++) {
      await Bun.sleep(80)
      session.send({ type: 'input_audio_buffer.append', audio: 'AAAA' })
    }
    expect(session.socket.readyState).toBe(WebSocket.OPEN)
    await strict.close()
  })
})

describe('a session is refused', () => {
  test.each([
    ['without a model', '/v1/realtime', {}, 'model'],
    [
      'with several targets',
      '/v1/realtime?model=mock-realtime',
      { 'x-gateway-config': '{"strategy":{"mode":"fallback"},"targets":[{"provider":"mock"},{"provider":"openai"}]}' },
      'config',
    ],
  ])('%s', async (_what, path, headers, param) => {
    const answer = await handshake(path, headers)
    expect(answer).toStartWith('HTTP/1.1 400 ')
    expect(answer).toContain(`"param":"${param}"`)
  })

  test('of a provider that has none', async () => {
    const answer = await handshake('/v1/realtime?model=claude', {
      'x-gateway-provider': 'anthropic',
      authorization: 'Bearer somebody',
    })
    expect(answer).toStartWith('HTTP/1.1 400 ')
    expect(answer).toContain('unsupported_endpoint')
  })

  test('over HTTP', async () => {
    const answer = await fetch(`${gateway.url}/v1/realtime?model=mock-realtime`, {
      headers: { 'x-gateway-api-key': API_KEY, 'x-gateway-provider': 'mock' },
    })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { param: 'upgrade' } })
  })
})

const handshake = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<string> => {
  const wire = await openWire(Number(new URL(gateway.url).port))
  const lines = Object.entries({
    host: 'weir',
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'x-gateway-api-key': API_KEY,
    ...('x-gateway-config' in headers ? {} : { 'x-gateway-provider': 'mock' }),
    ...headers,
  })
  wire.write(`GET ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`)
  await wire.until((received) => /\r\n\r\n.*\}$/s.test(received) || received.startsWith('HTTP/1.1 101'))
  wire.leave()
  return wire.received
}
