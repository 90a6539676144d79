import { describe, expect, test } from 'bun:test'
import type { WireRequest } from './request-head.ts'
import { RequestWriter, type Sink } from './request-writer.ts'

/** A socket that takes as many bytes as it is told, one number a write; then nothing. */
class Socket implements Sink {
  readonly writes: string[] = []
  readonly takes: number[]

  constructor(...takes: number[]) {
    this.takes = takes
  }

  write(bytes: Uint8Array, offset: number, length: number): number {
    const taken = Math.min(this.takes.shift() ?? 0, length)
    if (taken > 0) this.writes.push(Buffer.from(bytes.subarray(offset, offset + taken)).toString('latin1'))
    return taken
  }

  get text(): string {
    return this.writes.join('')
  }
}

const request = (head: string, body?: Uint8Array | string): WireRequest => ({
  method: 'POST',
  head,
  body,
  bodyBytes: body === undefined ? 0 : typeof body === 'string' ? Buffer.byteLength(body) : body.length,
})
const fail = (error: unknown): void => {
  throw error
}
const utf8 = (text: string): string => Buffer.from(text).toString('latin1')
const ALL = Number.MAX_SAFE_INTEGER

describe('a request is written', () => {
  test.each<[string, WireRequest, string]>([
    ['without a body', request('head'), 'head'],
    ['with text', request('h\u00e9ad', 'b\u00f6dy \u20ac \ud800'), `h\u00e9ad${utf8('b\u00f6dy \u20ac \ufffd')}`],
    ['with bytes', request('h\u00e9ad', new Uint8Array([0, 255, 128])), 'h\u00e9ad\u0000\u00ff\u0080'],
  ])('%s in one go', (_name, what, expected) => {
    const socket = new Socket(ALL)
    const writer = new RequestWriter(socket, fail)
    expect(writer.write(what)).toBe(true)
    expect(socket.writes).toEqual([expected])
    expect(writer.pending).toBe(false)
  })

  test.each<[string, WireRequest, string]>([
    ['text', request('h\u00e9ad', 'b\u00f6dy'), `h\u00e9ad${utf8('b\u00f6dy')}`],
    ['bytes', request('head', Buffer.from('body')), 'headbody'],
    ['a large text', request('head', '\u00fc'.repeat(50_000)), `head${utf8('\u00fc'.repeat(50_000))}`],
    ['a large head', request('h'.repeat(70_000), 'body'), `${'h'.repeat(70_000)}body`],
    ['many bytes', request('head', new Uint8Array(100_000)), `head${'\u0000'.repeat(100_000)}`],
  ])('with %s, however little the system takes at once', (_name, what, expected) => {
    for (const take of [1, 3, 7, 10_000, 99_999]) {
      const socket = new Socket(...Array<number>(Math.min(expected.length, 200) + 1).fill(take))
      if (take < 10_000 && expected.length > 1_000) socket.takes.push(ALL)
      const writer = new RequestWriter(socket, fail)
      writer.write(what)
      // What is put together next, for another connection, must not be sent on this one.
      new RequestWriter(new Socket(ALL), fail).write(request('X'.repeat(1_000), 'Y'.repeat(60_000)))
      for (let left = 1_000; writer.pending && left > 0; left--) writer.continue()
      expect([writer.pending, socket.text === expected]).toEqual([false, true])
    }
  })

  test('not at all on a closed socket', () => {
    const socket: Sink = { write: () => -1 }
    const writer = new RequestWriter(socket, fail)
    expect([writer.write(request('head', 'body')), writer.pending]).toEqual([false, true])
    writer.continue()
    expect(writer.pending).toBe(true)
  })
})
