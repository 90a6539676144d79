import { describe, expect, test } from 'bun:test'
import { framingOf } from './framing.ts'

type Header = readonly [string, string]
const framing = (headers: readonly Header[], { method = 'POST', status = 200, minor = 1 } = {}) =>
  framingOf(method, { status, minor, headers })

describe('where a body ends', () => {
  test.each<[string, readonly Header[], number | string]>([
    ['by its length', [['content-length', '12']], 12],
    ['at once', [['content-length', '0']], 0],
    ['by a length with zeros before it', [['content-length', '0012']], 12],
    [
      'by a length said twice',
      [
        ['content-length', '5'],
        ['content-length', '5'],
      ],
      5,
    ],
    ['by chunks', [['transfer-encoding', 'chunked']], 'chunked'],
    ['by chunks, in any case', [['transfer-encoding', 'Chunked']], 'chunked'],
    ['with the connection', [], 'until-close'],
  ])('%s', (_name, headers, length) => {
    expect(framing(headers).length).toBe(length as number)
  })

  test.each<[string, readonly Header[]]>([
    [
      'a length and chunks',
      [
        ['content-length', '5'],
        ['transfer-encoding', 'chunked'],
      ],
    ],
    [
      'chunks and a length',
      [
        ['transfer-encoding', 'chunked'],
        ['content-length', '5'],
      ],
    ],
    [
      'two lengths',
      [
        ['content-length', '5'],
        ['content-length', '6'],
      ],
    ],
    [
      'the same length in two spellings',
      [
        ['content-length', '5'],
        ['content-length', '05'],
      ],
    ],
    ['a list of lengths', [['content-length', '5, 5']]],
    ['a signed length', [['content-length', '+5']]],
    ['a negative length', [['content-length', '-5']]],
    ['a length in hex', [['content-length', '0x5']]],
    ['a length with a fraction', [['content-length', '5.0']]],
    ['an empty length', [['content-length', '']]],
    ['a length beyond all measure', [['content-length', '9'.repeat(16)]]],
    ['an unknown coding', [['transfer-encoding', 'xchunked']]],
    ['a second coding', [['transfer-encoding', 'gzip, chunked']]],
    ['chunks that are not last', [['transfer-encoding', 'chunked, identity']]],
    [
      'chunks twice',
      [
        ['transfer-encoding', 'chunked'],
        ['transfer-encoding', 'chunked'],
      ],
    ],
    ['no coding', [['transfer-encoding', '']]],
    ['identity', [['transfer-encoding', 'identity']]],
  ])('is not decided by %s', (_name, headers) => {
    expect(() => framing(headers)).toThrow('Malformed')
    // Not even when there is no body at all.
    expect(() => framing(headers, { status: 204 })).toThrow('Malformed')
  })

  test('HTTP/1.0 knows no chunks', () => {
    expect(() => framing([['transfer-encoding', 'chunked']], { minor: 0 })).toThrow('Malformed')
  })

  test.each([{ method: 'HEAD' }, { status: 204 }, { status: 304 }])('there is none for %p', (of) => {
    expect(framing([['content-length', '5']], of).length).toBe(0)
    expect(framing([['transfer-encoding', 'chunked']], of).length).toBe(0)
    expect(framing([], of)).toMatchObject({ length: 0, reusable: false })
  })
})

describe('the connection afterwards', () => {
  test.each<[string, boolean]>([
    ['close', false],
    ['Close', false],
    ['keep-alive, close', false],
    ['close , x', false],
    ['keep-alive', true],
    ['closed', true],
    ['not-close', true],
  ])('Connection: %s', (value, reusable) => {
    const body: Header = ['content-length', '1']
    expect(framing([['connection', value], body]).reusable).toBe(reusable)
  })

  test('is over without a length, and after HTTP/1.0', () => {
    expect(framing([]).reusable).toBe(false)
    expect(framing([['content-length', '1']], { minor: 0 }).reusable).toBe(false)
    expect(framing([['transfer-encoding', 'chunked']]).reusable).toBe(true)
  })

  test.each<[string, number | undefined]>([
    ['timeout=5', 5],
    ['timeout=5, max=100', 5],
    ['max=100, Timeout = "7"', 7],
    ['max=100', undefined],
    ['xtimeout=5', undefined],
    ['timeout=soon', undefined],
  ])('Keep-Alive: %s', (value, seconds) => {
    expect(
      framing([
        ['keep-alive', value],
        ['content-length', '0'],
      ]).keepAliveSeconds,
    ).toBe(seconds)
  })
})
