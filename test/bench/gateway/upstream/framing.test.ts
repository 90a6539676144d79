import { describe, expect, test } from 'bun:test'
import { createFramer } from './framing.ts'

const count = (pieces: readonly (Buffer | string)[]): number => {
  const framer = createFramer()
  return pieces.reduce((sum, piece) => sum + framer(Buffer.from(piece)), 0)
}

const REQUESTS = {
  'with a body': 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\n{"a":"\r\n"} ',
  'in lower case': 'POST / HTTP/1.1\r\ncontent-length:2\r\nhost: x\r\n\r\n{}',
  'without a body': 'GET / HTTP/1.1\r\nhost: x\r\n\r\n',
  'with an empty body': 'POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n',
  'in chunks': 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  'in no chunks at all': 'POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
}

describe.each(Object.entries(REQUESTS))('a request %s', (_, text) => {
  test('ends once, wherever the network cuts', () => {
    for (let cut = 1; cut < text.length; cut += 1) {
      expect(count([text.slice(0, cut), text.slice(cut)]), `cut at ${cut}`).toBe(1)
    }
    expect(count([...text])).toBe(1)
  })

  test('does not end before its last byte', () => expect(count([text.slice(0, -1)])).toBe(0))

  test('may be followed by others on the same connection', () => {
    expect(count([text, REQUESTS['with a body'], text, REQUESTS['without a body']])).toBe(4)
  })
})

test('requests with a length may come in one piece', () => {
  expect(count([REQUESTS['with a body'].repeat(5) + REQUESTS['without a body'].repeat(3)])).toBe(8)
})

test('the length of the next request is not taken for that of this one', () => {
  expect(count([REQUESTS['without a body'] + REQUESTS['with a body']])).toBe(2)
})
