import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { collect } from '../../core/bodies/answer.ts'
import { Pipe } from '../../core/bodies/pipe.ts'
import { fromPieces } from '../../core/bodies/ready-stream.ts'
import { UpstreamInvalid } from '../../errors/gateway-error.ts'
import { EventStreamReader, eventStreamMachine } from './event-stream.ts'
import vectors from './fixtures/event-streams.json'

const bytesOf = (base64: string): Uint8Array => Buffer.from(base64, 'base64')

const read = (pieces: readonly Uint8Array[]) => {
  const reader = new EventStreamReader()
  const messages = pieces.flatMap((piece) => reader.push(piece))
  return { messages, isBetween: reader.isBetween }
}

describe('the published vectors', () => {
  test.each(vectors.positive.map((vector) => [vector.name, vector] as const))('%s', (_name, vector) => {
    const { messages, isBetween } = read([bytesOf(vector.bytes)])
    expect(isBetween).toBe(true)
    expect(messages.map(({ headers }) => Object.fromEntries(headers))).toEqual([vector.headers as never])
    expect(Buffer.from(messages[0]?.payload ?? []).toString('base64')).toBe(vector.payload)
  })

  test.each(vectors.negative.map((vector) => [vector.name, vector] as const))('%s is refused', (_name, { bytes }) => {
    expect(() => read([bytesOf(bytes)])).toThrow(UpstreamInvalid)
  })
})

const ALL = Buffer.concat(vectors.positive.map(({ bytes }) => bytesOf(bytes)))

test('cuts of the network make no difference', () => {
  const whole = read([ALL]).messages
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: ALL.length }), { maxLength: 12 }), (cuts) => {
      const ends = [0, ...cuts.toSorted((one, other) => one - other), ALL.length]
      const pieces = ends.slice(1).map((end, index) => ALL.subarray(ends[index], end))
      expect(read(pieces)).toEqual({ messages: whole, isBetween: true })
    }),
  )
})

test('bytes that were changed are never read as something else', () => {
  const whole = read([ALL]).messages
  fc.assert(
    fc.property(fc.nat(ALL.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const bytes = Buffer.from(ALL)
      bytes[at] = (bytes[at] ?? 0) ^ change
      expect(() => expect(read([bytes]).messages.length).toBe(whole.length)).toThrow(UpstreamInvalid)
    }),
  )
})

test('a length beyond all messages is refused before it is waited for', () => {
  const prelude = Buffer.alloc(12)
  prelude.writeUInt32BE(0x7fffffff, 0)
  prelude.writeUInt32BE(Bun.hash.crc32(prelude.subarray(0, 8)), 8)
  expect(() => read([prelude])).toThrow('impossible length')
})

test('messages become what is said of them', async () => {
  const machine = eventStreamMachine(({ payload }) => (payload.length === 0 ? undefined : payload))
  const text = Buffer.from(await collect(new Pipe(fromPieces([ALL]), machine), 1000)).toString()
  expect(text).toBe("{'foo':'bar'}".repeat(4))
})
