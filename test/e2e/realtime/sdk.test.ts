import { afterAll, beforeAll, expect, test } from 'bun:test'
import OpenAI from 'openai'
import { OpenAIRealtimeWebSocket } from 'openai/realtime/websocket'
import type { RealtimeServerEvent } from 'openai/resources/realtime/realtime'
import { API_KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts'

/** The client asks for TLS, whatever its base URL says. */
class PlainWebSocket extends WebSocket {
  constructor(url: string | URL, protocols?: string | string[]) {
    super(String(url).replace('wss:', 'ws:'), protocols)
  }
}

let gateway: TestGateway
let client: OpenAI
const native = globalThis.WebSocket
beforeAll(async () => {
  gateway = await startTestGateway()
  client = new OpenAI({ apiKey: API_KEY, baseURL: `${gateway.url}/v1` })
  Object.assign(globalThis, { WebSocket: PlainWebSocket })
})
afterAll(async () => {
  Object.assign(globalThis, { WebSocket: native })
  await gateway.close()
})

const connect = async (): Promise<OpenAIRealtimeWebSocket> => {
  const realtime = new OpenAIRealtimeWebSocket({ model: '@mock/mock-realtime' }, client)
  await new Promise((resolve) => realtime.on('session.created', resolve))
  return realtime
}

/** All events up to the end of a response. */
const untilDone = (realtime: OpenAIRealtimeWebSocket): Promise<readonly RealtimeServerEvent[]> =>
  new Promise((resolve, reject) => {
    const events: RealtimeServerEvent[] = []
    const take = (event: RealtimeServerEvent): void => {
      events.push(event)
      if (event.type !== 'response.done') return
      realtime.off('event', take)
      resolve(events)
    }
    realtime.on('event', take)
    realtime.on('error', reject)
  })

const say = (realtime: OpenAIRealtimeWebSocket, text: string): void => {
  realtime.send({
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
  })
}

test('the official client of OpenAI talks with the mock, in text', async () => {
  const realtime = await connect()
  realtime.send({ type: 'session.update', session: { type: 'realtime', output_modalities: ['text'] } })
  say(realtime, 'Good morning')
  const events = untilDone(realtime)
  realtime.send({ type: 'response.create' })
  const deltas = (await events).flatMap((event) => (event.type === 'response.output_text.delta' ? [event.delta] : []))
  expect(deltas.join('')).toBe('Mock answer to: Good morning')
  expect(deltas.length).toBeGreaterThan(1)
  realtime.close()
})

test('in sound, with what it says as text beside it', async () => {
  const realtime = await connect()
  for (let piece = 0; piece < 3; piece++) {
    realtime.send({ type: 'input_audio_buffer.append', audio: Buffer.alloc(4_800).toString('base64') })
  }
  realtime.send({ type: 'input_audio_buffer.commit' })
  const events = untilDone(realtime)
  realtime.send({ type: 'response.create' })
  const all = await events
  const sound = all.flatMap((event) => (event.type === 'response.output_audio.delta' ? [event.delta] : []))
  expect(sound.length).toBeGreaterThan(1)
  expect(sound.every((delta) => Buffer.from(delta, 'base64').length === 960)).toBe(true)
  const [transcript] = all.flatMap((event) =>
    event.type === 'response.output_audio_transcript.done' ? [event.transcript] : [],
  )
  expect(transcript).toBe('Mock answer to: 300 ms of sound')
  const done = all.find((event) => event.type === 'response.done')
  expect(done?.response.usage?.output_token_details?.audio_tokens).toBe(sound.length * 5)
  realtime.close()
})

test('with a function, whose result it answers with', async () => {
  const realtime = await connect()
  const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  realtime.send({
    type: 'session.update',
    session: {
      type: 'realtime',
      output_modalities: ['text'],
      tools: [{ type: 'function', name: 'weather', description: 'Tells the weather.', parameters }],
    },
  })
  say(realtime, 'How is the weather?')
  const asked = untilDone(realtime)
  realtime.send({ type: 'response.create' })
  const call = (await asked).find((event) => event.type === 'response.function_call_arguments.done')
  expect(call?.name).toBe('weather')
  expect(JSON.parse(call?.arguments ?? '')).toHaveProperty('city')
  const answered = untilDone(realtime)
  realtime.send({
    type: 'conversation.item.create',
    item: { type: 'function_call_output', call_id: call?.call_id ?? '', output: 'sunny' },
  })
  realtime.send({ type: 'response.create' })
  const text = (await answered).flatMap((event) => (event.type === 'response.output_text.done' ? [event.text] : []))
  expect(text).toEqual(['Mock answer from 1 tool result: sunny'])
  realtime.close()
})

test('errors of the provider are events, and the session goes on', async () => {
  const realtime = await connect()
  const failed = new Promise<{ message: string }>((resolve) => realtime.on('error', resolve))
  realtime.send({ type: 'response.cancel' })
  expect((await failed).message).toContain('response_cancel_not_active')
  expect(realtime.socket.readyState).toBe(WebSocket.OPEN)
  realtime.close()
})

test('secrets for browsers, and calls of WebRTC, are asked for over HTTP', async () => {
  const secret = await client.realtime.clientSecrets.create({
    session: { type: 'realtime', model: '@mock/mock-realtime', instructions: 'Be kind.' },
  })
  expect(secret.value).toStartWith('ek_mock_')
  expect(secret.session).toMatchObject({ model: 'mock-realtime', instructions: 'Be kind.' })
  const call = await client.realtime.calls.create({
    sdp: 'v=0\r\n',
    session: { type: 'realtime', model: '@mock/mock-realtime' },
  })
  expect(call.status).toBe(201)
  expect(call.headers.get('location')).toBe('/v1/realtime/calls/rtc_mock')
  expect(await call.text()).toStartWith('v=0')
  const record = await gateway.record(({ route }) => route === '/v1/realtime/calls')
  expect(record).toMatchObject({ provider: 'mock', model: 'mock-realtime' })
})
