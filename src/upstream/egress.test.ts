import { describe, expect, test } from 'bun:test'
import { EgressRefused } from '../errors/gateway-error.ts'
import { checkCustomHost, createEgress, parseDestination } from './egress.ts'
import type { Resolver } from './resolver.ts'
import { createTrustedHosts } from './trusted-hosts.ts'

const nobody = createTrustedHosts([])

describe('parseDestination', () => {
  test.each([
    [
      'https://api.example.com/v1/chat',
      {
        secure: true,
        hostname: 'api.example.com',
        port: 443,
        authority: 'api.example.com',
        pathAndQuery: '/v1/chat',
        serverName: 'api.example.com',
      },
    ],
    [
      'http://api.example.com:8080/v1?a=b',
      {
        secure: false,
        hostname: 'api.example.com',
        port: 8080,
        authority: 'api.example.com:8080',
        pathAndQuery: '/v1?a=b',
        serverName: 'api.example.com',
      },
    ],
    [
      'https://api.example.com:443',
      {
        secure: true,
        hostname: 'api.example.com',
        port: 443,
        authority: 'api.example.com',
        pathAndQuery: '/',
        serverName: 'api.example.com',
      },
    ],
    [
      'http://10.0.0.1/v1',
      {
        secure: false,
        hostname: '10.0.0.1',
        port: 80,
        authority: '10.0.0.1',
        pathAndQuery: '/v1',
        literal: ['10.0.0.1'],
      },
    ],
    [
      'https://[2606:4700::1111]:8443/v1',
      {
        secure: true,
        hostname: '2606:4700::1111',
        port: 8443,
        authority: '[2606:4700::1111]:8443',
        pathAndQuery: '/v1',
        literal: ['2606:4700::1111'],
      },
    ],
  ])('takes %s apart', (url, parts) => expect(parseDestination(url)).toEqual(parts))

  test.each([
    '',
    'api.example.com',
    '/v1',
    'ftp://api.example.com',
    'file:///etc/passwd',
    'https://user@api.example.com',
    'https://:p@api.example.com',
    'https://@api.example.com',
    'https://api.example.com#x',
    'https://api.example.com/#',
    'https://api.example.com\\x',
    'https://api.example.com/a b',
    'https://api.example.com/\n',
    '\thttps://api.example.com',
    'https://api.example.com/\u007f',
    'https://',
    'https://api.example.com:99999',
  ])('refuses %j', (url) => expect(() => parseDestination(url)).toThrow(EgressRefused))
})

describe('checkCustomHost', () => {
  test.each([
    ['https://api.example.com/v1', 'https://api.example.com/v1'],
    ['https://api.example.com/v1///', 'https://api.example.com/v1'],
    ['https://API.Example.com:8443/v1', 'https://API.Example.com:8443/v1'],
    ['http://8.8.8.8/v1', 'http://8.8.8.8/v1'],
    ['https://[2606:4700::1111]/v1', 'https://[2606:4700::1111]/v1'],
  ])('lets %s pass', (url, base) => expect(checkCustomHost(url, nobody)).toBe(base))

  test.each([
    'http://localhost/v1',
    'http://db.internal',
    'http://a.local',
    'http://x.lan',
    'http://api.example.com.',
    'http://2130706433',
    'http://0x7f.1',
    'http://１.1.1.1',
    'http://ｅxample.com',
    'http://a.b.c.d.e.f.g.h.i.j.k',
    'http://[::0001]',
    'http://%65xample.com',
  ])('refuses %s', (url) => expect(() => checkCustomHost(url, nobody)).toThrow(EgressRefused))

  test('lets the operator trust an internal name', () => {
    const trusted = createTrustedHosts(['db.internal:8080'])
    expect(checkCustomHost('http://db.internal:8080/v1/', trusted)).toBe('http://db.internal:8080/v1')
    expect(() => checkCustomHost('http://db.internal/v1', trusted)).toThrow(EgressRefused)
  })
})

describe('the addresses of a destination', () => {
  const resolving = (...addresses: string[]) => ({ resolve: () => addresses })
  const ask = async (url: string, resolver: Resolver, trusted = nobody) =>
    createEgress(resolver, trusted).addressesOf(parseDestination(url))

  test('are every public address of its name', async () => {
    expect(await ask('https://a.test', resolving('8.8.8.8', '2606:4700::1111'))).toEqual(['8.8.8.8', '2606:4700::1111'])
  })

  test('an address is not asked for', async () => {
    const resolver = { resolve: () => expect.unreachable() }
    expect(await ask('https://8.8.8.8', resolver)).toEqual(['8.8.8.8'])
    await expect(ask('https://127.0.0.1', resolver)).rejects.toThrow(EgressRefused)
  })

  test('one private address among public ones is enough to refuse, and the message says what to do', async () => {
    await expect(ask('https://a.test:8443', resolving('8.8.8.8', '10.0.0.1'))).rejects.toThrow(
      /a\.test:8443.*WEIR_TRUSTED_HOSTS/,
    )
    await expect(ask('https://a.test', resolving('::ffff:10.0.0.1'))).rejects.toThrow(EgressRefused)
  })

  test('the operator may trust the name, or all of its addresses', async () => {
    expect(await ask('https://a.test', resolving('10.0.0.1'), createTrustedHosts(['a.test']))).toEqual(['10.0.0.1'])
    expect(await ask('https://a.test', resolving('10.0.0.1'), createTrustedHosts(['10.0.0.0/8']))).toEqual(['10.0.0.1'])
    await expect(
      ask('https://a.test', resolving('10.0.0.1', '127.0.0.1'), createTrustedHosts(['10.0.0.0/8'])),
    ).rejects.toThrow(EgressRefused)
  })

  test('are judged anew when the name service gives others, and as often as they are asked for', async () => {
    let addresses = ['8.8.8.8']
    const leave = (): void => undefined
    const egress = createEgress({ resolve: () => ({ found: Promise.resolve(addresses), leave }) }, nobody)
    const destination = parseDestination('https://a.test')
    const found = async () => {
      const looking = egress.addressesOf(destination)
      return 'found' in looking ? looking.found : looking
    }
    expect(await found()).toEqual(['8.8.8.8'])
    expect(await found()).toEqual(['8.8.8.8'])
    addresses = ['10.0.0.1']
    for (let round = 0; round < 2; round++) await expect(found()).rejects.toThrow(EgressRefused)
  })
})
