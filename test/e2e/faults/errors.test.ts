import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chat, type Probe, startProbe } from './support/probe.ts'
import { expectNothingInternal, openWire, requestHead } from './support/wire.ts'

let probe: Probe
beforeAll(async () => {
  probe = await startProbe()
})
afterAll(() => probe.close())

type Headers = Readonly<Record<string, string>>

/** One request over a socket, so that nothing between the test and the gateway tidies it up. */
const send = async (options: {
  readonly method?: string
  readonly path?: string
  readonly headers?: Headers
  readonly body?: string | Uint8Array
}): Promise<{ status: number; headers: Map<string, string>; body: string }> => {
  const { method = 'POST', path, headers = {}, body } = options
  const wire = await openWire(probe.port)
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  wire.write(`${requestHead({ connection: 'close', ...length, ...headers }, path, method)}\r\n\r\n`)
  if (body !== undefined) wire.write(body)
  const received = await wire.closed()
  const [head = '', ...rest] = received.split('\r\n\r\n')
  const answer = {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]),
    headers: new Map(
      head
        .split('\r\n')
        .slice(1)
        .map((line): [string, string] => {
          const colon = line.indexOf(':')
          return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
        }),
    ),
    body: rest.join('\r\n\r\n'),
  }
  expectNothingInternal(received)
  return answer
}
const errorOf = (body: string): { message: string; type: string; param: string | null; code: string } =>
  JSON.parse(body).error
const request = (fields: Record<string, unknown>): string => JSON.stringify({ ...chat(), mock: undefined, ...fields })

describe('a request body that cannot be read is 400', () => {
  const text = request({})
  test.each<[string, string | Uint8Array]>([
    ['nothing', ''],
    ['white space', ' \n '],
    ['text', 'hello'],
    ['half of it', text.slice(0, -20)],
    ['two objects', `${text}${text}`],
    ['a comma too many', `${text.slice(0, -1)},}`],
    ['a comment', `/* x */${text}`],
    ['single quotes', text.replaceAll('"', "'")],
    ['NaN', '{"model":"mock","messages":[{"role":"user","content":"x"}],"temperature":NaN}'],
    ['a NUL', `${text}\u0000`],
    ['a byte order mark twice', `\ufeff\ufeff${text}`],
    ['an array', `[${text}]`],
    ['a string', JSON.stringify(text)],
    ['a number', '7'],
    ['null', 'null'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['a cut character', Buffer.concat([Buffer.from('{"model":"'), Buffer.from([0xe6, 0xbc]), Buffer.from('"}')])],
    ['UTF-16', Buffer.from(text, 'utf16le')],
    ['a key twice', `{"model":"mock",${text.slice(1)}`],
    ['a key twice, once escaped', `{"mod\\u0065l":"other",${text.slice(1)}`],
    ['a key twice in a message', request({}).replace('"content"', '"content":"other","content"')],
    ['a key beside the same in capitals', request({ Model: 'other' })],
    ['a key in capitals in a message', request({}).replace('"content"', '"Content"')],
    ['deep arrays', `{"model":"mock","x":${'['.repeat(200)}${']'.repeat(200)}}`],
    ['deep objects', `{"model":"mock","x":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`],
    ['open arrays without end', `{"model":"mock","x":${'['.repeat(1_000_000)}`],
  ])('%s', async (_name, body) => {
    const before = probe.upstream.counters.received
    const answer = await send({ body })
    expect(answer.status).toBe(400)
    expect(errorOf(answer.body)).toMatchObject({ type: 'invalid_request_error', code: 'invalid_request' })
    expect(probe.upstream.counters.received).toBe(before)
  })
})

describe('a field that is missing or of the wrong type is 400 and named', () => {
  const message = (fields: unknown) => ({ messages: [{ role: 'user', content: 'x' }, fields] })
  test.each<[Record<string, unknown>, string]>([
    [{ model: undefined }, 'model'],
    [{ model: '' }, 'model'],
    [{ model: null }, 'model'],
    [{ model: 7 }, 'model'],
    [{ model: ['mock'] }, 'model'],
    [{ messages: undefined }, 'messages'],
    [{ messages: null }, 'messages'],
    [{ messages: [] }, 'messages'],
    [{ messages: {} }, 'messages'],
    [{ messages: 'hello' }, 'messages'],
    [message(null), 'messages[1]'],
    [message('hello'), 'messages[1]'],
    [message([]), 'messages[1]'],
    [message({ content: 'x' }), 'messages[1].role'],
    [message({ role: 7, content: 'x' }), 'messages[1].role'],
    [message({ role: 'robot', content: 'x' }), 'messages[1].role'],
    [message({ role: '__proto__', content: 'x' }), 'messages[1].role'],
    [message({ role: 'user', content: 7 }), 'messages[1].content'],
    [message({ role: 'user', content: {} }), 'messages[1].content'],
    [message({ role: 'user', content: ['x'] }), 'messages[1].content[0]'],
    [message({ role: 'user', content: [{ text: 'x' }] }), 'messages[1].content[0].type'],
    [{ stream: 'yes' }, 'stream'],
    [{ stream: 1 }, 'stream'],
    [{ stream_options: [] }, 'stream_options'],
    [{ temperature: '1' }, 'temperature'],
    [{ top_p: {} }, 'top_p'],
    [{ n: 1.5 }, 'n'],
    [{ n: -1 }, 'n'],
    [{ max_tokens: '5' }, 'max_tokens'],
    [{ max_completion_tokens: -5 }, 'max_completion_tokens'],
    [{ seed: 0.1 }, 'seed'],
    [{ stop: 7 }, 'stop'],
    [{ stop: ['a', 7] }, 'stop'],
    [{ user: 7 }, 'user'],
    [{ tools: {} }, 'tools'],
    [{ tool_choice: 7 }, 'tool_choice'],
    [{ parallel_tool_calls: 'no' }, 'parallel_tool_calls'],
    [{ response_format: 'json' }, 'response_format'],
    [{ logprobs: 1 }, 'logprobs'],
    [{ top_logprobs: -1 }, 'top_logprobs'],
    [{ logit_bias: [] }, 'logit_bias'],
    [{ presence_penalty: true }, 'presence_penalty'],
    [{ frequency_penalty: 'x' }, 'frequency_penalty'],
  ])('%j', async (fields, param) => {
    const answer = await send({ body: request(fields) })
    expect(answer.status).toBe(400)
    expect(errorOf(answer.body)).toMatchObject({ type: 'invalid_request_error', code: 'invalid_request', param })
    expect(errorOf(answer.body).message).toContain(param)
  })

  test.each<[Record<string, unknown>, string]>([
    [{}, 'input'],
    [{ input: null }, 'input'],
    [{ input: [] }, 'input'],
    [{ input: 7 }, 'input'],
    [{ input: 'x', model: undefined }, 'model'],
  ])('embeddings: %j', async (fields, param) => {
    const answer = await send({ path: '/v1/embeddings', body: JSON.stringify({ model: 'mock-embedding', ...fields }) })
    expect([answer.status, errorOf(answer.body).param]).toEqual([400, param])
  })
})

describe('a gateway header that cannot be used is named', () => {
  test.each<[Headers, number, string]>([
    [{ 'x-gateway-api-key': 'unknown' }, 401, '03'],
    [{ 'x-gateway-api-key': '' }, 401, '03'],
    [{ 'x-gateway-provider': '' }, 400, 'provider_required'],
    [{ 'x-gateway-provider': 'nobody' }, 400, 'unknown_provider'],
    [{ 'x-gateway-provider': '__proto__' }, 400, 'invalid_header'],
    [{ 'x-gateway-provider': 'constructor' }, 400, 'unknown_provider'],
    [{ 'x-gateway-provider': '../probe' }, 400, 'invalid_header'],
    [{ 'x-gateway-config': '{' }, 400, 'invalid_config'],
    [{ 'x-gateway-config': '[]' }, 400, 'invalid_config'],
    [{ 'x-gateway-config': '{"provider":7}' }, 400, 'invalid_config'],
    [{ 'x-gateway-config': '{"targets":[]}' }, 400, 'invalid_config'],
    [{ 'x-gateway-config': '{"targets":[7]}' }, 400, 'invalid_config'],
    [{ 'x-gateway-config': '{"provider":"probe","unknown":1}' }, 400, 'invalid_config'],
    [{ 'x-gateway-config': `{"provider":"probe","override_params":${'['.repeat(3_000)}` }, 400, 'invalid_config'],
    [{ 'x-gateway-config': '{"provider":"probe","passthrough":true}' }, 400, 'unsupported_config'],
    [{ 'x-gateway-forward-headers': 'authorization' }, 400, 'invalid_header'],
    [{ 'x-gateway-forward-headers': 'x-gateway-api-key' }, 400, 'invalid_header'],
    [{ 'x-gateway-forward-headers': 'bad name' }, 400, 'invalid_header'],
  ])('%j', async (headers, status, code) => {
    const answer = await send({ headers, body: request({}) })
    expect([answer.status, errorOf(answer.body).code]).toEqual([status, code])
  })
})

describe('paths and methods', () => {
  test.each([
    '/',
    '/v1',
    '/v3/chat/completions',
    '/v2/chat',
    '/v2/chat/completions/x',
    '/V1/chat/completions',
    '/v2//chat/completions',
    '//v1/chat/completions',
    '/v2/chat/completions%00',
    '/v2/chat%2Fcompletions',
    '/v2/%63hat/completion',
    '/v2/chat/../models/x',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/..%2f..%2fetc/passwd',
    '/v2/\u00ff',
    '/%',
    '/%zz',
    `/${'a'.repeat(8_000)}`,
    `/${'a/'.repeat(2_000)}`,
    '/__proto__',
    '/constructor',
    '/.env',
    '/v2/chat/completions;x=1',
    '/*',
    '/v2/:id',
  ])('%s is 404', async (path) => {
    for (const method of ['GET', 'POST']) {
      const answer = await send({ method, path, ...(method === 'POST' ? { body: '{}' } : {}) })
      expect(answer.status).toBe(404)
      expect(JSON.parse(answer.body)).toEqual({
        ok: false,
        message: 'Not Found',
        error: {
          message: expect.stringMatching(/^Not Found: /),
          type: 'invalid_request_error',
          param: null,
          code: 'not_found',
        },
      })
    }
  })

  test.each([
    ['GET', '/v1/chat/completions', 'POST'],
    ['PUT', '/v2/chat/completions', 'POST'],
    ['DELETE', '/v1/embeddings', 'POST'],
    ['PATCH', '/v1/embeddings', 'POST'],
    ['OPTIONS', '/v1/chat/completions', 'POST'],
    ['POST', '/v1/models', 'GET'],
    ['POST', '/healthz', 'GET'],
    ['DELETE', '/readyz', 'GET'],
  ])('%s %s is 405 and says %s', async (method, path, allow) => {
    const answer = await send({ method, path, body: '{}' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow])
    expect(errorOf(answer.body)).toMatchObject({ code: 'method_not_allowed', type: 'invalid_request_error' })
    expect(errorOf(answer.body).message).toContain(allow)
  })

  test('HEAD has the status of its path and no body', async () => {
    for (const [path, status] of [
      ['/healthz', 200],
      ['/v1/chat/completions', 405],
      ['/nowhere', 404],
    ] as const) {
      const answer = await send({ method: 'HEAD', path })
      expect([path, answer.status, answer.body]).toEqual([path, status, ''])
    }
  })

  test('a trailing slash and a query lead to the same route', async () => {
    for (const path of ['/v1/chat/completions/', '/v1/chat/completions?api-version=1', '/v1/chat/completions?']) {
      expect([path, (await send({ path, body: request({}) })).status]).toEqual([path, 200])
    }
  })

  test.each(['x', 'ai', 'llm', 'gateway', 'gw:80', '[::1]:8080', '10.0.0.1'])(
    'the host may be called %s',
    async (host) => {
      const wire = await openWire(probe.port)
      wire.write(`GET /healthz HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
      expect(await wire.closed()).toStartWith('HTTP/1.1 200 ')
    },
  )
})

describe('what looks like an attack on the parser is only data', () => {
  test('`__proto__` and `constructor` change nothing: in a body they travel on, in a config they are refused', async () => {
    const body = `{"__proto__":{"stream":true,"polluted":1},"constructor":{"prototype":{"polluted":1}},${request({}).slice(1)}`
    const answer = await send({ body })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(Buffer.from(probe.upstream.requests.at(-1)?.body ?? '').toString()).toBe(body)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    const overriding = await send({
      headers: { 'x-gateway-config': '{"provider":"probe","override_params":{"__proto__":{"polluted":1},"seed":1}}' },
      body,
    })
    expect([overriding.status, JSON.parse(overriding.body)]).toMatchObject([
      400,
      { error: { code: 'invalid_config', param: 'override_params.__proto__' } },
    ])
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  test('long numbers and lone surrogates go on byte by byte', async () => {
    const body = `${request({}).slice(0, -1)},"seed":12345678901234567890,"user":"\\ud800","metadata":{"n":${'9'.repeat(5_000)}}}`
    expect((await send({ body })).status).toBe(200)
    expect(Buffer.from(probe.upstream.requests.at(-1)?.body ?? '').toString()).toBe(body)
  })
})
