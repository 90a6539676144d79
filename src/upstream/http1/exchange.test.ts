import { describe, expect, test } from 'bun:test'
import { nextPiece } from '../../core/bodies/ready-stream.ts'
import { Exchange } from './exchange.ts'
import type { WireRequest } from './request-head.ts'

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'))
const exchangeFor = (method = 'POST'): Exchange => {
  const request: WireRequest = { method, head: '', body: undefined, bodyBytes: 0 }
  return new Exchange(request, { resume: () => undefined, destroy: () => undefined })
}

interface Outcome {
  readonly status: number
  readonly body: string
  readonly done: boolean
  readonly surplus: boolean
  readonly reusable: boolean | undefined
}

/** Plays the pieces, then closes the connection as told. */
const play = async (
  pieces: readonly string[],
  { method = 'POST', close }: { readonly method?: string; readonly close?: 'properly' | 'reset' } = {},
): Promise<Outcome> => {
  const exchange = exchangeFor(method)
  exchange.answered.catch(() => undefined)
  for (const piece of pieces) if (!exchange.done) exchange.receive(bytesOf(piece))
  const { done, surplus } = exchange
  if (close !== undefined) exchange.closed(close === 'properly')
  const { head, body } = await exchange.answered
  let text = ''
  for (let piece = await nextPiece(body); piece !== undefined; piece = await nextPiece(body)) {
    text += Buffer.from(piece).toString('latin1')
  }
  return { status: head.status, body: text, done, surplus, reusable: exchange.framing?.reusable }
}

const WITH_LENGTH = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nx: y\r\n\r\nhello'
const CHUNKED = 'HTTP/1.1 201 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nhel\r\n2\r\nlo\r\n0\r\nt: x\r\n\r\n'
const INTERIM = `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nlink: x\r\n\r\n${WITH_LENGTH}`

describe('an answer', () => {
  test.each([
    ['with a length', WITH_LENGTH, { status: 200, body: 'hello', done: true, surplus: false, reusable: true }],
    ['in chunks', CHUNKED, { status: 201, body: 'hello', done: true, surplus: false, reusable: true }],
    ['after interim ones', INTERIM, { status: 200, body: 'hello', done: true, surplus: false, reusable: true }],
  ])('%s is the same wherever the network cuts it', async (_name, text, expected) => {
    expect(await play([text])).toEqual(expected)
    expect(await play([...text])).toEqual(expected)
    for (let cut = 1; cut < text.length; cut++) {
      expect(await play([text.slice(0, cut), text.slice(cut)])).toEqual(expected)
    }
  })

  test.each([
    ['with a length', WITH_LENGTH],
    ['in chunks', CHUNKED],
  ])('%s that ends early is a failure, at every byte', async (_name, text) => {
    for (let cut = 0; cut < text.length; cut++) {
      for (const close of ['properly', 'reset'] as const) {
        await expect(play([text.slice(0, cut)], { close })).rejects.toThrow('ended before')
      }
    }
  })

  test('without a length ends with its connection, if that ends properly', async () => {
    const text = 'HTTP/1.1 200 OK\r\n\r\nhello'
    expect(await play([...text], { close: 'properly' })).toMatchObject({ body: 'hello', done: false, reusable: false })
    await expect(play([text], { close: 'reset' })).rejects.toThrow('ended before')
    expect(await play(['HTTP/1.0 200 OK\r\n\r\n'], { close: 'properly' })).toMatchObject({ body: '' })
  })

  test.each([
    ['HEAD', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n'],
    ['HEAD', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'],
    ['POST', 'HTTP/1.1 204 No Content\r\n\r\n'],
    ['POST', 'HTTP/1.1 304 Not Modified\r\ncontent-length: 5\r\n\r\n'],
    ['POST', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'],
  ])('to %s may have no body: %p', async (method, text) => {
    expect(await play([text], { method })).toMatchObject({ body: '', done: true, surplus: false })
  })

  test.each([
    ['a length', WITH_LENGTH],
    ['chunks', CHUNKED],
    ['no body', 'HTTP/1.1 204 No Content\r\n\r\n'],
  ])('with %s tells what came behind it', async (_name, text) => {
    expect(await play([`${text}H`])).toMatchObject({ done: true, surplus: true })
    expect(await play([text.slice(0, -1), `${text.slice(-1)}HTTP/1.1 200 OK\r\n\r\n`])).toMatchObject({ surplus: true })
  })

  test.each([
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n'],
    ['interim answers without an end', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(9)],
    ['a head that is none', 'HTTP/1.1 200 OK\r\nx : y\r\n\r\n'],
    ['two framings', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n'],
    ['no HTTP', 'hello'],
    ['a chunk that is none', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nhello\r\n'],
  ])('is refused: %s', (_name, text) => {
    const exchange = exchangeFor()
    expect(() => exchange.receive(bytesOf(text))).toThrow('Malformed')
  })

  test('fails where it stands: before its head the call, after it the body', async () => {
    const early = exchangeFor()
    early.fail(new Error('broken'))
    await expect(early.answered).rejects.toThrow('broken')
    const late = exchangeFor()
    late.receive(bytesOf(WITH_LENGTH.slice(0, -2)))
    late.fail(new Error('broken'))
    late.fail(new Error('again'))
    const { body } = await late.answered
    expect((await nextPiece(body))?.length).toBe(3)
    await expect(nextPiece(body)).rejects.toThrow('broken')
  })

  test('knows whether a byte of it has come', () => {
    const exchange = exchangeFor()
    expect(exchange.untouched).toBe(true)
    exchange.receive(bytesOf('H'))
    expect(exchange.untouched).toBe(false)
  })
})
