import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { decodeFrame, encodeEvent, type SseEvent, SseEventTooLarge, SseFramer } from '../../src/core/bodies/sse.ts'

const encoder = new TextEncoder()
const BYTE_ORDER_MARK = new Uint8Array([0xef, 0xbb, 0xbf])

const concat = (pieces: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(pieces))

/** Pieces of `bytes`, cut at the offsets. */
const cut = (bytes: Uint8Array, offsets: readonly number[]): Uint8Array[] => {
  const ends = [...offsets.filter((offset) => offset <= bytes.length), bytes.length].sort((one, other) => one - other)
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
}

interface Read {
  readonly frames: readonly Uint8Array[]
  readonly events: readonly SseEvent[]
  readonly rest: Uint8Array
}

const read = (pieces: readonly Uint8Array[]): Read => {
  const framer = new SseFramer()
  // A copy of each piece: the network's buffers are not shared either.
  const frames = pieces.flatMap((piece) => framer.push(piece.slice()))
  const events = frames.flatMap((frame) => decodeFrame(frame) ?? [])
  return { frames, events, rest: framer.rest() }
}

/** A second reading of the standard, over text and as plain as can be: what the framer is compared with. */
const reference = (bytes: Uint8Array): SseEvent[] => {
  const text = new TextDecoder('utf-8').decode(bytes)
  const lines = text.split(/\r\n|\r|\n/)
  lines.pop()
  const events: SseEvent[] = []
  let data: string[] = []
  let name = ''
  let id: string | undefined
  for (const line of lines) {
    if (line === '') {
      const event = name === '' ? 'message' : name
      if (data.length > 0) events.push({ event, data: data.join('\n'), ...(id === undefined ? {} : { id }) })
      data = []
      name = ''
      id = undefined
      continue
    }
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
    if (field === 'data') data.push(value)
    if (field === 'event') name = value
    if (field === 'id' && !value.includes('\0')) id = value
  }
  return events
}

const newline = () => fc.constantFrom('\n', '\r', '\r\n')

/** Text of one line: letters, colons, spaces and characters of two to four bytes. */
const lineText = () =>
  fc.string({
    unit: fc.constantFrom('a', '{', '"', ':', ' ', 'é', '€', '漢', '😀', '\u2028', '\u0085', '\uFEFF', '\t'),
  })

const line = () =>
  fc.oneof(
    { weight: 4, arbitrary: lineText().map((text) => `data: ${text}`) },
    { weight: 1, arbitrary: lineText().map((text) => `data:${text}`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('data', 'data:', 'event', 'id: 7', 'id', 'id: \0', 'retry: 10', ': ping', ':'),
    },
    { weight: 1, arbitrary: fc.constantFrom('event: message_start', 'event:ping', 'event: error') },
    { weight: 1, arbitrary: lineText() },
    { weight: 3, arbitrary: fc.constant('') },
  )

/** Whole streams, well formed and not: every kind of line, every kind of newline, now and then a byte order mark. */
const streamText = (lines: number) =>
  fc
    .tuple(fc.boolean(), fc.array(fc.tuple(line(), newline()), { maxLength: lines }), fc.boolean())
    .map(([mark, parts, closed]) => {
      const text = parts.map(([content, end]) => content + end).join('')
      return `${mark ? '\uFEFF' : ''}${text}${closed ? '\n\n' : ''}`
    })

const withoutMark = (bytes: Uint8Array): Uint8Array =>
  BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte) ? bytes.subarray(3) : bytes

describe('framing and decoding', () => {
  test('events are those of the standard, at every single cut and byte by byte', () => {
    fc.assert(
      fc.property(streamText(6), (text) => {
        const bytes = encoder.encode(text)
        const expected = reference(bytes)
        expect(read([bytes]).events).toEqual(expected)
        for (let offset = 0; offset <= bytes.length; offset++) {
          expect(read(cut(bytes, [offset])).events).toEqual(expected)
        }
        expect(read(Array.from(bytes, (byte) => new Uint8Array([byte]))).events).toEqual(expected)
      }),
    )
  })

  test('a short stream gives the same events at every one of its splits', () => {
    for (const text of ['\uFEFFdata:é\r\n\r\n', 'data:a\r\rid\n\n', ':\n\ndata\r\n\r\n', 'event:x\ndata:1\n\n']) {
      const bytes = encoder.encode(text)
      const expected = reference(bytes)
      for (let mask = 0; mask < 2 ** (bytes.length - 1); mask++) {
        const offsets = Array.from(bytes, (_, index) => index + 1).filter((offset) => (mask >> (offset - 1)) & 1)
        const { events } = read(cut(bytes, offsets))
        // A bare comparison first: there are tens of thousands of splits.
        if (!Bun.deepEquals(events, expected))
          expect({ text, offsets, events }).toEqual({ text, offsets, events: expected })
      }
    }
  })

  test('longer streams give the same events at random cuts', () => {
    fc.assert(
      fc.property(streamText(80), fc.array(fc.nat({ max: 2_000 }), { maxLength: 40 }), (text, offsets) => {
        const bytes = encoder.encode(text)
        expect(read(cut(bytes, offsets)).events).toEqual(reference(bytes))
      }),
    )
  })

  test('frames and rest, joined, are the bytes that came, without a leading byte order mark', () => {
    fc.assert(
      fc.property(streamText(30), fc.array(fc.nat({ max: 600 }), { maxLength: 20 }), (text, offsets) => {
        const bytes = encoder.encode(text)
        const { frames, rest } = read(cut(bytes, offsets))
        expect(Buffer.from(concat([...frames, rest])).equals(withoutMark(bytes))).toBe(true)
      }),
    )
  })

  test('bytes that are no UTF-8 pass through the framer unchanged and never make the decoder throw', () => {
    const bytesOf = fc.uint8Array({ maxLength: 200 })
    fc.assert(
      fc.property(bytesOf, fc.array(fc.nat({ max: 200 }), { maxLength: 8 }), (bytes, offsets) => {
        const { frames, events, rest } = read(cut(bytes, offsets))
        const joined = Buffer.from(concat([...frames, rest]))
        // One or two bytes that only begin a mark are held back and come out as the rest.
        expect(joined.equals(withoutMark(bytes))).toBe(true)
        expect(events).toEqual(read([bytes]).events as SseEvent[])
      }),
      { numRuns: 500 },
    )
  })

  test('only the first byte order mark is skipped', () => {
    const text = '\uFEFFdata: a\n\n\uFEFFdata: b\n\ndata: c\n\n'
    expect(read([encoder.encode(text)]).events.map(({ data }) => data)).toEqual(['a', 'c'])
  })

  test('encodeEvent and back', () => {
    const data = fc.string({ unit: fc.constantFrom('a', ':', ' ', '\n', '漢', '😀') })
    const names = fc.constantFrom(undefined, 'message', 'error', 'message_stop')
    fc.assert(
      fc.property(fc.array(fc.tuple(data, names)), fc.array(fc.nat({ max: 400 })), (events, offsets) => {
        const bytes = concat(events.map(([text, name]) => encodeEvent(text, name)))
        const expected = events.map(([text, name]) => ({ event: name ?? 'message', data: text }))
        expect(read(cut(bytes, offsets)).events).toEqual(expected)
      }),
    )
  })
})

describe('the memory of the framer', () => {
  test('holds no more than the unfinished event', () => {
    fc.assert(
      fc.property(streamText(30), fc.array(fc.nat({ max: 600 }), { maxLength: 20 }), (text, offsets) => {
        const framer = new SseFramer()
        let came = 0
        let left = 0
        for (const piece of cut(encoder.encode(text), offsets)) {
          came += piece.length
          for (const frame of framer.push(piece)) left += frame.length
          // Three bytes more at most: a byte order mark leaves without a frame.
          expect(came - left - framer.rest().length).toBeWithin(0, 4)
        }
      }),
    )
  })

  test('an unfinished event above the limit is given up, wherever it is cut', () => {
    const limit = 64
    fc.assert(
      fc.property(
        fc.integer({ min: 65, max: 300 }),
        fc.array(fc.nat({ max: 300 }), { maxLength: 10 }),
        (size, offsets) => {
          const framer = new SseFramer(limit)
          const pieces = cut(encoder.encode(`data: a\n\n${'x'.repeat(size)}`), offsets)
          expect(() => {
            for (const piece of pieces) framer.push(piece)
          }).toThrow(SseEventTooLarge)
          expect(framer.rest().length).toBeLessThanOrEqual(size)
        },
      ),
    )
  })

  test('events of the limit pass, however many there are', () => {
    const framer = new SseFramer(64)
    const event = encoder.encode(`data: ${'x'.repeat(56)}\n\n`)
    expect(event.length).toBe(64)
    for (let count = 0; count < 1_000; count++) {
      const frames = [...event].flatMap((byte) => framer.push(new Uint8Array([byte])))
      expect(frames.length).toBe(1)
    }
  })
})
