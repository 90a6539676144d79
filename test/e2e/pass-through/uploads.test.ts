import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { API_KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts'
import { eventually, openWire, type Wire } from '../faults/support/wire.ts'
import { answerWith, type Sink, startSink, type Upload } from './support/sink.ts'

const MAX_BODY_BYTES = 200_000
const MAX_UPLOAD_BYTES = 40_000_000
const MAX_SPOOL_BYTES = 5_000_000
const TIMEOUT_MS = 400

let sink: Sink
let gateway: TestGateway
let spoolFolder: string
beforeAll(async () => {
  spoolFolder = await mkdtemp(join(tmpdir(), 'weir-spool-'))
})
afterAll(() => rm(spoolFolder, { recursive: true }))
beforeEach(async () => {
  sink = await startSink()
  gateway = await startTestGateway({
    config: {
      server: {
        maxBodyBytes: MAX_BODY_BYTES,
        maxUploadBytes: MAX_UPLOAD_BYTES,
        maxSpoolBytes: MAX_SPOOL_BYTES,
        bodyTimeoutMs: TIMEOUT_MS,
      },
      plugins: ['defaults', { openai: { baseURL: `http://127.0.0.1:${sink.port}/v1` } }, { route: { retryBaseMs: 1 } }],
    },
    deps: { spoolFolder },
  })
})
afterEach(async () => {
  await gateway.close()
  await sink.close()
})

const noise = (length: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(length)
  for (let at = 0; at < length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536))
  return bytes
}
const hashOf = (bytes: Uint8Array): string => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')

const headersFor = (type: string, more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  'x-gateway-api-key': API_KEY,
  'x-gateway-provider': 'openai',
  authorization: 'Bearer sk-provider-key-0123456789',
  'content-type': type,
  ...more,
})

const upload = async (
  body: Uint8Array<ArrayBuffer> | ReadableStream,
  headers: Readonly<Record<string, string>>,
  path = '/v1/uploads',
): Promise<{ status: number; text: string; headers: Headers }> => {
  const response = await fetch(`${gateway.url}${path}`, { method: 'POST', headers, body })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

const only = (): Upload => {
  const [first, ...others] = sink.uploads
  if (first === undefined || others.length > 0) throw new Error(`${sink.uploads.length} uploads instead of one`)
  return first
}

const BYTES = 'application/octet-stream'
/** So long that no noise has it. */
const MARK = '--boundary-of-a-form'
const FORM = `multipart/form-data; boundary=${MARK.slice(2)}`
const field = (name: string, value: string): string =>
  `${MARK}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const FILE_HEAD = `${MARK}\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\nContent-Type: audio/wav\r\n\r\n`
const form = (...parts: readonly (string | Uint8Array)[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.concat([...parts, `${MARK}--\r\n`].map((part) => Buffer.from(part))))
const file = (bytes: Uint8Array): readonly (string | Uint8Array)[] => [FILE_HEAD, bytes, '\r\n']

/** Sends the head of an upload, and gives the wire for the rest. */
const begin = async (length: number, type = BYTES, more: Readonly<Record<string, string>> = {}): Promise<Wire> => {
  const wire = await openWire(Number(new URL(gateway.url).port))
  const headers = { host: 'weir', 'content-length': String(length), ...headersFor(type, more) }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  wire.write(`POST /v1/uploads HTTP/1.1\r\n${lines.join('')}\r\n`)
  return wire
}

describe('bytes pass, whatever their number', () => {
  test.each([70_000, 3_000_000, 30_000_000])('%i bytes, with their length', async (length) => {
    const bytes = noise(length)
    expect((await upload(bytes, headersFor(BYTES))).status).toBe(200)
    expect(only()).toMatchObject({ bytes: length, hash: hashOf(bytes) })
    expect(only().head).toContain(`\r\ncontent-type: ${BYTES}\r\n`)
    const record = await gateway.record(({ route }) => route === '/v1/*')
    expect(record).toMatchObject({ outcome: 'completed', status: 200 })
  })

  test('of a length that nobody said', async () => {
    const got = Promise.withResolvers<string>()
    const provider = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        const hasher = new Bun.CryptoHasher('sha256')
        for await (const piece of request.body ?? []) hasher.update(piece)
        got.resolve(`${request.headers.get('content-length')} ${hasher.digest('hex')}`)
        return Response.json({ ok: true })
      },
    })
    const bytes = noise(1_000_000)
    const body = new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 100_000) controller.enqueue(bytes.subarray(at, at + 100_000))
        controller.close()
      },
    })
    const more = { 'x-gateway-custom-host': `http://127.0.0.1:${provider.port}/v1` }
    expect((await upload(body, headersFor(BYTES, more))).status).toBe(200)
    expect(await got.promise).toBe(`null ${hashOf(bytes)}`)
    await provider.stop(true)
  })

  test('but no more than the operator allows', async () => {
    const wire = await begin(MAX_UPLOAD_BYTES + 1)
    await wire.until((received) => received.startsWith('HTTP/1.1 413 ') && received.includes('"body_too_large"'))
    const large = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(1_000_000))
      },
    })
    const chunked = await upload(large, headersFor(BYTES, { 'x-gateway-custom-host': `http://127.0.0.1:${sink.port}` }))
    expect([chunked.status, JSON.parse(chunked.text).error.code]).toEqual([413, 'body_too_large'])
  })

  test('JSON is still read as a whole', async () => {
    const large = Buffer.from(JSON.stringify({ model: 'x', input: 'y'.repeat(MAX_BODY_BYTES) }))
    expect((await upload(Uint8Array.from(large), headersFor('application/json'))).status).toBe(413)
    expect(sink.uploads).toEqual([])
  })
})

describe('nothing of an upload is read', () => {
  test('for somebody unknown', async () => {
    const wire = await begin(10_000_000, BYTES, { 'x-gateway-api-key': 'nobody', authorization: '' })
    await wire.until((received) => received.startsWith('HTTP/1.1 401 '))
    await wire.closed()
    expect(wire.received.toLowerCase()).toContain('\r\nconnection: close\r\n')
    expect(sink.uploads).toEqual([])
  })

  test('before it is known where it goes', async () => {
    const wire = await begin(10_000_000, BYTES, { 'x-gateway-provider': 'nobody' })
    await wire.until((received) => received.startsWith('HTTP/1.1 400 ') && received.includes('unknown_provider'))
    wire.leave()
  })

  test('when it is compressed, which nobody could measure', async () => {
    const answer = await upload(noise(100_000), headersFor(BYTES, { 'content-encoding': 'gzip' }))
    expect([answer.status, JSON.parse(answer.text).error.param]).toEqual([400, 'content-encoding'])
  })
})

describe('a large form', () => {
  const bytes = noise(3_000_000)

  test('goes on byte for byte, and its model is known from the fields in front of the file', async () => {
    const body = form(field('purpose', 'x'), field('model', 'whisper-1'), ...file(bytes), field('language', 'en'))
    expect((await upload(body, headersFor(FORM), '/v1/audio/transcriptions')).status).toBe(200)
    expect(only().hash).toBe(hashOf(body))
    await gateway.record(({ model }) => model === 'whisper-1')
  })

  test('names the provider in its model, which the provider does not see', async () => {
    const sent = form(field('model', '@openai/whisper-1'), ...file(bytes))
    const { 'x-gateway-provider': _, ...headers } = headersFor(FORM)
    expect((await upload(sent, headers)).status).toBe(200)
    expect(only().hash).toBe(hashOf(form(field('model', 'whisper-1'), ...file(bytes))))
  })

  test('needs no model', async () => {
    const body = form(field('purpose', 'batch'), ...file(bytes))
    expect((await upload(body, headersFor(FORM))).status).toBe(200)
    expect(only().hash).toBe(hashOf(body))
  })

  test.each<[string, Uint8Array<ArrayBuffer>]>([
    ['a model behind its file', form(...file(bytes), field('model', 'm'))],
    ['a second model behind its file', form(field('model', 'm'), ...file(bytes), field('Model', 'm'))],
    ['another form inside', form(field('model', 'm'), ...file(Buffer.concat([bytes, Buffer.from(`\n${MARK}\r\n`)])))],
    ['no end', form(field('model', 'm'), ...file(bytes)).slice(0, -6)],
  ])('with %s is refused, and never whole at the provider', async (_what, body) => {
    const answer = await upload(body, headersFor(FORM))
    expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([400, 'invalid_request'])
    expect(only().hash).toBeUndefined()
    await eventually(() => only().broken === true, 'the request to the provider is broken off')
  })

  test('that is small enough is read whole: its model may stand anywhere', async () => {
    const body = form(...file(noise(100_000)), field('model', 'whisper-1'))
    expect((await upload(body, headersFor(FORM))).status).toBe(200)
    expect(only().hash).toBe(hashOf(body))
    await gateway.record(({ model }) => model === 'whisper-1')
  })
})

describe('an upload and its attempts', () => {
  const RETRY = JSON.stringify({ provider: 'openai', retry: { attempts: 2, on_status_codes: [503] } })

  test.each([
    ['kept in a file, is sent again', 3_000_000, RETRY, 2, 200],
    ['too large to be kept, is sent once', MAX_SPOOL_BYTES + 1_000_000, RETRY, 1, 503],
    ['that nobody would repeat, is not kept', 3_000_000, '{"provider":"openai"}', 1, 503],
  ])('%s', async (_what, length, config, times, status) => {
    sink.status = (_upload, turn) => (turn === 1 ? 503 : 200)
    const bytes = noise(length)
    const { 'x-gateway-provider': _, ...headers } = headersFor(BYTES, { 'x-gateway-config': config })
    expect((await upload(bytes, headers)).status).toBe(status)
    expect(sink.uploads.map(({ hash }) => hash)).toEqual(Array<string>(times).fill(hashOf(bytes)))
  })

  test('one target refuses it half-way, the next gets all of it', async () => {
    sink.onHead = (_upload, socket) => {
      if (sink.uploads.length === 1) setTimeout(() => socket.write(answerWith(500)), 50)
    }
    const bytes = noise(2_000_000)
    const config = { strategy: { mode: 'fallback' }, targets: [{ provider: 'openai' }, { provider: 'openai' }] }
    const { 'x-gateway-provider': _, ...more } = headersFor(BYTES, { 'x-gateway-config': JSON.stringify(config) })
    const wire = await openWire(Number(new URL(gateway.url).port))
    const lines = Object.entries({ host: 'weir', 'content-length': String(bytes.length), ...more })
    wire.write(`POST /v1/uploads HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`)
    wire.write(bytes.subarray(0, 1_500_000))
    await eventually(() => sink.uploads.length === 2, 'the second target is asked')
    wire.write(bytes.subarray(1_500_000))
    await wire.until((received) => received.startsWith('HTTP/1.1 200 '))
    expect(sink.uploads[1]?.hash).toBe(hashOf(bytes))
    expect(await readdir(spoolFolder)).toEqual([])
  })
})

describe('what goes wrong half-way', () => {
  test('a provider that answers first is heard, and the rest is not read', async () => {
    sink.onHead = (_upload, socket) => {
      socket.pause()
      socket.write(answerWith(413))
    }
    const length = 35_000_000
    const wire = await begin(length)
    let sent = 0
    const send = (): void => {
      while (sent < length && !wire.socket.destroyed) {
        sent += 100_000
        if (!wire.socket.write(new Uint8Array(100_000))) {
          wire.socket.once('drain', send)
          return
        }
      }
    }
    send()
    await wire.until((received) => received.startsWith('HTTP/1.1 413 ') && received.endsWith('{"ok":true}'))
    expect(wire.received.toLowerCase()).toContain('\r\nconnection: close\r\n')
    expect(sent).toBeLessThan(length)
    wire.leave()
  })

  test('a provider that takes its time holds the client back', async () => {
    sink.onHead = (_upload, socket) => {
      socket.pause()
      setTimeout(() => socket.resume(), 700)
    }
    const wire = await begin(38_000_000)
    let sent = 0
    const send = (): void => {
      while (sent < 38_000_000) {
        sent += 100_000
        if (!wire.socket.write(new Uint8Array(100_000))) {
          wire.socket.once('drain', send)
          return
        }
      }
    }
    send()
    await Bun.sleep(500)
    // What the buffers of two connections hold, and two pieces of ours.
    expect(sent).toBeLessThan(25_000_000)
    await wire.until((received) => received.startsWith('HTTP/1.1 200 '))
    wire.leave()
  })

  test('a client that leaves takes the call to the provider along', async () => {
    const wire = await begin(1_000_000)
    wire.write(new Uint8Array(500_000))
    await eventually(() => sink.uploads[0]?.bytes === 500_000, 'half of it is there')
    wire.leave()
    await eventually(() => only().broken === true, 'the provider is left')
    const record = await gateway.record(({ outcome }) => outcome === 'client_closed')
    expect(record).toMatchObject({ status: 499 })
    expect(gateway.gateway.calls.running).toBe(0)
  })

  test('a client that stops sending is told so', async () => {
    const wire = await begin(1_000_000)
    wire.write(new Uint8Array(500_000))
    await wire.until((received) => received.startsWith('HTTP/1.1 408 ') && received.includes('body_timeout'))
    await eventually(() => only().broken === true, 'the provider is left')
    wire.leave()
  })

  test('but one that sends slowly may take as long as it needs', async () => {
    const wire = await begin(100_000)
    for (let left = 5; left > 0; left--) {
      wire.write(new Uint8Array(20_000))
      await Bun.sleep(TIMEOUT_MS / 2)
    }
    await wire.until((received) => received.startsWith('HTTP/1.1 200 '))
    wire.leave()
  })

  test('a provider that dies is a 502', async () => {
    sink.onHead = (_upload, socket) => {
      setTimeout(() => socket.resetAndDestroy(), 50)
    }
    const wire = await begin(1_000_000)
    wire.write(new Uint8Array(500_000))
    await wire.until((received) => received.startsWith('HTTP/1.1 502 ') && received.includes('upstream_unreachable'))
    wire.leave()
  })
})
