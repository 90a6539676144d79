import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { API_KEY } from '../../support/gateway.ts'
import { openWire } from '../faults/support/wire.ts'
import { last, PROVIDER_KEY, type Scene, startScene } from './support/upstream.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())
beforeEach(() => {
  scene.answer = () => Response.json({ ok: true })
})

const random = (length: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(length)
  for (let at = 0; at < length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536))
  return bytes
}

describe('a request passes as it came', () => {
  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])('%s', async (method) => {
    const { status } = await scene.call(method, '/v1/gateway/some/place?a=1&a=%2F&empty=&b')
    expect(status).toBe(200)
    expect([last(scene).method, last(scene).target]).toEqual([method, '/v1/some/place?a=1&a=%2F&empty=&b'])
  })

  test.each([
    [
      'JSON with odd blanks and numbers',
      '{ "model" : "gpt-x",\n\t"n": 1.50, "big": 12345678901234567890 }',
      'application/json',
    ],
    ['JSON that is no object', '[1, 2]', 'application/json'],
    ['text', 'just text', 'text/plain'],
    ['lines of JSON', '{"a":1}\n{"a":2}\n', 'application/jsonl'],
    ['bytes', random(300_000), 'application/octet-stream'],
    ['a form', 'model=whisper-1&x=%20', 'application/x-www-form-urlencoded'],
  ] as const)('%s', async (_, body, type) => {
    await scene.call('POST', '/v1/some/place', { body, headers: { 'content-type': type } })
    const sent = typeof body === 'string' ? new TextEncoder().encode(body) : body
    expect(Buffer.compare(last(scene).body, sent)).toBe(0)
    expect(last(scene).headers.get('content-type')).toBe(type)
  })

  test('a form with a file, boundary and all', async () => {
    const form = new FormData()
    form.set('model', 'whisper-1')
    form.set('file', new Blob([random(50_000)]), 'sound.mp3')
    const whole = new Response(form)
    const type = whole.headers.get('content-type') ?? ''
    const body = new Uint8Array(await whole.arrayBuffer())
    await scene.call('POST', '/v1/audio/transcriptions', { body, headers: { 'content-type': type } })
    expect(Buffer.compare(last(scene).body, body)).toBe(0)
    expect(last(scene).headers.get('content-type')).toBe(type)
    await scene.gateway.record(({ model, route }) => model === 'whisper-1' && route === '/v1/*')
  })

  test('the base URL itself, and a version that it has already', async () => {
    await scene.call('GET', '/v1/gateway')
    expect(last(scene).target).toBe('/v1')
    await scene.call('GET', '/v1/gateway/v1/models')
    expect(last(scene).target).toBe('/v1/models')
    await scene.call('GET', '/v1/v1x/models')
    expect(last(scene).target).toBe('/v1/v1x/models')
  })

  test('with its own headers, the key of the provider, and nothing of the gateway', async () => {
    await scene.call('POST', '/v1/some/place', {
      body: '{}',
      headers: {
        'x-custom': 'kept',
        'openai-beta': 'assistants=v2',
        cookie: 'session=1',
        forwarded: 'for=10.0.0.1',
        'x-forwarded-for': '10.0.0.1',
        'x-real-ip': '10.0.0.1',
        traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
        baggage: 'team=secret',
        'x-gateway-metadata': '{"team":"secret"}',
        'x-api-key': 'another',
        'api-key': 'another',
        'x-leak': API_KEY,
        'x-leak-too': `Bearer ${API_KEY}`,
      },
    })
    const { headers } = last(scene)
    expect(headers.get('x-custom')).toBe('kept')
    expect(headers.get('openai-beta')).toBe('assistants=v2')
    expect(headers.get('authorization')).toBe(`Bearer ${PROVIDER_KEY}`)
    const all = JSON.stringify([...headers])
    for (const secret of [API_KEY, 'session=1', '10.0.0.1', 'secret', 'another']) expect(all).not.toContain(secret)
    expect([...headers.keys()].filter((name) => name.startsWith('x-gateway-'))).toEqual([])
  })

  test('the key goes in the provider’s own way', async () => {
    await scene.call('POST', '/v1/gateway/messages', {
      body: '{"model":"claude"}',
      headers: { 'x-gateway-provider': 'anthropic' },
    })
    const { headers } = last(scene)
    expect([headers.get('x-api-key'), headers.get('authorization')]).toEqual([PROVIDER_KEY, null])
    expect(headers.get('anthropic-version')).not.toBeNull()
  })

  test('only the provider in front of the model is taken off', async () => {
    const body = '{"model":"@openai/gpt-x","input":"Hello"}'
    await scene.call('POST', '/v1/gateway/responses?model=%40openai%2Fgpt-x&x=1', {
      body,
      headers: { 'x-gateway-provider': 'openai' },
    })
    expect(JSON.parse(new TextDecoder().decode(last(scene).body))).toEqual({ model: 'gpt-x', input: 'Hello' })
    expect(last(scene).target).toBe('/v1/responses?model=gpt-x&x=1')
  })
})

describe('an answer passes as it came', () => {
  test.each([
    [200, '{"a" : 1.0}', 'application/json'],
    [201, '{"a":1}', 'application/vnd.api+json'],
    [202, 'accepted', 'text/plain'],
    [400, '{"error":"their words"}', 'application/json'],
    [404, '<html>', 'text/html'],
    [429, '{"error":{"message":"slow"}}', 'application/json'],
    [503, '', 'text/plain'],
  ])('%i %s', async (status, body, type) => {
    scene.answer = () => new Response(body, { status, headers: { 'content-type': type, 'x-theirs': 'yes' } })
    const answer = await scene.call('POST', '/v1/some/place', { body: '{}' })
    expect([answer.status, answer.text]).toEqual([status, body])
    expect(answer.headers.get('x-theirs')).toBe('yes')
    if (body !== '') expect(answer.headers.get('content-type')).toBe(type)
    expect(answer.headers.get('x-gateway-provider')).toBe('openai')
  })

  test('204 and 304 have no body', async () => {
    for (const status of [204, 304]) {
      scene.answer = () => new Response(null, { status })
      const answer = await scene.call('DELETE', '/v1/uploads/a')
      expect([answer.status, answer.bytes.length]).toEqual([status, 0])
    }
  })

  test.each([10, 5_000_000])('%i bytes of sound', async (length) => {
    const sound = random(length)
    scene.answer = () => new Response(sound, { headers: { 'content-type': 'audio/mpeg' } })
    const answer = await scene.call('POST', '/v1/gateway/audio/speech', { body: '{"model":"tts-1","input":"x"}' })
    expect(Buffer.compare(answer.bytes, sound)).toBe(0)
    expect(answer.headers.get('content-type')).toBe('audio/mpeg')
  })

  test('a part of a file, in the coding that it is stored in', async () => {
    const part = random(5_000)
    scene.answer = ({ headers }) =>
      new Response(part, {
        status: headers.get('range') === 'bytes=100-5099' ? 206 : 200,
        headers: {
          'content-type': 'application/octet-stream',
          'content-encoding': 'gzip',
          'content-range': 'bytes 100-5099/9000',
          'accept-ranges': 'bytes',
          etag: '"a"',
        },
      })
    const wire = await openWire(Number(new URL(scene.gateway.url).port))
    wire.write(
      `GET /v1/uploads/a/content HTTP/1.1\r\nhost: x\r\nx-gateway-api-key: ${API_KEY}\r\nx-gateway-provider: openai\r\nrange: bytes=100-5099\r\nauthorization: Bearer ${PROVIDER_KEY}\r\n\r\n`,
    )
    // Not unpacked: a part of what is packed could not be.
    await wire.until((received) => received.includes(Buffer.from(part.subarray(4_000)).toString('latin1')))
    const head = wire.received.slice(0, wire.received.indexOf('\r\n\r\n')).toLowerCase()
    expect(head).toStartWith('http/1.1 206 ')
    for (const line of [
      'content-encoding: gzip',
      'content-range: bytes 100-5099/9000',
      'accept-ranges: bytes',
      'etag: "a"',
    ])
      expect(head).toContain(`\r\n${line}`)
    wire.leave()
  })

  test('HEAD says how long the answer to a GET is', async () => {
    scene.answer = () => new Response(new Uint8Array(12_345), { headers: { 'content-type': 'audio/mpeg' } })
    const answer = await scene.call('HEAD', '/v1/uploads/a/content')
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, '12345'])
  })

  test('JSON that is too large to be looked at', async () => {
    const body = JSON.stringify({
      data: 'x'.repeat(6 * 1024 * 1024),
      usage: { prompt_tokens: 1, completion_tokens: 1 },
    })
    scene.answer = () => new Response(body, { headers: { 'content-type': 'application/json' } })
    const answer = await scene.call('POST', '/v1/gateway/images/generations', { body: '{"model":"image"}' })
    expect(answer.text === body).toBe(true)
  })

  test('a redirect is not one: its client would take the gateway key along', async () => {
    scene.answer = () => new Response(null, { status: 307, headers: { location: 'http://elsewhere.test/' } })
    const answer = await scene.call('POST', '/v1/some/place', { body: '{}' })
    expect([answer.status, answer.headers.get('location')]).toEqual([502, null])
    expect(answer.text).toContain('upstream_invalid')
  })

  test('a provider that repeats its key does not give it away', async () => {
    scene.answer = ({ headers }) =>
      Response.json({ error: { message: `bad key ${headers.get('authorization')}` } }, { status: 401 })
    const answer = await scene.call('POST', '/v1/some/place', { body: '{}' })
    expect(answer.status).toBe(401)
    expect(answer.text).toBe('{"error":{"message":"bad key Bearer [redacted]"}}')
    expect(JSON.stringify(scene.gateway.records)).not.toContain(PROVIDER_KEY)
  })
})

test('the key that a client of Gemini sends in its query goes on in a header', async () => {
  const headers = { 'x-gateway-provider': 'google', authorization: '' }
  await scene.call('GET', '/v1/gateway/models?pageSize=1&key=AIza-own-key', { headers })
  expect([last(scene).target, last(scene).headers.get('x-goog-api-key')]).toEqual([
    '/v1/models?pageSize=1',
    'AIza-own-key',
  ])
})

describe('what cannot pass', () => {
  test.each([
    ['a key twice', '{"model":"a","model":"b"}', 'application/json'],
    ['a key in another case', '{"model":"a","Model":"b"}', 'application/json'],
    ['JSON that cannot be read', '{"model":', 'application/json'],
    ['another encoding', Buffer.from('{"model":"a"}', 'utf16le').swap16(), 'application/json'],
    ['a form with two models', 'model=a&model=b', 'application/x-www-form-urlencoded'],
    ['a form with a model in two cases', 'model=a&Model=b', 'application/x-www-form-urlencoded'],
    ['a form with two boundaries', '--a--\r\n', 'multipart/form-data; boundary=a; boundary=b'],
    [
      'a form of bare line feeds',
      '--y\ncontent-disposition: form-data; name="x"\n\n1\n--y--',
      'multipart/form-data; boundary=y',
    ],
    ['two content types', '{"model":"a"}', 'text/csv, application/json'],
    ['another charset', '{"model":"a"}', 'application/json; charset=utf-7'],
    ['a form that cannot be read', '--x\r\nnothing', 'multipart/form-data; boundary=y'],
  ] as const)('a body with %s', async (_, body, type) => {
    const before = scene.arrived.length
    const sent = typeof body === 'string' ? body : new Uint8Array(body)
    const answer = await scene.call('POST', '/v1/some/place', { body: sent, headers: { 'content-type': type } })
    expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([400, 'invalid_request'])
    expect(scene.arrived.length).toBe(before)
  })

  test('a call that names no provider', async () => {
    const response = await fetch(`${scene.gateway.url}/v1/some/place`, { headers: { 'x-gateway-api-key': API_KEY } })
    expect([response.status, await response.json()]).toMatchObject([400, { error: { code: 'provider_required' } }])
  })
})
