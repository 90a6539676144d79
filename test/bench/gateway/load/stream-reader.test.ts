import { expect, test } from 'bun:test'
import { createStreamReader, type Progress } from './stream-reader.ts'

const ANSWER = Buffer.from(
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n9\r\ndata: 1\n\n\r\n12\r\ndata: 2\n\ndata: 3\n\n\r\n0\r\n\r\n',
)

const readAll = (pieces: readonly Buffer[]) => {
  const read = createStreamReader()
  const all: Progress[] = pieces.map((piece) => read(piece))
  return { events: all.reduce((sum, { events }) => sum + events, 0), last: all.at(-1) }
}

test('counts the events and finds the end wherever the network cuts', () => {
  for (let cut = 0; cut <= ANSWER.length; cut += 1) {
    const { events, last } = readAll([ANSWER.subarray(0, cut), ANSWER.subarray(cut)].filter(({ length }) => length > 0))
    expect(events, `cut at ${cut}`).toBe(3)
    expect(last, `cut at ${cut}`).toMatchObject({ hasBody: true, hasEnded: true, status: 200 })
  }
  expect(readAll([...ANSWER].map((byte) => Buffer.of(byte)))).toMatchObject({ events: 3, last: { hasEnded: true } })
})

test('an answer with a length ends with its last byte', () => {
  const text = 'HTTP/1.1 200 OK\r\nContent-Length: 18\r\n\r\ndata: 1\n\ndata: 2\n\n'
  expect(readAll([Buffer.from(text)])).toMatchObject({ events: 2, last: { hasEnded: true } })
  expect(readAll([Buffer.from(text.slice(0, -1))]).last?.hasEnded).toBe(false)
})

test('a stream that goes on has no end yet, and a head alone is no body', () => {
  expect(readAll([ANSWER.subarray(0, -1)]).last?.hasEnded).toBe(false)
  expect(readAll([ANSWER.subarray(0, ANSWER.indexOf('9\r\n'))]).last?.hasBody).toBe(false)
})
