import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { API_KEY } from '../../support/gateway.ts'
import { PROVIDER_KEY, type Scene, startScene } from './support/upstream.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene({ config: { server: { keepAliveMs: 20 } } })
})
afterAll(() => scene.close())

const EVENTS: readonly string[] = [
  'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":11,"output_tokens":1}}}\n\n',
  'event: content_block_delta\ndata: {"delta":{"text":"\u00fc\u{1f600}"}}\n\n',
  ': a comment\n\n',
  'event: message_delta\ndata: {"usage":{"output_tokens":7}}\r\n\r\n',
  'event: message_stop\ndata: {"type":"message_stop"}\n\n',
]

/** A stream in these pieces, with a pause before each, and then its end or a break. */
const streaming = (pieces: readonly Uint8Array[], { pauseMs = 0, breaks = false } = {}): Response =>
  new Response(
    new ReadableStream<Uint8Array>({
      async start(controller) {
        for (const piece of pieces) {
          if (pauseMs > 0) await Bun.sleep(pauseMs)
          controller.enqueue(piece)
        }
        if (!breaks) return controller.close()
        await Bun.sleep(50)
        controller.error()
      },
    }),
    { headers: { 'content-type': 'text/event-stream' } },
  )

const whole = new TextEncoder().encode(EVENTS.join(''))
const ask = () => scene.call('POST', '/v1/gateway/messages', { body: '{"model":"claude","stream":true,"messages":[]}' })
const recordOf = (headers: Headers) => scene.gateway.record(({ id }) => id === headers.get('x-gateway-request-id'))

describe('a stream of events', () => {
  test('passes byte by byte, wherever it is cut, and its usage is read along', async () => {
    for (const size of [1, 2, 3, 7, 50, whole.length]) {
      const pieces: Uint8Array[] = []
      for (let at = 0; at < whole.length; at += size) pieces.push(whole.slice(at, at + size))
      scene.answer = () => streaming(pieces)
      const answer = await ask()
      expect(Buffer.compare(answer.bytes, whole)).toBe(0)
      const { usage, stream, outcome } = await recordOf(answer.headers)
      expect({ usage, stream, outcome }).toEqual({
        usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18 },
        stream: true,
        outcome: 'completed',
      })
    }
  })

  test('gets no comments of ours while it is silent', async () => {
    scene.answer = () =>
      streaming(
        EVENTS.map((event) => new TextEncoder().encode(event)),
        { pauseMs: 60 },
      )
    expect(Buffer.compare((await ask()).bytes, whole)).toBe(0)
  })

  test('that breaks breaks for the client too, and is logged as cut', async () => {
    scene.answer = () => streaming([whole.slice(0, 150)], { breaks: true })
    const response = await fetch(`${scene.gateway.url}/v1/gateway/messages`, {
      method: 'POST',
      headers: {
        'x-gateway-api-key': API_KEY,
        'x-gateway-provider': 'openai',
        authorization: `Bearer ${PROVIDER_KEY}`,
      },
      body: '{"model":"claude","stream":true}',
    })
    expect(response.status).toBe(200)
    expect(await response.text().catch(() => 'broken')).toBe('broken')
    const { outcome, error } = await recordOf(response.headers)
    expect([outcome, (error as { code: string }).code]).toEqual(['truncated', 'stream_truncated'])
  })

  test('without usage is counted by its events', async () => {
    scene.answer = () =>
      streaming(['data: {"a":1}\n\n', 'data: {"a":2}\n\n'].map((text) => new TextEncoder().encode(text)))
    const { headers } = await scene.call('POST', '/v1/some/stream', { body: '{"prompt":"123456789"}' })
    expect((await recordOf(headers)).usage).toEqual({
      input_tokens: 3,
      output_tokens: 2,
      total_tokens: 5,
      estimated: true,
    })
  })
})

test.each([
  ['chat', { usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } }, [3, 4, 7]],
  [
    'Responses',
    { usage: { input_tokens: 5, output_tokens: 2, input_tokens_details: { cached_tokens: 1 } } },
    [5, 2, 7],
  ],
  ['Messages', { usage: { input_tokens: 5, cache_read_input_tokens: 10, output_tokens: 2 } }, [15, 2, 17]],
  ['Gemini', { usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 6, totalTokenCount: 10 } }, [4, 6, 10]],
])('the usage of a whole answer is read: %s', async (_, body, [input, output, total]) => {
  scene.answer = () => Response.json(body)
  const { headers } = await scene.call('POST', '/v1/some/place', { body: '{}' })
  expect((await recordOf(headers)).usage).toMatchObject({
    input_tokens: input,
    output_tokens: output,
    total_tokens: total,
  })
})
