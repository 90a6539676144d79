import { describe, expect, test } from 'bun:test'
import { Credentials } from './credentials.ts'
import { RequestGatewayHeaders } from './gateway-headers.ts'

const read = (fields: Record<string, string>, keyHeader?: string, aliases: readonly string[] = []) => {
  const headers = new Headers(fields)
  const credentials = new Credentials(headers, new RequestGatewayHeaders(headers, aliases))
  return { gateway: credentials.gatewayKey, provider: credentials.providerKey(keyHeader) }
}

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
    ['a provider key without a gateway key', { 'x-api-key': 'p' }, undefined, 'p'],
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

describe('gateway headers', () => {
  test('our prefix wins over an alias, the first alias over the second, and the one that was met is remembered', () => {
    const headers = new Headers({
      'x-gateway-provider': 'a',
      'x-acme-provider': 'b',
      'x-old-config': 'c',
      'x-acme-config': 'd',
    })
    const named = new RequestGatewayHeaders(headers, ['x-acme-', 'x-old-'])
    expect(named.aliasPrefix()).toBeUndefined()
    expect(named.get('provider')).toBe('a')
    expect(named.aliasPrefix()).toBeUndefined()
    expect(named.get('config')).toBe('d')
    expect(named.aliasPrefix()).toBe('x-acme-')
    expect(named.get('none')).toBeUndefined()
  })
})
