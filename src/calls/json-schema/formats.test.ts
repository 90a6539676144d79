import { describe, expect, test } from 'bun:test'
import { FORMATS } from './formats.ts'

const TEXTS: Readonly<Record<string, readonly [right: readonly string[], wrong: readonly string[]]>> = {
  date: [
    ['2024-02-29', '1963-06-19', '2000-02-29'],
    ['2023-02-29', '1900-02-29', '2024-13-01', '2024-04-31', '1963-6-1', '০1963-06-19'],
  ],
  time: [
    ['08:30:06Z', '08:30:06.283185z', '23:59:60Z', '01:29:60+01:30', '23:20:50.52-08:00'],
    ['08:30:06', '24:00:00Z', '12:60:00Z', '22:59:60Z', '12:00:00+24:00', '8:30:06Z', '01:02:03Z+00:30'],
  ],
  'date-time': [
    ['1963-06-19T08:30:06.283185Z', '1937-01-01t12:00:27.87+00:20'],
    ['1990-02-31T15:59:59Z', '1963-06-19T08:30:06', '1963-06-19'],
  ],
  duration: [
    ['P4DT12H30M5S', 'PT0S', 'P1Y2M', 'P2W', 'PT36H'],
    ['P', 'PT', 'P1D2H', 'P1Y2W', 'PT1D', '4DT12H', 'P1', 'P2D1Y'],
  ],
  hostname: [
    ['www.example.com', 'a', 'xn--4gbwdl.xn--wgbh1c', `${'a'.repeat(63)}.b`],
    ['-a', 'a-', 'a_b', '', '.', 'a..b', `${'a'.repeat(64)}.b`, 'a'.repeat(254)],
  ],
  email: [
    ['joe.bloggs@example.com', '"joe bloggs"@example.com', 'joe@[127.0.0.1]', 'joe@[IPv6:::1]', '~a@b'],
    [
      '2962',
      '.a@b.c',
      'a.@b.c',
      'a..b@c.d',
      'joe bloggs@example.com',
      'joe@[127.0.0.300]',
      'joe@exam=ple',
      `${'a'.repeat(65)}@b`,
    ],
  ],
  ipv4: [
    ['192.168.0.1', '0.0.0.0', '255.255.255.255'],
    ['127.0.0.0.1', '256.1.1.1', '127.0', '0x7f.0.0.1', '01.1.1.1', '1.1.1.1.'],
  ],
  ipv6: [
    ['::1', '::', '1:2:3:4:5:6:7:8', '::ffff:192.168.0.1', '1::d6:192.168.0.1', 'ABCD::'],
    [
      '12345::',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '1::2::3',
      ':::',
      '1:2:3:4:5:6:7::8',
      '::1.2.3',
      '::1%eth0',
      '1.2.3.4::',
      '1:',
    ],
  ],
  uri: [
    [
      'http://foo.bar/?baz=qux#quux',
      'urn:a:b',
      'ftp://user:pw@host:21/x',
      'http://[2001:db8::7]/c',
      'data:image/png;base64,aGk=',
      'tel:+1-816',
    ],
    [
      '//foo.bar',
      '/abc',
      'abc',
      'http:// no',
      ':// no',
      '\\\\WINDOWS',
      'http://a/<b>',
      'https://[@a.example/',
      'http://a:b/',
      'a:%zz',
      'http://a/#b#c',
    ],
  ],
  'uri-reference': [
    ['/abc', '//foo.bar/?a', '#fragment', '', 'a/b'],
    ['\\\\WINDOWS', 'a b', '#a\\b', '1:2'],
  ],
  url: [['https://a.example/x'], ['a:b', 'https://', 'javascript:alert(1)']],
  'uri-template': [
    ['http://a/{b:1}/{+c,d*}{?e}', '', 'abc'],
    ['http://a/{b', '{}', '{b,}', 'a b'],
  ],
  uuid: [
    ['2EB8AA08-aa98-11ea-b4aa-73b441d16380'],
    ['2eb8aa08-aa98-11ea-b4aa-73b441d1638', '2eb8aa08aa9811eab4aa73b441d16380'],
  ],
  'json-pointer': [
    ['', '/', '/a~1b/m~0n', '/ '],
    ['a', '/a~', '/~2', '#/a'],
  ],
  'json-pointer-uri-fragment': [
    ['#', '#/a%25b'],
    ['/a', '#a', '#/%zz'],
  ],
  'relative-json-pointer': [
    ['0', '1/a', '2#', '0/'],
    ['', '/a', '-1', '01/a', '0##', '1a'],
  ],
  regex: [
    ['^a+$', '(?=a)'],
    ['(', '[a'],
  ],
}

describe('formats', () => {
  for (const [name, [right, wrong]] of Object.entries(TEXTS)) {
    test(name, () => {
      for (const text of right) expect([text, FORMATS[name]?.(text)]).toEqual([text, true])
      for (const text of wrong) expect([text, FORMATS[name]?.(text)]).toEqual([text, false])
    })
  }

  test('all are here', () => expect(Object.keys(TEXTS).toSorted()).toEqual(Object.keys(FORMATS).toSorted()))

  test('take time in proportion to the text', () => {
    const before = performance.now()
    for (const format of Object.values(FORMATS)) {
      for (const start of ['', 'a:', 'P', '//', 'a@', '"', '/', '1:', '#']) {
        for (const part of ['a', '.', '%41', '{a}', '{a,', '::', '0', '~0', '/a', '"\\', '@', '[', ' ', '#', 'a-']) {
          // One that is short enough to be looked at by every pattern, and a long one.
          for (const length of [1_900, 200_000]) format(`${start}${part.repeat(length / part.length)}!`)
        }
      }
    }
    // Some seconds, of which none is spent on going back.
    expect(performance.now() - before).toBeLessThan(60_000)
  })
})
