import { describe, expect, test } from 'bun:test'
import { MAX_HEAD_BYTES } from './bounds.ts'
import { HeadBuffer } from './head-buffer.ts'

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'))
const HEAD = 'HTTP/1.1 200 OK\r\nx: \u00e9\r\n'
const WHOLE = `${HEAD}\r\nbody`

describe('the bytes of a head', () => {
  test('end with the first empty line, and what follows is not theirs', () => {
    const buffer = new HeadBuffer()
    expect(buffer.take(bytesOf(`..${WHOLE}`), 2)).toBe(2 + HEAD.length + 2)
    expect(buffer.text).toBe(HEAD)
  })

  test('are the same wherever the network cuts them, and one by one', () => {
    for (let cut = 1; cut < HEAD.length + 2; cut++) {
      const buffer = new HeadBuffer()
      expect(buffer.take(bytesOf(WHOLE.slice(0, cut)), 0)).toBe(-1)
      expect(buffer.take(bytesOf(WHOLE.slice(cut)), 0)).toBe(HEAD.length + 2 - cut)
      expect(buffer.text).toBe(HEAD)
    }
    const buffer = new HeadBuffer()
    const ends = [...WHOLE].slice(0, HEAD.length + 2).map((byte) => buffer.take(bytesOf(byte), 0))
    expect([ends.indexOf(1), buffer.text]).toEqual([ends.length - 1, HEAD])
  })

  test('may be followed by another head', () => {
    const buffer = new HeadBuffer()
    const bytes = bytesOf(`${HEAD}\r\n${HEAD}\r\n`)
    buffer.take(bytes.subarray(0, 5), 0)
    const second = buffer.take(bytes.subarray(5), 0)
    expect(buffer.take(bytes.subarray(5), second)).toBe(bytes.length - 5)
    expect(buffer.text).toBe(HEAD)
  })

  test.each(['h', 'HTTX', 'HTTP/2', '\u0016\u0003\u0001', '\r\nHTTP/1.1', 'SSH-2.0-x\r\n'])(
    'are known for something else at once: %p',
    (text) => {
      expect(() => new HeadBuffer().take(bytesOf(text), 0)).toThrow('does not begin')
    },
  )

  test('are 64 KiB at most, in one go or many', () => {
    const line = (bytes: number): string =>
      `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(bytes - 'HTTP/1.1 200 OK\r\nx: '.length)}`
    expect(new HeadBuffer().take(bytesOf(`${line(MAX_HEAD_BYTES)}\r\n\r\n`), 0)).toBe(MAX_HEAD_BYTES + 4)
    expect(() => new HeadBuffer().take(bytesOf(`${line(MAX_HEAD_BYTES + 1)}\r\n\r\n`), 0)).toThrow('too long')
    expect(() => new HeadBuffer().take(bytesOf(line(512 * 1024)), 0)).toThrow('too long')
    const buffer = new HeadBuffer()
    const drip = (): void => {
      for (const byte of line(MAX_HEAD_BYTES + 10)) buffer.take(bytesOf(byte), 0)
    }
    const startMs = performance.now()
    expect(drip).toThrow('too long')
    expect(performance.now() - startMs).toBeLessThan(10_000)
  })
})
