import { describe, expect, test } from 'bun:test'
import { readMetadata } from '#calls/metadata'
import { InvalidHeader } from '#kit'
import type { GatewayHeaders } from '#kit/slots'
import {
  checkForwardHeaders,
  readFlag,
  readForwardHeaders,
  readOwnFinishReason,
  readRequestTimeout,
} from './call-headers.ts'

const named = (fields: Record<string, string>): GatewayHeaders => ({
  get: (name) => fields[name],
  aliasPrefix: () => undefined,
  owns: () => false,
})

/** With `x-acme-` for a prefix of the operator's. */
const ALIASED = { owns: (name: string) => name.startsWith('x-acme-') }

describe('request time-out', () => {
  test('is whole milliseconds, at most a day', () => {
    const read = (text: string) => readRequestTimeout(named({ 'request-timeout': text }))
    expect(readRequestTimeout(named({}))).toBeUndefined()
    expect(read('1')).toBe(1)
    expect(read(' 2500 ')).toBe(2500)
    expect(read('999999999999')).toBe(86_400_000)
  })

  test.each(['0', '-1', '1.5', '1e3', 'soon', '', '1s', '9999999999999'])("'%s' is refused", (text) => {
    expect(() => readRequestTimeout(named({ 'request-timeout': text }))).toThrow(InvalidHeader)
  })
})

describe('the words for finish reasons', () => {
  test.each([
    [undefined, undefined],
    ['openai', undefined],
    ['provider', true],
    [' Provider ', true],
  ] as const)('%p', (text, expected) => {
    expect(readOwnFinishReason(named(text === undefined ? {} : { 'finish-reason': text }))).toBe(expected)
  })

  test.each(['', 'true', 'native'])("'%s' is refused", (text) => {
    expect(() => readOwnFinishReason(named({ 'finish-reason': text }))).toThrow(InvalidHeader)
  })
})

describe('forward headers', () => {
  test('are a list with commas, or JSON as some clients write it', () => {
    const read = (text: string) => readForwardHeaders(named({ 'forward-headers': text }))
    expect(readForwardHeaders(named({}))).toEqual([])
    expect(read('X-A, x-b,')).toEqual(['X-A', 'x-b'])
    expect(read('["X-A", \'x-b\']')).toEqual(['X-A', 'x-b'])
    expect(read('')).toEqual([])
  })

  test('are lower-cased', () => {
    expect(checkForwardHeaders(['X-Request-Id', 'baggage'], ALIASED)).toEqual(['x-request-id', 'baggage'])
  })

  test.each([
    'Authorization',
    'x-api-key',
    'API-KEY',
    'Cookie',
    'Host',
    'Connection',
    'Transfer-Encoding',
    'Content-Length',
    'accept-encoding',
    'x-gateway-api-key',
    'X-Gateway-Config',
    'X-Acme-Api-Key',
    'a b',
    'a:b',
    'a\r\nb',
    '',
  ])("'%s' is refused", (name) => {
    expect(() => checkForwardHeaders(['x-fine', name], ALIASED)).toThrow(InvalidHeader)
  })
})

test('a flag is true or false in any case; anything else counts as absent', () => {
  const read = (text: string) => readFlag(named({ flag: text }), 'flag')
  expect([read('true'), read('FALSE'), read(' True '), read('1'), read('')]).toEqual([
    true,
    false,
    true,
    undefined,
    undefined,
  ])
  expect(readFlag(named({}), 'flag')).toBeUndefined()
})

describe('metadata', () => {
  test('is an object of texts, cut at 128 characters', () => {
    expect(readMetadata('{"_user":"u-1","team":"a"}', null)).toEqual({ _user: 'u-1', team: 'a' })
    expect(readMetadata(JSON.stringify({ long: 'x'.repeat(200) }), null).long).toHaveLength(128)
  })

  test('other values become their JSON', () => {
    expect(readMetadata('{"n":5,"b":true,"o":{"a":1},"z":null}', null)).toEqual({
      n: '5',
      b: 'true',
      o: '{"a":1}',
      z: 'null',
    })
  })

  test.each(['', '{', 'text', '[]', '5', 'null', '"a"'])("'%s' counts as none", (header) => {
    expect(readMetadata(header, null)).toEqual({})
  })

  test('is filled from baggage, under what the header says', () => {
    expect(readMetadata(undefined, 'team=a%20b;ttl=1, user = u-1 ,=x,novalue,bad=%zz')).toEqual({
      team: 'a b',
      user: 'u-1',
      bad: '%zz',
    })
    expect(readMetadata('{"team":"header"}', 'team=baggage,env=prod')).toEqual({ team: 'header', env: 'prod' })
    expect(readMetadata(undefined, `long=${'x'.repeat(200)}`).long).toHaveLength(128)
  })
})
