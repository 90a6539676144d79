import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { BINARY, encodeFrame, FrameError, FrameReader, PING, TEXT } from './frames.ts'

/** A frame as a server sends it: not masked. */
const frame = (first: number, payload: Uint8Array, length = payload.length): Uint8Array => {
  const head =
    length < 126
      ? [first, length]
      : length <= 0xffff
        ? [first, 126, length >> 8, length & 0xff]
        : [first, 127, 0, 0, 0, 0, length >> 24, (length >> 16) & 0xff, (length >> 8) & 0xff, length & 0xff]
  return Buffer.concat([Uint8Array.from(head), payload])
}

interface Message {
  readonly kind: number
  readonly payload: Uint8Array
}

const readAll = (bytes: Uint8Array, pieceBytes = bytes.length, maxBytes = 1_000_000): Message[] => {
  const messages: Message[] = []
  const reader = new FrameReader(maxBytes, (kind, payload) => messages.push({ kind, payload }))
  for (let at = 0; at < bytes.length; at += pieceBytes) reader.read(Buffer.from(bytes.subarray(at, at + pieceBytes)))
  return messages
}

const LAST = 0x80

describe('frames of a server', () => {
  test('are read wherever the network cuts them, and fragments are put together', () => {
    const messages = fc.array(fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 4 }), {
      maxLength: 6,
    })
    fc.assert(
      fc.property(messages, fc.integer({ min: 1, max: 400 }), (sent, pieceBytes) => {
        const bytes = sent.flatMap((fragments) =>
          fragments.flatMap((payload, index) => {
            const isLast = index === fragments.length - 1
            // A control frame may come between two fragments.
            return [
              frame((isLast ? LAST : 0) | (index === 0 ? BINARY : 0), payload),
              frame(LAST | PING, Buffer.from('p')),
            ]
          }),
        )
        const read = readAll(Buffer.concat(bytes), pieceBytes)
        const whole = read
          .filter(({ kind }) => kind === BINARY)
          .map(({ payload }) => Buffer.from(payload).toString('hex'))
        expect(whole).toEqual(sent.map((fragments) => Buffer.concat(fragments).toString('hex')))
        expect(read.filter(({ kind }) => kind === PING).length).toBe(sent.flat().length)
      }),
    )
  })

  test.each([0, 125, 126, 65_535, 65_536, 200_000])('of %i bytes', (length) => {
    const payload = new Uint8Array(length).fill(7)
    expect(readAll(frame(LAST | TEXT, payload), 10_000)).toEqual([{ kind: TEXT, payload: expect.anything() }])
  })

  test.each<[string, Uint8Array, number]>([
    ['masked', Uint8Array.from([LAST | TEXT, 0x80, 0, 0, 0, 0]), 1002],
    ['of an extension', frame(LAST | 0x40 | TEXT, Buffer.from('x')), 1002],
    ['of an unknown kind', frame(LAST | 0x3, Buffer.from('x')), 1002],
    ['a control frame in fragments', frame(PING, Buffer.from('x')), 1002],
    ['a large control frame', frame(LAST | PING, new Uint8Array(126)), 1002],
    ['a fragment of nothing', frame(LAST, Buffer.from('x')), 1002],
    [
      'a message within another',
      Buffer.concat([frame(TEXT, Buffer.from('x')), frame(LAST | TEXT, Buffer.from('y'))]),
      1002,
    ],
    ['too large, before it has come', frame(LAST | BINARY, new Uint8Array(0), 1_001), 1009],
    ['too large together', Buffer.concat([frame(BINARY, new Uint8Array(600)), frame(LAST, new Uint8Array(600))]), 1009],
  ])('that cannot be: %s', (_what, bytes, code) => {
    let thrown: unknown
    try {
      readAll(bytes, bytes.length, 1_000)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(FrameError)
    expect(thrown).toMatchObject({ code })
  })
})

test('a text that is sent is the bytes of its characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.integer({ min: 1, max: 500 }), (text, times) => {
      const many = text.repeat(times)
      const sent = encodeFrame(TEXT, many).slice()
      expect(sent[0]).toBe(LAST | TEXT)
      const bytes = encodeFrame(BINARY, Buffer.from(many))
      expect(opened(sent)).toEqual(opened(bytes))
    }),
  )
})

/** What a frame holds, without its mask. */
const opened = (frame: Uint8Array): Buffer => {
  const short = (frame[1] ?? 0) & 0x7f
  const maskAt = short < 126 ? 2 : short === 126 ? 4 : 10
  const mask = frame.slice(maskAt, maskAt + 4)
  return Buffer.from(frame.subarray(maskAt + 4).map((byte, index) => byte ^ (mask[index % 4] ?? 0)))
}

test('what a client sends is masked, each time with another mask, and of the right length', () => {
  const masks = new Set<string>()
  for (const length of [0, 125, 126, 127, 128, 65_500, 65_535, 65_536]) {
    const payload = new Uint8Array(length).map((_, index) => index % 256)
    const sent = encodeFrame(BINARY, payload)
    const maskAt = sent.length - length - 4
    expect([maskAt, sent[0], (sent[1] ?? 0) & 0x80]).toEqual([
      length < 126 ? 2 : length < 65_536 ? 4 : 10,
      LAST | BINARY,
      0x80,
    ])
    masks.add(Buffer.from(sent.subarray(maskAt, maskAt + 4)).toString('hex'))
    expect(Buffer.compare(opened(sent), payload)).toBe(0)
  }
  expect(masks.size).toBe(8)
})
