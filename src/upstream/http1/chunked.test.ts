import { describe, expect, test } from 'bun:test'
import { ChunkedDecoder } from './chunked.ts'

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'))

/** Decodes the text, cut into these lengths. */
const decode = (text: string, ...lengths: number[]): { data: string; rest: string; done: boolean } => {
  const decoder = new ChunkedDecoder()
  let data = ''
  let at = 0
  while (at < text.length) {
    const length = lengths.shift() ?? text.length - at
    const bytes = bytesOf(text.slice(at, at + length))
    const end = decoder.decode(bytes, 0)
    if (decoder.piece !== undefined) data += Buffer.from(decoder.piece).toString('latin1')
    at += length
    if (decoder.done) return { data, rest: text.slice(at - length + end), done: true }
    expect(end).toBe(bytes.length)
  }
  return { data, rest: '', done: false }
}

const BODY =
  '5\r\nhello\r\n1;ext="a;b"\r\n \r\nA  ;x\r\n0123456789\r\n0a\r\nabcdefghij\r\n0;last\r\nTrailer: x\r\nB: y\r\n\r\n'
const DATA = 'hello 0123456789abcdefghij'

describe('a chunked body', () => {
  test('is its data, whatever stands around it', () => {
    expect(decode(`${BODY}HTTP/1.1 next`)).toEqual({ data: DATA, rest: 'HTTP/1.1 next', done: true })
  })

  test('is the same wherever the network cuts it, once or twice', () => {
    for (let first = 1; first < BODY.length; first++) {
      for (let second = 0; second < BODY.length - first; second++) {
        expect(decode(BODY, first, second)).toEqual({ data: DATA, rest: '', done: true })
      }
    }
  })

  test('is the same byte by byte', () => {
    expect(decode(BODY, ...Array<number>(BODY.length).fill(1))).toEqual({ data: DATA, rest: '', done: true })
  })

  test('is not over before its last byte', () => {
    for (let length = 0; length < BODY.length; length++) expect(decode(BODY.slice(0, length)).done).toBe(false)
  })

  test('gives the data of one read in one piece', () => {
    const decoder = new ChunkedDecoder()
    decoder.decode(bytesOf('HEAD5\r\nhello\r\n3\r\nyou\r\n4\r\nre'), 4)
    expect(Buffer.from(decoder.piece ?? []).toString()).toBe('helloyoure')
    decoder.decode(bytesOf('st\r\n'), 0)
    expect(Buffer.from(decoder.piece ?? []).toString()).toBe('st')
    decoder.decode(bytesOf('0\r\n\r\n'), 0)
    expect([decoder.piece, decoder.done]).toEqual([undefined, true])
  })

  test.each([
    ['no size', '\r\nhello'],
    ['no size before an extension', ';x\r\n'],
    ['a size that is no number', 'zz\r\n'],
    ['a sign', '+5\r\nhello\r\n'],
    ['a minus', '-5\r\nhello\r\n'],
    ['a prefix', '0x5\r\nhello\r\n'],
    ['a space before the size', ' 5\r\nhello\r\n'],
    ['blanks after the size', '5 \r\nhello\r\n'],
    ['a number after the size', '5 5\r\nhello\r\n'],
    ['a line feed alone after the size', '5\nhello\r\n'],
    ['a carriage return alone after the size', '5\rhello\r\n'],
    ['two carriage returns', '5\r\r\nhello\r\n'],
    ['more digits than any size has', `${'0'.repeat(17)}\r\n`],
    ['a size beyond 53 bits', `2${'0'.repeat(13)}\r\n${'0'.repeat(100)}`],
    ['a size that wraps around', `1${'0'.repeat(15)}5\r\nhello\r\n`],
    ['data longer than it says', '4\r\nhello\r\n'],
    ['data shorter than it says', '6\r\nhello\r\n'],
    ['a line feed alone after the data', '5\r\nhello\n'],
    ['a line feed in an extension', '5;a\nb\r\n'],
    ['a NUL in an extension', '5;a\u0000b\r\n'],
    ['a line feed alone in the trailers', '0\r\nx: y\n\r\n'],
    ['a line feed alone at the end', '0\r\n\n'],
    ['a NUL in a trailer', '0\r\nx: \u0000\r\n\r\n'],
    ['an extension without an end', `5;${'x'.repeat(5_000)}`],
    ['padding without an end', `5${' '.repeat(5_000)}`],
    ['trailers without an end', `0\r\n${'x: y\r\n'.repeat(4_000)}`],
  ])('is refused: %s', (_name, text) => {
    expect(() => decode(text)).toThrow('Malformed')
    expect(() => decode(text, ...Array<number>(text.length).fill(1))).toThrow('Malformed')
  })
})
