import { describe, expect, test } from 'bun:test'
import { EgressRefused } from '../../errors/gateway-error.ts'
import { type Destination, parseDestination } from '../egress.ts'
import { writeRequest } from './request-head.ts'

const TO = parseDestination('https://api.example:8443/v1/chat?x=1&y=%20')
const write = (headers: Record<string, string>, body?: Uint8Array | string, method = 'POST', to: Destination = TO) =>
  writeRequest(to, method, new Headers(headers), body)

describe('the head of a request', () => {
  test('is what the call asks for, and what only the way out knows', () => {
    expect(write({ authorization: 'Bearer x', 'X-Own': 'a \u00e9' }, '{"a":"\u00fc"}')).toEqual({
      method: 'POST',
      head: [
        'POST /v1/chat?x=1&y=%20 HTTP/1.1',
        'host: api.example:8443',
        'accept-encoding: identity',
        'authorization: Bearer x',
        'x-own: a \u00e9',
        'accept: */*',
        'content-length: 10',
        '',
        '',
      ].join('\r\n'),
      body: '{"a":"\u00fc"}',
      bodyBytes: 10,
    })
  })

  test('says what is accepted only once', () => {
    expect(write({ accept: 'text/event-stream' }).head.match(/accept: .*/g)).toEqual(['accept: text/event-stream'])
  })

  test('leaves whom it is for and how it is framed to nobody else', () => {
    const { head } = write(
      {
        host: 'evil.example',
        'content-length': '3',
        'transfer-encoding': 'chunked',
        connection: 'upgrade',
        upgrade: 'websocket',
        'accept-encoding': 'gzip',
        expect: '100-continue',
        te: 'trailers',
        trailer: 'x',
        'keep-alive': 'x',
        'proxy-connection': 'x',
      },
      'hello',
    )
    expect(head.split('\r\n')).toEqual([
      'POST /v1/chat?x=1&y=%20 HTTP/1.1',
      'host: api.example:8443',
      'accept-encoding: identity',
      'accept: */*',
      'content-length: 5',
      '',
      '',
    ])
  })

  test.each([
    ['POST', undefined, 'content-length: 0'],
    ['PUT', undefined, 'content-length: 0'],
    ['GET', undefined, undefined],
    ['DELETE', undefined, undefined],
    ['GET', '', 'content-length: 0'],
    ['GET', new Uint8Array(3), 'content-length: 3'],
    ['POST', '\ud800', 'content-length: 3'],
  ])('%s with %p says its length', (method, body, expected) => {
    expect(write({}, body, method).head.match(/content-length: .*/)?.[0]).toBe(expected as string)
  })

  test.each(['', 'G T', 'GET\r\n', 'GET /', 'G\u00c9T', 'CONNECT', 'TRACE'])(
    'is refused for the method %p',
    (method) => {
      expect(() => write({}, undefined, method)).toThrow('Unusable')
    },
  )

  test.each(['/a b', '/a\r\nx: y', '/\u00e9', '/\u0000', '', 'http://x/', '*'])(
    'is refused for the target %p',
    (target) => {
      expect(() => write({}, undefined, 'GET', { ...TO, pathAndQuery: target })).toThrow('Unusable')
    },
  )

  test.each(['a b', 'a\r\nx: y', 'a\u0000'])('is refused for the host %p', (authority) => {
    expect(() => write({}, undefined, 'GET', { ...TO, authority })).toThrow('Unusable')
  })

  /** `Headers` refuses these itself; nothing here depends on that. */
  const asHeaders = (name: string, value: string): Headers => {
    const headers = new Headers()
    const forEach: Headers['forEach'] = (visit) => visit(value, name, headers)
    Object.defineProperty(headers, 'forEach', { value: forEach })
    return headers
  }

  test.each(['a\r\nb', 'a\nb', 'a\rb', 'a\u0000b', 'a\u007fb', '\u001b', '\u0100', '\ud83d\ude00'])(
    'is refused for the value %p',
    (value) => {
      expect(() => writeRequest(TO, 'GET', asHeaders('x', value), undefined)).toThrow(
        'Unusable request to the provider: the value of its header `x`.',
      )
    },
  )

  test.each(['', 'a b', 'a:b', 'a\r\nb', 'a\u0000', '\u00e9'])('is refused for the name %p', (name) => {
    expect(() => writeRequest(TO, 'GET', asHeaders(name, 'x'), undefined)).toThrow('Unusable')
  })

  test('may have any method, without being kept for each', () => {
    for (let index = 0; index < 100; index++) {
      expect(write({}, undefined, `M${index}`).head).toStartWith(`M${index} /v1/chat?x=1&y=%20 HTTP/1.1\r\n`)
    }
  })
})

describe('a key of ours does not leave', () => {
  const key = `weir_${'a1B2'.repeat(3)}_${'x'.repeat(43)}`
  const token = `${Buffer.from('{"alg":"HS256","typ":"at+jwt","kid":"1"}').toString('base64url')}.e30.c2ln`

  test.each([
    key,
    `Bearer ${key}`,
    `${key}${key}`,
    `Basic ${btoa(`user:${key}`)}`,
    `Basic ${btoa(`us:${key}`)}`,
    `Basic ${btoa(key)}`,
    token,
    `Bearer ${token}`,
  ])('in a header: %s', (value) => {
    expect(() => write({ 'x-any': value })).toThrow(EgressRefused)
  })

  test.each([`/${key}`, `?key=${key}`, `?key=%77${key.slice(1)}`, `?key=%2577${key.slice(1)}`, `?a=${btoa(key)}`])(
    'in the target: %s',
    (target) => {
      const to = parseDestination(`https://api.example/v1${target}`)
      expect(() => write({}, undefined, 'GET', to)).toThrow(EgressRefused)
    },
  )

  test('what only looks like the beginning of one does', () => {
    const { head } = write({ 'x-a': 'weir_', 'x-b': 'd2Vpcl dlaXJf 3ZWlyX', 'x-c': `weir_${'a'.repeat(60)}` })
    expect(head).toContain('d2Vpcl')
  })
})
