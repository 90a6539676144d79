import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { AddressBlocks } from '../upstream/addresses.ts'
import { arrivalOf, type ForwardedHeaders } from './trusted-proxies.ts'

const PROXIES = new AddressBlocks()
for (const block of ['10.0.0.0/8', '2001:db8:1::/48']) PROXIES.add(block)
const CLIENT = '198.51.100.7'

const arrive = (headers: Record<string, string>, peer: string | undefined = '10.0.0.1', told?: ForwardedHeaders) =>
  arrivalOf(new Request('http://weir.example/v2', { headers }), peer, PROXIES, told ?? 'x-forwarded')

describe('the address of a client', () => {
  test.each<[string, Record<string, string>, string | undefined, string | undefined]>([
    ['is that of the connection where nothing else is said', {}, '10.0.0.1', '10.0.0.1'],
    ['is unknown where the connection has none', { 'x-forwarded-for': CLIENT }, undefined, undefined],
    ['is nobody’s word but that of a trusted proxy', { 'x-forwarded-for': CLIENT }, '203.0.113.9', '203.0.113.9'],
    ['is what a trusted proxy says', { 'x-forwarded-for': CLIENT }, '10.0.0.1', CLIENT],
    ['is seen through a socket for both families', { 'x-forwarded-for': CLIENT }, '::ffff:10.0.0.1', CLIENT],
    [
      'is not what the client wrote itself',
      { 'x-forwarded-for': `127.0.0.1, 10.0.0.9, ${CLIENT}` },
      '10.0.0.1',
      CLIENT,
    ],
    [
      'is found behind several proxies',
      { 'x-forwarded-for': `1.1.1.1, ${CLIENT}, 10.0.0.3,10.1.2.3` },
      '10.0.0.1',
      CLIENT,
    ],
    [
      'is the first of all where every one is a proxy',
      { 'x-forwarded-for': '10.0.0.2, 10.0.0.3' },
      '10.0.0.1',
      '10.0.0.2',
    ],
    [
      'is the last that is known before one that is no address',
      { 'x-forwarded-for': `${CLIENT}, unknown, 10.0.0.3` },
      '10.0.0.1',
      '10.0.0.3',
    ],
    ['may have a port', { 'x-forwarded-for': `${CLIENT}:4711` }, '10.0.0.1', CLIENT],
    ['may be of IPv6', { 'x-forwarded-for': '[2001:db8:2::7]:4711' }, '2001:db8:1::1', '2001:db8:2::7'],
    [
      'is not read from `forwarded` where that is not the header',
      { forwarded: `for=${CLIENT}` },
      '10.0.0.1',
      '10.0.0.1',
    ],
  ])('%s', (_, headers, peer, address) => {
    expect(arrivalOf(new Request('http://weir.example', { headers }), peer, PROXIES, 'x-forwarded').address).toBe(
      address,
    )
  })

  test.each([
    [`for=${CLIENT}`, CLIENT],
    [`for=1.1.1.1, For="${CLIENT}:80";proto=https;by=10.0.0.1`, CLIENT],
    ['for="[2001:db8:2::7]:4711"', '2001:db8:2::7'],
    ['for=_hidden', '10.0.0.1'],
    ['for=unknown, for=10.0.0.5', '10.0.0.5'],
    [',;=;"', '10.0.0.1'],
  ])('is read from `forwarded: %s`, and then from nothing else', (forwarded, address) => {
    expect(arrive({ forwarded, 'x-forwarded-for': '6.6.6.6' }, '10.0.0.1', 'forwarded').address).toBe(address)
  })

  test('is never one that stands to the left of it, whatever a client sends', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (sent) => {
        const clean = sent.replaceAll(/[^\x20-\x7e]/g, '')
        expect(arrive({ 'x-forwarded-for': `${clean}, ${CLIENT}` }).address).toBe(CLIENT)
        expect(arrive({ 'x-forwarded-for': clean, forwarded: clean }, CLIENT).address).toBe(CLIENT)
      }),
    )
  })
})

describe('the origin', () => {
  const through = { 'x-forwarded-for': CLIENT }
  test.each<[string, Record<string, string>, string, ForwardedHeaders, 'http' | 'https']>([
    [
      'is https where a trusted proxy says so',
      { ...through, 'x-forwarded-proto': 'HTTPS' },
      '10.0.0.1',
      'x-forwarded',
      'https',
    ],
    ['is https without an address beside', { 'x-forwarded-proto': 'https' }, '10.0.0.1', 'x-forwarded', 'https'],
    ['is http for everybody else', { 'x-forwarded-proto': 'https' }, CLIENT, 'x-forwarded', 'http'],
    [
      'is not what the client wrote itself',
      { ...through, 'x-forwarded-proto': 'https, http' },
      '10.0.0.1',
      'x-forwarded',
      'http',
    ],
    [
      'is said once by the outer one of two',
      { 'x-forwarded-for': `${CLIENT}, 10.0.0.2`, 'x-forwarded-proto': 'https' },
      '10.0.0.1',
      'x-forwarded',
      'https',
    ],
    [
      'is said by the outer one of two',
      { 'x-forwarded-for': `${CLIENT}, 10.0.0.2`, 'x-forwarded-proto': 'https, http' },
      '10.0.0.1',
      'x-forwarded',
      'https',
    ],
    ['stands in `forwarded` too', { forwarded: `for=${CLIENT};proto=https` }, '10.0.0.1', 'forwarded', 'https'],
    ['is no other scheme', { ...through, 'x-forwarded-proto': 'javascript' }, '10.0.0.1', 'x-forwarded', 'http'],
  ])('%s', (_, headers, peer, told, scheme) => {
    expect(arrive(headers, peer, told).origin).toBe(`${scheme}://weir.example`)
  })
})
