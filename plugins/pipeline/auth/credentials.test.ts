import { describe, expect, test } from 'bun:test'
import { Credentials } from './credentials.ts'
import { RequestGatewayHeaders } from './gateway-headers.ts'

/** Of a call whose likeliest key is known, or the one that is named. */
const read = (fields: Record<string, string>, keyHeader?: string, aliases: readonly string[] = [], search = '') => {
  const credentials = new Credentials(fields, new RequestGatewayHeaders(fields, aliases), search)
  return {
    gateway: credentials.candidates[0],
    provider: credentials.providerKey(keyHeader === undefined ? {} : { keyHeader }),
  }
}

const WEIR = `weir_${'a1B2'.repeat(3)}_${'x'.repeat(43)}`
const TOKEN = `${Buffer.from('{"alg":"HS256","typ":"at+jwt","kid":"1"}').toString('base64url')}.e30.c2ln`
const CHOSEN = 'a-key-that-the-operator-chose-0123456789'

describe('which header holds which key', () => {
  const table: readonly (readonly [string, Record<string, string>, string | undefined, string | undefined])[] = [
    ['nothing', {}, undefined, undefined],
    ['a bearer alone is the gateway key', { authorization: 'Bearer gw' }, 'gw', undefined],
    ['a bearer in another case', { authorization: 'bEARER   gw' }, 'gw', undefined],
    ['a bare token', { authorization: 'gw' }, 'gw', undefined],
    ['an empty bearer is none', { authorization: 'Bearer ' }, undefined, undefined],
    ['the gateway header alone', { 'x-gateway-api-key': 'gw' }, 'gw', undefined],
    [
      'the gateway header wins, the bearer is the provider key',
      { 'x-gateway-api-key': 'gw', authorization: 'Bearer p' },
      'gw',
      'p',
    ],
    [
      'the same key in both is the gateway key only',
      { 'x-gateway-api-key': 'gw', authorization: 'Bearer gw' },
      'gw',
      undefined,
    ],
    [
      'an empty bearer beside the gateway header',
      { 'x-gateway-api-key': 'gw', authorization: 'Bearer ' },
      'gw',
      undefined,
    ],
    ['an x-api-key beside a gateway bearer', { authorization: 'Bearer gw', 'x-api-key': 'p' }, 'gw', 'p'],
    ['an api-key beside a gateway bearer', { authorization: 'Bearer gw', 'api-key': 'p' }, 'gw', 'p'],
    ['x-api-key before api-key', { authorization: 'Bearer gw', 'api-key': 'p2', 'x-api-key': 'p1' }, 'gw', 'p1'],
    [
      'the bearer before x-api-key',
      { 'x-gateway-api-key': 'gw', authorization: 'Bearer p', 'x-api-key': 'q' },
      'gw',
      'p',
    ],
    [
      'an x-api-key that repeats the gateway key',
      { authorization: 'Bearer gw', 'x-api-key': 'gw', 'api-key': 'p' },
      'gw',
      'p',
    ],
    ['an x-api-key alone', { 'x-api-key': 'gw' }, 'gw', undefined],
    ['an api-key alone', { 'api-key': 'gw' }, 'gw', undefined],
    ['an x-goog-api-key alone', { 'x-goog-api-key': 'gw' }, 'gw', undefined],
    [
      'a WebSocket subprotocol alone',
      { 'sec-websocket-protocol': 'realtime, openai-insecure-api-key.gw, openai-beta.realtime-v1' },
      'gw',
      undefined,
    ],
    [
      'a key of our form is the gateway key wherever it stands',
      { authorization: 'Bearer p', 'x-api-key': WEIR },
      WEIR,
      'p',
    ],
    ['and so is a token of ours', { authorization: 'Bearer p', 'x-goog-api-key': TOKEN }, TOKEN, 'p'],
    ['with a scheme in front too', { authorization: 'Bearer p', 'api-key': `Bearer ${WEIR}` }, WEIR, 'p'],
    [
      'beside the gateway header it is nothing',
      { 'x-gateway-api-key': 'gw', 'x-api-key': WEIR, 'api-key': `Basic ${btoa(`user:${WEIR}`)}` },
      'gw',
      undefined,
    ],
  ]
  for (const [what, headers, gateway, provider] of table) {
    test(what, () => expect(read(headers)).toEqual({ gateway, provider }))
  }

  test('the own header of the provider comes first', () => {
    const headers = { 'x-gateway-api-key': 'gw', authorization: 'Bearer p', 'x-goog-api-key': 'own' }
    expect(read(headers, 'x-goog-api-key').provider).toBe('own')
    expect(read(headers).provider).toBe('p')
    expect(read({ ...headers, 'x-goog-api-key': 'gw' }, 'x-goog-api-key').provider).toBe('p')
  })

  test('an alias of the gateway header counts as the header', () => {
    const headers = { 'x-acme-api-key': 'gw', authorization: 'Bearer p' }
    expect(read(headers, undefined, ['x-acme-'])).toEqual({ gateway: 'gw', provider: 'p' })
    expect(read(headers)).toEqual({ gateway: 'p', provider: undefined })
  })
})

test('a key in the query is the gateway key when no header has one', () => {
  expect(read({}, undefined, [], '?alt=sse&key=gw')).toEqual({ gateway: 'gw', provider: undefined })
  expect(read({ authorization: 'Bearer p' }, undefined, [], `?key=${WEIR}`)).toEqual({ gateway: WEIR, provider: 'p' })
  expect(read({ 'x-gateway-api-key': 'gw' }, undefined, [], `?key=${WEIR}`).gateway).toBe('gw')
  expect(read({}, undefined, [], '?monkey=gw').gateway).toBeUndefined()
})

test('a provider whose callers send their key in the query finds it there, after its own header', () => {
  const provider = { keyHeader: 'x-goog-api-key', keyParameter: 'key' }
  const ask = (fields: Record<string, string>, search: string) =>
    new Credentials(fields, new RequestGatewayHeaders(fields, []), search).providerKey(provider)
  expect(ask({ 'x-gateway-api-key': 'gw', authorization: 'Bearer p' }, '?key=q')).toBe('q')
  expect(ask({ 'x-gateway-api-key': 'gw', 'x-goog-api-key': 'own' }, '?key=q')).toBe('own')
  expect(ask({ 'x-gateway-api-key': 'gw', authorization: 'Bearer p' }, '?key=gw')).toBe('p')
})

test('keys of no form of ours are looked up in order, each once; one that proves known is no provider key any more', () => {
  const fields = { authorization: 'Bearer p', 'x-api-key': CHOSEN, 'api-key': 'p', 'x-goog-api-key': 'q' }
  const credentials = new Credentials(fields, new RequestGatewayHeaders(fields, []), '?key=r')
  expect(credentials.candidates).toEqual(['p', CHOSEN, 'q', 'r'])
  credentials.settle(CHOSEN)
  expect(credentials.providerKey({ keyHeader: 'x-api-key' })).toBe('p')
})

describe('a value that holds a gateway key, whoever it belongs to', () => {
  const fields = { 'x-gateway-api-key': CHOSEN }
  const credentials = new Credentials(fields, new RequestGatewayHeaders(fields, []), '')
  for (const key of [CHOSEN, WEIR]) {
    test.each([
      ['itself', key],
      ['with a scheme', `Bearer ${key}`],
      ['doubled', `${key}${key}`],
      ['doubled, with a comma', `Bearer ${key}, Bearer ${key}`],
      ['in a cookie', `a=b; session=${key}`],
      ['Basic as the user', `Basic ${btoa(`${key}:`)}`],
      ['Basic as the password', `Basic ${btoa(`user:${key}`)}`],
      ['Basic as the password of another user', `Basic ${btoa(`users:${key}`)}`],
      ['Base64 behind other letters', `token/${btoa(key)}`],
    ])('%s', (_how, value) => {
      expect(credentials.isGatewayKey(value)).toBe(true)
    })
  }

  test('any other value does not', () => {
    for (const value of [
      'sk-proj-'.padEnd(164, 'Aa1_-'),
      `Basic ${btoa('user:password')}`,
      'weir_',
      `weir_${'a'.repeat(40)}`,
    ]) {
      expect(credentials.isGatewayKey(value)).toBe(false)
    }
  })
})

describe('gateway headers', () => {
  test('our prefix wins over an alias, the first alias over the second, and the one that was met is remembered', () => {
    const headers = {
      'x-gateway-provider': 'a',
      'x-acme-provider': 'b',
      'x-old-config': 'c',
      'x-acme-config': 'd',
    }
    const named = new RequestGatewayHeaders(headers, ['x-acme-', 'x-old-'])
    expect(named.aliasPrefix()).toBeUndefined()
    expect(named.get('provider')).toBe('a')
    expect(named.aliasPrefix()).toBeUndefined()
    expect(named.get('config')).toBe('d')
    expect(named.aliasPrefix()).toBe('x-acme-')
    expect(named.get('none')).toBeUndefined()
  })
})
