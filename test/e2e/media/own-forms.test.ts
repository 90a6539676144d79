import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import OpenAI, { toFile } from 'openai'
import { API_KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts'

/** What the provider was sent last. */
let sent: { path: string; headers: Headers; body: string } | undefined
/** What it answers. */
let answer: () => Response = () => Response.json({})

let gateway: TestGateway
let upstream: ReturnType<typeof Bun.serve>
beforeAll(async () => {
  upstream = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      sent = { path: pathname + search, headers: request.headers, body: await request.text() }
      return answer()
    },
  })
  const host = { baseURL: `http://127.0.0.1:${upstream.port}`, apiKey: 'sk-upstream' }
  gateway = await startTestGateway({ config: { plugins: ['defaults', { 'stability-ai': host }, { google: host }] } })
})
afterAll(async () => {
  await gateway.close()
  await upstream.stop(true)
})

const client = (provider: string, headers: Readonly<Record<string, string>> = {}): OpenAI =>
  new OpenAI({
    baseURL: `${gateway.url}/v1`,
    apiKey: API_KEY,
    maxRetries: 0,
    defaultHeaders: { 'x-gateway-provider': provider, ...headers },
  })
const picture = (name: string) => toFile(Buffer.from('PNG'), name, { type: 'image/png' })
const formSent = () =>
  new Response(sent?.body, { headers: { 'content-type': sent?.headers.get('content-type') ?? '' } }).formData()
const faultOf = (run: Promise<unknown>): Promise<unknown[]> =>
  run.then(
    () => [],
    ({ status, param, code }) => [status, param, code],
  )

describe('the openai client over Stability AI', () => {
  const images = () => client('stability-ai', { 'x-gateway-stability-client-id': 'my-awesome-app' }).images
  const made = () => Response.json({ image: 'UE5H', seed: 7, finish_reason: 'SUCCESS' })

  test('makes an image', async () => {
    answer = made
    const reply = await images().generate({ model: 'core', prompt: 'A lighthouse', size: '1536x1024' })
    expect(reply.data).toEqual([{ b64_json: 'UE5H' }])
    expect(sent?.path).toBe('/stable-image/generate/core')
    const names = ['authorization', 'accept', 'stability-client-id']
    expect(names.map((name) => sent?.headers.get(name))).toEqual([
      'Bearer sk-upstream',
      'application/json',
      'my-awesome-app',
    ])
    expect([...(await formSent())]).toEqual([
      ['prompt', 'A lighthouse'],
      ['aspect_ratio', '3:2'],
    ])
  })

  test('gets it as a stream', async () => {
    answer = made
    const stream = await images().generate({ model: 'core', prompt: 'x', stream: true })
    const events: unknown[] = []
    for await (const event of stream) events.push(event)
    expect(events).toMatchObject([{ type: 'image_generation.completed', b64_json: 'UE5H' }])
    expect(sent?.headers.get('accept')).toBe('application/json')
  })

  test('changes one', async () => {
    answer = made
    const request = {
      model: 'inpaint',
      image: await picture('cat.png'),
      mask: await picture('mask.png'),
      prompt: 'Hat',
    }
    const { data, response } = await images().edit(request).withResponse()
    expect(data.data).toEqual([{ b64_json: 'UE5H' }])
    expect(response.headers.get('x-gateway-dropped-params')).toBeNull()
    const form = await formSent()
    expect([form.get('prompt'), form.get('image'), form.get('mask')]).toMatchObject([
      'Hat',
      { name: 'cat.png', size: 3 },
      { name: 'mask.png', size: 3 },
    ])
  })

  test('is told what is wrong', async () => {
    answer = made
    const several = [await picture('a.png'), await picture('b.png')]
    expect(await faultOf(images().edit({ model: 'inpaint', image: several, prompt: 'x' }))).toEqual([
      400,
      'image',
      'invalid_request',
    ])
    const unknown = images().generate({ model: 'dall-e-3', prompt: 'x' })
    expect((await faultOf(unknown)).slice(0, 2)).toEqual([400, 'model'])
    const size = images().generate({ model: 'core', prompt: 'x', size: 'large' as 'auto' })
    expect((await faultOf(size)).slice(0, 2)).toEqual([400, 'size'])
    answer = () => Response.json({ image: 'UE5H', finish_reason: 'CONTENT_FILTERED' })
    const filtered = images().generate({ model: 'core', prompt: 'x' })
    expect(await faultOf(filtered)).toEqual([400, null, 'moderation_blocked'])
    answer = () => Response.json({ id: 'x', name: 'bad_request', errors: ['prompt: is required'] }, { status: 400 })
    expect(await faultOf(images().generate({ model: 'core', prompt: '' }))).toEqual([400, 'prompt', 'bad_request'])
  })
})

describe('the openai client over Google', () => {
  const png = { inlineData: { mimeType: 'image/png', data: 'UE5H' } }
  const samples = Buffer.from([0, 0, 1, 0])
  const sound = { inlineData: { mimeType: 'audio/L16;codec=pcm;rate=24000', data: samples.toString('base64') } }
  const usageMetadata = { promptTokenCount: 8, candidatesTokenCount: 48, totalTokenCount: 56 }
  const answerOf = (part: object) => () =>
    Response.json({ candidates: [{ content: { parts: [part] }, finishReason: 'STOP' }], usageMetadata })
  const { parse } = JSON

  test('makes an image, and changes several', async () => {
    answer = answerOf(png)
    const { images } = client('google')
    const made = await images.generate({ model: 'gemini-3.1-flash-image', prompt: 'A lake', size: '1024x1536' })
    expect(made).toMatchObject({ data: [{ b64_json: 'UE5H' }], usage: { total_tokens: 56 } })
    expect(sent?.path).toBe('/models/gemini-3.1-flash-image:generateContent')
    expect(parse(sent?.body ?? '').generationConfig.imageConfig).toEqual({ aspectRatio: '2:3' })
    const image = [await picture('cat.png'), await picture('hat.png')]
    const edited = await images.edit({ model: 'gemini-3.1-flash-image', image, prompt: 'Put it on', stream: true })
    const events: unknown[] = []
    for await (const event of edited) events.push(event)
    expect(events).toMatchObject([{ type: 'image_edit.completed', b64_json: 'UE5H', usage: { total_tokens: 56 } }])
    expect(parse(sent?.body ?? '').contents[0].parts).toEqual([png, png, { text: 'Put it on' }])
  })

  test('makes images by Imagen', async () => {
    answer = () => Response.json({ predictions: [{ bytesBase64Encoded: 'UE5H' }] })
    const made = await client('google').images.generate({ model: 'imagen-4.0-generate-001', prompt: 'A lake' })
    expect([sent?.path, made.data]).toEqual(['/models/imagen-4.0-generate-001:predict', [{ b64_json: 'UE5H' }]])
  })

  test('hears a text, as a file, as samples and as events', async () => {
    answer = answerOf(sound)
    const { speech } = client('google').audio
    const request = { model: 'gemini-3.8-flash-tts', input: 'Hello', voice: 'alloy', instructions: 'Calm.' } as const
    const said = await speech.create(request)
    expect(said.headers.get('content-type')).toBe('audio/wav')
    const file = Buffer.from(await said.arrayBuffer())
    expect([file.toString('latin1', 0, 4), file.length]).toEqual(['RIFF', 48])
    expect(parse(sent?.body ?? '').contents[0].parts[0].speechMetadata).toEqual({ style: 'Calm.' })
    const pcm = await speech.create({ ...request, response_format: 'pcm' })
    expect(Buffer.from(await pcm.arrayBuffer()).equals(samples)).toBe(true)
    const events = await (await speech.create({ ...request, response_format: 'pcm', stream_format: 'sse' })).text()
    const data = [...events.matchAll(/^data: (.+)$/gm)].map(([, text = '']) => parse(text))
    expect(data).toMatchObject([{ audio: samples.toString('base64') }, { type: 'speech.audio.done' }])
  })

  test('is told what was withheld, and what is no image or no sound', async () => {
    const { images, audio } = client('google')
    const image = () => images.generate({ model: 'gemini-3-pro-image', prompt: 'x' })
    answer = () => Response.json({ promptFeedback: { blockReason: 'SAFETY' } })
    expect(await faultOf(image())).toEqual([400, null, 'moderation_blocked'])
    answer = answerOf({ text: 'Which lake?' })
    expect((await faultOf(image()))[0]).toBe(502)
    const speech = audio.speech.create({ model: 'gemini-3.8-flash-tts', input: 'x', voice: 'Kore' })
    expect((await faultOf(speech))[0]).toBe(502)
    expect((await faultOf(images.generate({ model: 'gemini-3-pro-image', prompt: 'x', size: 'x' as 'auto' })))[0]).toBe(
      400,
    )
  })
})
