import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createServer } from 'node:net'
import OpenAI from 'openai'
import { OpenAIRealtimeWebSocket } from 'openai/realtime/websocket'
import { API_KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts'
import { eventually, openWire } from '../faults/support/wire.ts'

const PROVIDER_KEY = 'sk-of-the-operator-0123456789'

interface Seen {
  readonly target: string
  readonly headers: Headers
}

let provider: Bun.Server<undefined>
let gateway: TestGateway
const seen: Seen[] = []
const closes: { code: number; reason: string }[] = []
/** What the provider does with the connection; by default it sends back what comes. */
let onMessage: (socket: Bun.ServerWebSocket<undefined>, message: string | Buffer) => void
let onOpen: (socket: Bun.ServerWebSocket<undefined>) => void
let refuse: (() => Response) | undefined

beforeAll(async () => {
  provider = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, server) {
      const { pathname, search } = new URL(request.url)
      seen.push({ target: `${pathname}${search}`, headers: request.headers })
      if (refuse !== undefined) return refuse()
      const isOffered = request.headers.get('sec-websocket-protocol')?.includes('realtime') === true
      return server.upgrade(request, { headers: isOffered ? { 'sec-websocket-protocol': 'realtime' } : {} })
        ? undefined
        : new Response('no upgrade', { status: 426 })
    },
    websocket: {
      maxPayloadLength: 64 * 1024 * 1024,
      open: (socket) => onOpen(socket),
      message: (socket, message) => onMessage(socket, message),
      close: (_socket, code, reason) => {
        closes.push({ code, reason })
      },
    },
  })
  gateway = await startTestGateway({
    config: {
      deadlines: { idleMs: 400 },
      plugins: ['defaults', { openai: { baseURL: `http://127.0.0.1:${provider.port}/v1`, apiKey: PROVIDER_KEY } }],
    },
  })
})
afterAll(async () => {
  await gateway.close()
  await provider.stop(true)
})
beforeEach(() => {
  seen.length = 0
  closes.length = 0
  gateway.records.length = 0
  refuse = undefined
  onOpen = () => undefined
  onMessage = (socket, message) => {
    if (typeof message === 'string') socket.sendText(message)
    else socket.sendBinary(Uint8Array.from(message))
  }
})
const opened: WebSocket[] = []
afterEach(() => {
  for (const socket of opened.splice(0)) socket.close()
})

const HEADERS = { 'x-gateway-api-key': API_KEY, 'x-gateway-provider': 'openai' }
const socketUrl = (path = '/v1/realtime?model=gpt-realtime'): string => `${gateway.url.replace('http', 'ws')}${path}`

const open = async (path?: string, headers: Readonly<Record<string, string>> = HEADERS): Promise<WebSocket> => {
  const socket = new WebSocket(socketUrl(path), { headers })
  opened.push(socket)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('it was not opened')))
  })
  return socket
}
const next = (socket: WebSocket): Promise<unknown> =>
  new Promise((resolve) => socket.addEventListener('message', ({ data }) => resolve(data), { once: true }))
const closeOf = (socket: WebSocket): Promise<{ code: number; reason: string }> =>
  new Promise((resolve) => socket.addEventListener('close', ({ code, reason }) => resolve({ code, reason })))

/** The client of OpenAI asks for TLS, whatever its base URL says. */
class PlainWebSocket extends WebSocket {
  constructor(url: string | URL, protocols?: string | string[]) {
    super(String(url).replace('wss:', 'ws:'), protocols)
  }
}

test('the official client of OpenAI talks with a provider as if nobody stood between', async () => {
  onOpen = (socket) => {
    socket.sendText('{"type":"session.created","event_id":"1","session":{}}')
  }
  const client = new OpenAI({ apiKey: API_KEY, baseURL: `${gateway.url}/v1` })
  const native = globalThis.WebSocket
  Object.assign(globalThis, { WebSocket: PlainWebSocket })
  const realtime = new OpenAIRealtimeWebSocket({ model: '@openai/gpt-realtime' }, client)
  globalThis.WebSocket = native
  await new Promise((resolve) => realtime.on('session.created', resolve))
  const answered = new Promise((resolve) => realtime.on('event', resolve))
  realtime.send({ type: 'response.create' })
  expect(await answered).toMatchObject({ type: 'response.create' })
  expect(seen[0]?.target).toBe('/v1/realtime?model=gpt-realtime')
  expect(seen[0]?.headers.get('authorization')).toBe(`Bearer ${PROVIDER_KEY}`)
  expect(seen[0]?.headers.get('sec-websocket-protocol')).toBe('realtime')
  expect(JSON.stringify([...(seen[0]?.headers ?? [])])).not.toContain(API_KEY)
  realtime.close()
  const record = await gateway.record(({ status }) => status === 101)
  expect(record).toMatchObject({
    outcome: 'completed',
    endpoint: 'realtime',
    model: 'gpt-realtime',
    provider: 'openai',
  })
})

describe('messages pass', () => {
  test.each([0, 1, 125, 126, 65_536, 3_000_000])('%i bytes, as text and as bytes', async (length) => {
    const socket = await open()
    const text = 'ä'.repeat(length / 2)
    let came = next(socket)
    socket.send(text)
    expect((await came) === text).toBe(true)
    const bytes = Uint8Array.from({ length }, (_, index) => index % 251)
    came = next(socket)
    socket.send(bytes)
    expect(Buffer.compare(Buffer.from((await came) as Uint8Array), bytes)).toBe(0)
  })

  test('in order, many at once', async () => {
    const socket = await open()
    const came: unknown[] = []
    socket.addEventListener('message', ({ data }) => came.push(data))
    const sent = Array.from({ length: 2_000 }, (_, index) => `${index} ${'x'.repeat(index)}`)
    for (const message of sent) socket.send(message)
    await eventually(() => came.length === sent.length, 'all are back')
    expect(came).toEqual(sent)
  })

  test('and one that comes with the handshake', async () => {
    onOpen = (socket) => {
      for (let index = 0; index < 5; index++) socket.sendText(String(index))
    }
    const socket = new WebSocket(socketUrl(), { headers: HEADERS })
    opened.push(socket)
    const came: unknown[] = []
    socket.addEventListener('message', ({ data }) => came.push(data))
    await eventually(() => came.length === 5, 'all are here')
    expect(came).toEqual(['0', '1', '2', '3', '4'])
  })
})

describe('a goodbye', () => {
  test.each([
    [1000, ''],
    [4001, 'enough'],
    [3000, 'ünïcode'],
  ])('of the client goes on: %i %p', async (code, reason) => {
    const socket = await open()
    socket.close(code, reason)
    await eventually(
      () => closes.some((each) => each.code === code && each.reason === reason),
      'the provider hears of it',
    )
    await gateway.record(({ outcome, status }) => outcome === 'completed' && status === 101)
  })

  test.each([
    [1000, 'done'],
    [1013, 'later'],
    [4999, ''],
  ])('of the provider goes on: %i %p', async (code, reason) => {
    onMessage = (socket) => socket.close(code, reason)
    const socket = await open()
    const closed = closeOf(socket)
    socket.send('x')
    expect(await closed).toEqual({ code, reason })
    await gateway.record(({ outcome }) => outcome === 'completed')
  })

  test('that never came: the provider breaks off', async () => {
    onMessage = (socket) => socket.terminate()
    const socket = await open()
    const closed = closeOf(socket)
    socket.send('x')
    expect((await closed).code).toBe(1011)
    const record = await gateway.record(({ outcome }) => outcome === 'truncated')
    expect(record).toMatchObject({ status: 101 })
  })

  test('that never came: the client breaks off', async () => {
    const socket = await open()
    socket.terminate()
    await eventually(() => closes.some(({ code }) => code === 1001), 'the provider hears of it')
    await gateway.record(({ outcome }) => outcome === 'client_closed')
    expect(gateway.gateway.calls.running).toBe(0)
  })
})

test('a quiet provider that lives is left alone, and one that does not is told from it', async () => {
  const socket = await open()
  await Bun.sleep(1_000)
  expect(socket.readyState).toBe(WebSocket.OPEN)
  // Shakes hands, and is never heard of again.
  const silent = createServer((peer) => {
    peer.on('error', () => undefined)
    peer.once('data', (head) => {
      const key = /sec-websocket-key: (\S+)/i.exec(head.toString())?.[1]
      const accept = new Bun.CryptoHasher('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
      peer.write(
        `HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
      )
    })
  })
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const address = silent.address()
  const host = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`
  const other = await open(undefined, { ...HEADERS, 'x-gateway-custom-host': host, authorization: 'Bearer mine' })
  expect((await closeOf(other)).code).toBe(1011)
  silent.close()
})

test('a provider that does not read holds the client back', async () => {
  onOpen = (socket) => socket.pause()
  const socket = await open()
  let sent = 0
  // As fast as it goes, until nothing moves any more.
  for (let quiet = 0; quiet < 20 && sent < 400; ) {
    if (socket.bufferedAmount === 0) {
      socket.send(new Uint8Array(1_000_000))
      sent++
      quiet = 0
    } else quiet++
    await Bun.sleep(5)
  }
  expect(sent).toBeLessThan(100)
})

test('a client that does not read holds the provider back', async () => {
  let sent = 0
  const flood = (peer: Bun.ServerWebSocket<undefined>): void => {
    // 0: more waits already than the server of this test lets wait.
    while (sent < 300 && peer.getBufferedAmount() < 1_000_000 && peer.sendBinary(new Uint8Array(1_000_000)) !== 0)
      sent++
  }
  onMessage = (peer) => {
    setInterval(() => flood(peer), 5).unref()
  }
  const socket = await open()
  socket.send('go')
  socket.pause()
  await Bun.sleep(700)
  expect(sent).toBeGreaterThan(0)
  expect(sent).toBeLessThan(100)
})

test('a gateway that stops says goodbye to both sides', async () => {
  const stopping = await startTestGateway({
    config: {
      plugins: ['defaults', { openai: { baseURL: `http://127.0.0.1:${provider.port}/v1`, apiKey: PROVIDER_KEY } }],
    },
  })
  const socket = new WebSocket(`${stopping.url.replace('http', 'ws')}/v1/realtime?model=gpt-realtime`, {
    headers: HEADERS,
  })
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  const closed = closeOf(socket)
  // Nothing is under way: that is no reason to wait.
  await stopping.gateway.drain(60_000)
  expect((await closed).code).toBe(1001)
  await eventually(() => closes.some(({ code }) => code === 1001), 'the provider hears of it')
  expect(stopping.gateway.calls.running).toBe(0)
  await stopping.record(({ outcome }) => outcome === 'completed')
  await stopping.close()
})

describe('what is no WebSocket is an answer of HTTP', () => {
  const handshake = async (
    headers: Readonly<Record<string, string>>,
    path = '/v1/realtime?model=gpt-realtime',
  ): Promise<string> => {
    const wire = await openWire(Number(new URL(gateway.url).port))
    const lines = Object.entries({
      host: 'weir',
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      ...headers,
    })
    wire.write(`GET ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`)
    await wire.until((received) => /\r\n\r\n./.test(received) || received.startsWith('HTTP/1.1 101'))
    wire.leave()
    return wire.received
  }

  test('somebody unknown', async () => {
    expect(await handshake({ 'x-gateway-api-key': 'nobody' })).toStartWith('HTTP/1.1 401 ')
    expect(seen).toEqual([])
  })

  test('a provider that refuses is heard', async () => {
    refuse = () => Response.json({ error: { message: 'no such model' } }, { status: 404 })
    const answer = await handshake(HEADERS)
    expect(answer).toStartWith('HTTP/1.1 404 ')
    expect(answer).toContain('no such model')
  })

  test('a provider that answers with something else', async () => {
    refuse = () => Response.json({ ok: true })
    expect(await handshake(HEADERS)).toStartWith('HTTP/1.1 502 ')
  })

  test('another protocol', async () => {
    const answer = await handshake({ ...HEADERS, upgrade: 'h2c' })
    expect(answer).toStartWith('HTTP/1.1 501 ')
    expect(answer).toContain('websocket_unsupported')
    expect(seen).toEqual([])
  })

  test('a host that calls may not reach', async () => {
    const headers = { ...HEADERS, 'x-gateway-custom-host': 'http://169.254.169.254', authorization: 'Bearer mine' }
    expect(await handshake(headers)).toContain('egress_refused')
  })
})

describe('the usage of a session', () => {
  const done = (input: number, output: number, sound: number): string =>
    JSON.stringify({
      type: 'response.done',
      response: {
        object: 'realtime.response',
        status: 'completed',
        usage: {
          total_tokens: input + output,
          input_tokens: input,
          output_tokens: output,
          input_token_details: { text_tokens: input, audio_tokens: 0, cached_tokens: 0 },
          output_token_details: { text_tokens: output - sound, audio_tokens: sound },
        },
      },
    })

  /** What the provider answers to each message in turn, and what the client gets. */
  const talk = async (answers: readonly string[]): Promise<readonly unknown[]> => {
    const left = [...answers]
    onMessage = (socket) => {
      socket.sendText(left.shift() ?? '')
    }
    const socket = await open()
    const came: unknown[] = []
    for (const _ of answers) {
      const answer = next(socket)
      socket.send('{"type":"response.create"}')
      came.push(await answer)
    }
    socket.close()
    return came
  }

  test('is that of its responses, each with a record and a price of its own', async () => {
    const answers = [
      '{"type":"response.created","response":{"usage":null}}',
      done(100, 40, 30),
      // What somebody says about the words is no end, nor is what cannot be read.
      '{"type":"response.output_text.delta","delta":"\\"response.done\\" has \\"usage\\"","usage":{"input_tokens":9,"output_tokens":9}}',
      '{"type":"response.done","response":{"usage":',
      done(200, 10, 0),
    ]
    expect(await talk(answers)).toEqual(answers)
    const record = await gateway.record(({ status }) => status === 101)
    expect(record).toMatchObject({ route: '/v1/realtime', outcome: 'completed' })
    expect([record.usage, record.cost_usd]).toEqual([undefined, undefined])
    const responses = gateway.records.filter(({ call_id: of }) => of === record.id)
    expect(responses.map(({ usage }) => usage)).toEqual([
      { input_tokens: 100, output_tokens: 40, total_tokens: 140, cached_input_tokens: 0 },
      { input_tokens: 200, output_tokens: 10, total_tokens: 210, cached_input_tokens: 0 },
    ])
    // 4 a million in; 16 out, of which 30 tokens of sound at 64.
    expect(responses.map(({ cost_usd: cost }) => cost)).toEqual([0.002_48, 0.000_96])
  })

  test('is none where no response has ended', async () => {
    await talk(['{"type":"session.updated","session":{}}'])
    const record = await gateway.record(({ status }) => status === 101)
    expect([record.usage, record.cost_usd, record.unpriced]).toEqual([undefined, undefined, undefined])
  })
})
