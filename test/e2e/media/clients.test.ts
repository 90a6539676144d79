import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import OpenAI, { toFile } from 'openai'
import { API_KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts'

/** What the provider was sent last. */
let sent: { path: string; type: string; bytes: Uint8Array } | undefined
/** What it answers. */
let answer: () => Response = () => Response.json({ text: 'Hello' })

let folder = ''
let gateway: TestGateway
let upstream: ReturnType<typeof Bun.serve>
beforeAll(async () => {
  upstream = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    maxRequestBodySize: 200_000_000,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      sent = { path: pathname, type: request.headers.get('content-type') ?? '', bytes: await request.bytes() }
      return answer()
    },
  })
  const baseURL = `http://127.0.0.1:${upstream.port}/v1`
  folder = await mkdtemp(join(tmpdir(), 'weir-forms-'))
  gateway = await startTestGateway({
    deps: { spoolFolder: folder },
    config: { plugins: ['defaults', 'mock', { openai: { baseURL, apiKey: 'sk-upstream' } }] },
  })
})
afterAll(async () => {
  await gateway.close()
  await upstream.stop(true)
  await rm(folder, { recursive: true })
})

const client = (provider: string): OpenAI =>
  new OpenAI({
    baseURL: `${gateway.url}/v1`,
    apiKey: API_KEY,
    maxRetries: 0,
    defaultHeaders: { 'x-gateway-provider': provider },
  })
const sound = () => toFile(Buffer.from('RIFF sound'), 'a.wav')
const picture = (name = 'a.png') => toFile(Buffer.from('PNG'), name, { type: 'image/png' })
const all = async <Item>(stream: AsyncIterable<Item>): Promise<Item[]> => {
  const items: Item[] = []
  for await (const item of stream) items.push(item)
  return items
}
const formSent = () =>
  new Response(Buffer.from(sent?.bytes ?? []), { headers: { 'content-type': sent?.type ?? '' } }).formData()

describe('the openai client over the mock', () => {
  const mock = () => client('mock')
  const SAID = 'I heard a.wav. It has 10 bytes.'

  test('makes, changes and varies images', async () => {
    const { images } = mock()
    const made = await images.generate({ model: 'mock-image', prompt: 'A cat', n: 2 })
    expect(made.data?.map(({ b64_json }) => Buffer.from(b64_json ?? '', 'base64').toString('latin1', 1, 4))).toEqual([
      'PNG',
      'PNG',
    ])
    expect(made.usage?.output_tokens).toBe(32)
    const edited = await images.edit({ image: [await picture(), await picture('b.png')], prompt: 'A hat' })
    expect(edited.usage?.input_tokens_details.image_tokens).toBe(32)
    const varied = await images.createVariation({ image: await picture(), response_format: 'url' })
    expect(varied.data?.[0]?.url).toStartWith('data:image/png;base64,')
  })

  test('gets partial images', async () => {
    const { images } = mock()
    const options = { prompt: 'A cat', stream: true, partial_images: 2 } as const
    const types = (await all(await images.generate({ model: 'mock-image', ...options }))).map(({ type }) => type)
    const partial = 'image_generation.partial_image'
    expect(types).toEqual([partial, partial, 'image_generation.completed'])
    const edited = await all(await images.edit({ image: await picture(), ...options }))
    expect(edited.at(-1)?.type).toBe('image_edit.completed')
  })

  test('hears a text, as sound and as events', async () => {
    const { speech } = mock().audio
    const request = { model: 'mock-speech', input: 'Hello you', voice: 'alloy', response_format: 'wav' } as const
    const said = await speech.create(request)
    expect(said.headers.get('content-type')).toBe('audio/wav')
    const bytes = Buffer.from(await said.arrayBuffer())
    expect(bytes.readUInt32LE(40)).toBe(bytes.length - 44)
    const events = await (await speech.create({ ...request, stream_format: 'sse' })).text()
    const data = [...events.matchAll(/^data: (.+)$/gm)].map(([, text = '']) => JSON.parse(text))
    expect(Buffer.concat(data.map(({ audio = '' }) => Buffer.from(audio, 'base64'))).equals(bytes)).toBe(true)
    expect(data.at(-1)).toMatchObject({ type: 'speech.audio.done', usage: { output_tokens: 2 } })
  })

  test('hears a minute of sound that nobody holds', async () => {
    const said = await client('mock').audio.speech.create({
      model: 'mock-speech:tokens=240',
      input: 'x',
      voice: 'alloy',
      response_format: 'pcm',
    })
    let pieces = 0
    let bytes = 0
    for await (const piece of said.body ?? []) {
      pieces++
      bytes += piece.length
    }
    expect(bytes).toBe(60 * 24_000 * 2)
    expect(pieces).toBeGreaterThan(10)
  })

  test('reads what is said, in each format', async () => {
    const { transcriptions, translations } = mock().audio
    const model = '@mock/mock-transcribe'
    const ask = async (format: 'json' | 'text' | 'srt' | 'vtt' | 'verbose_json') =>
      transcriptions.create({ file: await sound(), model, response_format: format })
    expect(await ask('json')).toMatchObject({ text: SAID, usage: { total_tokens: 21 } })
    expect<unknown>(await ask('text')).toBe(`${SAID}\n`)
    expect<unknown>(await ask('srt')).toStartWith('1\n00:00:00,000 --> 00:00:01,500\nI heard a.wav.\n\n2\n')
    expect<unknown>(await ask('vtt')).toStartWith('WEBVTT\n\n00:00:00.000 --> 00:00:01.500\n')
    expect(await ask('verbose_json')).toMatchObject({ text: SAID, duration: 3.5, segments: [{ id: 0 }, { id: 1 }] })
    const words = await transcriptions.create({
      file: await sound(),
      model,
      response_format: 'verbose_json',
      timestamp_granularities: ['word'],
    })
    expect(words.words).toHaveLength(7)
    const translated = await translations.create({ file: await sound(), model })
    expect(translated.text).toBe(SAID)
  })

  test('reads what is said, while it is said', async () => {
    const stream = await mock().audio.transcriptions.create({
      file: await sound(),
      model: 'mock-transcribe',
      stream: true,
    })
    const events = await all(stream)
    expect(events.map((event) => ('delta' in event ? event.delta : '')).join('')).toBe(SAID)
    expect(events.at(-1)).toMatchObject({ type: 'transcript.text.done', text: SAID })
  })

  test('is told what is wrong, by the name of the part', async () => {
    const fault = async (run: () => Promise<unknown>) => run().catch((thrown) => [thrown.status, thrown.param])
    const { audio, images } = mock()
    const model = 'mock-transcribe'
    expect(
      await fault(async () => audio.transcriptions.create({ file: await toFile(Buffer.from(''), 'a.wav'), model })),
    ).toEqual([400, 'file'])
    expect(
      await fault(async () =>
        images.edit({ image: await toFile(Buffer.from('x'), 'a.txt', { type: 'text/plain' }), prompt: 'x' }),
      ),
    ).toEqual([400, 'image'])
    const body = { file: await sound(), model, temperature: 'warm' as unknown as number }
    expect(await fault(() => audio.transcriptions.create(body))).toEqual([400, 'temperature'])
    expect(await fault(() => audio.speech.create({ model: 'mock-speech', input: '', voice: 'x' }))).toEqual([
      400,
      'input',
    ])
  })
})

describe('the openai client over a provider of this form', () => {
  const open = () => client('openai')

  test('sends a form that arrives byte for byte, but for its model', async () => {
    answer = () => Response.json({ text: 'Hello' })
    const reply = await open().audio.transcriptions.create({
      file: await sound(),
      model: '@openai/whisper-1',
      include: ['logprobs'],
      chunking_strategy: { type: 'server_vad', threshold: 0.5 },
    })
    expect(reply.text).toBe('Hello')
    const form = await formSent()
    expect([sent?.path, form.get('model'), form.getAll('include[]'), form.get('chunking_strategy[type]')]).toEqual([
      '/v1/audio/transcriptions',
      'whisper-1',
      ['logprobs'],
      'server_vad',
    ])
    const file = form.get('file')
    expect(file instanceof File ? [file.name, await file.text()] : file).toEqual(['a.wav', 'RIFF sound'])
  })

  test('has its parameters set by a config, as those of JSON', async () => {
    const config = JSON.stringify({
      provider: 'openai',
      override_params: { model: 'gpt-transcribe', temperature: 0.5 },
      drop_params: ['prompt'],
    })
    const headers = { 'x-gateway-config': config }
    await open().audio.transcriptions.create({ file: await sound(), model: 'x', prompt: 'y' }, { headers })
    const form = await formSent()
    expect([form.get('model'), form.get('temperature'), form.has('prompt')]).toEqual(['gpt-transcribe', '0.5', false])
  })

  test('hears from the next target, which gets the whole form', async () => {
    answer = () => new Response('{"error":{"message":"busy"}}', { status: 503 })
    const config = JSON.stringify({
      strategy: { mode: 'fallback' },
      targets: [{ provider: 'openai' }, { provider: 'mock', override_params: { model: 'mock-transcribe' } }],
    })
    const headers = { 'x-gateway-config': config }
    const reply = await open().audio.transcriptions.create({ file: await sound(), model: 'whisper-1' }, { headers })
    expect(reply.text).toBe('I heard a.wav. It has 10 bytes.')
    answer = () => Response.json({ text: 'Hello' })
  })

  test('gets subtitles of a host that only has JSON, and a stream of one that answers whole', async () => {
    answer = () => Response.json({ text: 'Hello', segments: [{ start: 0, end: 1.25, text: ' Hello' }] })
    const request = { file: await sound(), model: 'whisper-1' }
    const srt = await open().audio.transcriptions.create({ ...request, response_format: 'srt' })
    expect<unknown>(srt).toBe('1\n00:00:00,000 --> 00:00:01,250\nHello\n\n')
    const events = await all(await open().audio.transcriptions.create({ ...request, stream: true }))
    expect(events.at(-1)).toEqual({ type: 'transcript.text.done', text: 'Hello' })
  })

  test('is told of an image stream that is cut off, and of sound that is none', async () => {
    const event =
      'event: image_generation.partial_image\ndata: {"type":"image_generation.partial_image","b64_json":"x"}\n\n'
    answer = () => new Response(event, { headers: { 'content-type': 'text/event-stream' } })
    const stream = await open().images.generate({ model: 'gpt-image-2', prompt: 'x', stream: true })
    await expect(all(stream)).rejects.toThrow()
    answer = () => new Response('', { headers: { 'content-type': 'audio/mpeg' } })
    const speech = open().audio.speech.create({ model: 'tts-1', input: 'x', voice: 'alloy' })
    expect(await speech.catch(({ status }) => status)).toBe(502)
  })

  test('sends 25 MB with the model behind the file', async () => {
    answer = () => Response.json({ text: 'Hello' })
    const content = Buffer.alloc(25_000_000, 'sound')
    const file = await toFile(content, 'long.wav')
    const reply = await open().audio.transcriptions.create({ file, model: '@openai/whisper-1' })
    expect(reply.text).toBe('Hello')
    const arrived = Buffer.from(sent?.bytes ?? [])
    expect(arrived.includes(content.subarray(0, 1_000_000))).toBe(true)
    expect(arrived.includes('@openai')).toBe(false)
    expect(arrived.length).toBeGreaterThan(content.length)
    // What it was kept in has no name.
    expect(await readdir(folder)).toEqual([])
  }, 30_000)

  test('is told that a form is too large, where none is kept', async () => {
    const strict = await startTestGateway({ config: { server: { maxBodyBytes: 100_000 } } })
    const headers = { 'x-gateway-provider': 'mock' }
    const { audio } = new OpenAI({
      baseURL: `${strict.url}/v1`,
      apiKey: API_KEY,
      maxRetries: 0,
      defaultHeaders: headers,
    })
    const file = await toFile(Buffer.alloc(300_000, 'sound'), 'a.wav')
    const refused = await audio.transcriptions.create({ file, model: 'mock-transcribe' }).catch((thrown) => thrown)
    expect([refused.status, refused.code]).toEqual([413, 'body_too_large'])
    await strict.close()
  })
})
