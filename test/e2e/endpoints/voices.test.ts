import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import OpenAI, { toFile } from 'openai'
import { jsonPlan, type Plan } from '../../../plugins/providers/mock/plan.ts'
import { type MockServer, startMockServer } from '../../../plugins/providers/mock/server.ts'
import { loadFixtures } from '../../../src/kit/testing/fixture.ts'
import { API_KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts'

/** A provider of voices: what it is asked with, and what it gives for a recorded case. */
const PROVIDERS = {
  elevenlabs: {
    key: ['xi-api-key', 'provider-key-1'],
    hears: { model: 'scribe_v2', path: '/speech-to-text', isForm: true },
    says: {
      model: 'eleven_flash_v2_5',
      path: '/text-to-speech/SAz9YHcvj6GT2YYXdXww/stream?output_format=mp3_44100_128',
      body: { model_id: 'eleven_flash_v2_5', text: 'Hello' },
    },
    plain: { case: 'transcriptions', text: 'Hello world!', duration: 1.2, segments: 1, words: 2 },
    refusal: { case: 'error-400', status: 400, code: 'invalid_parameters' },
  },
  deepgram: {
    key: ['authorization', 'Token provider-key-1'],
    hears: { model: 'nova-3', path: '/listen', isForm: false },
    says: {
      model: 'aura-2',
      path: '/speak?model=aura-2-thalia-en&encoding=mp3',
      body: { text: 'Hello' },
    },
    plain: { case: 'transcriptions', text: 'We, the people', duration: 19.097937, segments: 1, words: 3 },
    refusal: { case: 'error-401', status: 401, code: 'INVALID_AUTH' },
  },
} as const
type ProviderName = keyof typeof PROVIDERS
const NAMES: readonly ProviderName[] = ['elevenlabs', 'deepgram']

interface Upstream {
  readonly server: MockServer
  plan: Plan
}

const SOUND = new Uint8Array(20_000).map((_, index) => index % 251)
const sound = (intervalMs = 0): Plan => ({
  head: { status: 200, headers: { 'content-type': 'audio/mpeg' } },
  pieces: [SOUND.slice(0, 10_000), SOUND.slice(10_000)],
  ending: 'end',
  intervalMs,
})

const startUpstream = async (): Promise<Upstream> => {
  const upstream: { plan: Plan; server?: MockServer } = { plan: sound() }
  const server = await startMockServer({ maxRecorded: 1, answer: () => upstream.plan })
  return Object.assign(upstream, { server })
}

const upstreams = new Map<ProviderName, Upstream>()
let gateway: TestGateway
beforeAll(async () => {
  for (const name of NAMES) upstreams.set(name, await startUpstream())
  gateway = await startTestGateway({
    config: {
      plugins: [
        'defaults',
        ...NAMES.map((name) => ({ [name]: { baseURL: upstreamOf(name).server.url, apiKey: 'provider-key-1' } })),
      ],
    },
  })
})
afterAll(async () => {
  await gateway.close()
  for (const { server } of upstreams.values()) await server.close()
})

const upstreamOf = (name: ProviderName): Upstream => {
  const upstream = upstreams.get(name)
  if (upstream === undefined) throw new Error(`${name} does not run`)
  return upstream
}

/** The case of this name is what comes next. */
const play = (name: ProviderName, recorded: string): void => {
  const folder = new URL(`../../../plugins/providers/${name}/fixtures/`, import.meta.url)
  const found = loadFixtures(folder).find((each) => each.name === recorded)
  if (found === undefined) throw new Error(`${name} has no fixture ${recorded}`)
  upstreamOf(name).plan = jsonPlan(found.fixture.status ?? 200, found.fixture.answer)
}

const lastOf = (name: ProviderName) => {
  const [request] = upstreamOf(name).server.requests
  if (request === undefined) throw new Error('nothing has arrived')
  return request
}

const client = (provider: string): OpenAI =>
  new OpenAI({
    baseURL: `${gateway.url}/v1`,
    apiKey: API_KEY,
    maxRetries: 0,
    defaultHeaders: { 'x-gateway-provider': provider },
  })

const file = () => toFile(Buffer.from('RIFF-some-sound'), 'hello.wav', { type: 'audio/wav' })

describe.each(NAMES)('%s hears', (name) => {
  const { key, hears, plain, refusal } = PROVIDERS[name]
  const { model } = hears

  test('a file, which goes on in its own form', async () => {
    play(name, plain.case)
    const { text, usage } = await client(name).audio.transcriptions.create({ file: await file(), model })
    expect(text).toStartWith(plain.text)
    expect(usage).toEqual({ type: 'duration', seconds: Math.ceil(plain.duration) })
    const { path, headers, body } = lastOf(name)
    expect(path).toStartWith(hears.path)
    expect(headers.get(key[0])).toBe(key[1])
    const type = headers.get('content-type') ?? ''
    if (hears.isForm) {
      expect(type).toStartWith('multipart/form-data')
      const form = await new Response(body, { headers: { 'content-type': type } }).formData()
      expect([form.get('model_id'), (form.get('file') as File).name]).toEqual([model, 'hello.wav'])
    } else {
      expect([type, Buffer.from(body).toString()]).toEqual(['audio/wav', 'RIFF-some-sound'])
    }
  })

  test('and tells the times', async () => {
    play(name, plain.case)
    const verbose = await client(name).audio.transcriptions.create({
      file: await file(),
      model,
      response_format: 'verbose_json',
      timestamp_granularities: ['word', 'segment'],
    })
    expect(verbose).toMatchObject({ duration: plain.duration })
    expect([verbose.segments?.length, verbose.words?.length]).toEqual([plain.segments, plain.words])
  })

  test.each(['text', 'srt', 'vtt'] as const)('and writes %s', async (format) => {
    play(name, plain.case)
    const text = await client(name).audio.transcriptions.create({ file: await file(), model, response_format: format })
    const head = { text: '', srt: '1\n00:00:00,', vtt: 'WEBVTT\n\n00:00:00.' }[format]
    expect(String(text)).toStartWith(head)
    expect(String(text)).toContain(plain.text)
  })

  test('and answers with events', async () => {
    play(name, plain.case)
    const stream = await client(name).audio.transcriptions.create({ file: await file(), model, stream: true })
    let said = ''
    let whole: string | undefined
    for await (const event of stream) {
      if (event.type === 'transcript.text.delta') said += event.delta
      if (event.type === 'transcript.text.done') whole = event.text
    }
    expect(said).toStartWith(plain.text)
    expect(whole).toBe(said)
  })

  test('and says why it does not', async () => {
    play(name, refusal.case)
    const refused = await client(name)
      .audio.transcriptions.create({ file: await file(), model })
      .catch((error: unknown) => error)
    expect(refused).toMatchObject({ status: refusal.status, code: refusal.code })
  })
})

describe.each(NAMES)('%s says', (name) => {
  const { key, says } = PROVIDERS[name]
  const asked = { model: says.model, input: 'Hello', voice: 'alloy' } as const

  test('a text, as it comes', async () => {
    upstreamOf(name).plan = sound(200)
    const response = await client(name).audio.speech.create(asked)
    expect(response.headers.get('content-type')).toBe('audio/mpeg')
    const pieces: Uint8Array[] = []
    const times: number[] = []
    for await (const piece of response.body ?? []) {
      pieces.push(piece)
      times.push(performance.now())
    }
    expect(Buffer.concat(pieces).equals(Buffer.from(SOUND))).toBe(true)
    // The first of it was here long before the last.
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(100)
    const { path, headers, body } = lastOf(name)
    expect(path).toBe(says.path)
    expect(headers.get(key[0])).toBe(key[1])
    expect(JSON.parse(new TextDecoder().decode(body))).toEqual(says.body)
  })

  test('a text as events', async () => {
    upstreamOf(name).plan = sound()
    const response = await client(name).audio.speech.create({ ...asked, stream_format: 'sse' })
    const events = (await response.text())
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line): { type: string; audio?: string } => JSON.parse(line.slice('data: '.length)))
    expect(Buffer.from(events.map(({ audio = '' }) => audio).join(''), 'base64').equals(Buffer.from(SOUND))).toBe(true)
    expect(events.at(-1)?.type).toBe('speech.audio.done')
    expect(lastOf(name).headers.get('accept')).toBe('*/*')
  })

  test('and a voice that is no name is refused before it is asked', async () => {
    const refused = await client(name)
      .audio.speech.create({ ...asked, voice: '' })
      .catch((error: unknown) => error)
    expect(refused).toMatchObject({ status: 400, param: 'voice' })
  })
})

test.each(['..', '.'])('a voice that would be another path is refused: %s', async (voice) => {
  const refused = await client('elevenlabs')
    .audio.speech.create({ model: 'eleven_v3', input: 'Hello', voice })
    .catch((error: unknown) => error)
  expect(refused).toMatchObject({ status: 400, param: 'voice' })
})

test('what is lost is named', async () => {
  upstreamOf('deepgram').plan = sound()
  const { headers } = await client('deepgram').audio.speech.create({
    model: 'aura-2',
    input: 'Hello',
    voice: 'onyx',
    instructions: 'Whisper',
  })
  expect(headers.get('x-gateway-dropped-params')).toBe('voice, instructions')
})

test('the lists of models', async () => {
  for (const name of NAMES) {
    play(name, 'models')
    const { data } = await client(name).models.list()
    expect(data.map(({ owned_by: owner }) => owner)).toContain(name)
  }
})
