import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { FRAME, frameBytes, HEADER_BYTES, sealFrame, toBytes } from './frame.ts'
import { SegmentReader, type SegmentSource } from './segment-reader.ts'

const SEGMENT = 7

const sourceOf = (bytes: Uint8Array): SegmentSource => ({
  length: bytes.length,
  read(into, at) {
    const part = bytes.subarray(at, at + into.length)
    into.set(part)
    return part.length
  },
  close: () => undefined,
})

/** A segment with these payloads, and where each frame ends. */
const segmentOf = (payloads: readonly Uint8Array[], length: number) => {
  const content = toBytes(new Uint8Array(length))
  const ends: number[] = []
  let offset = 0
  for (const payload of payloads) {
    content.bytes.set(payload, offset + HEADER_BYTES)
    offset = sealFrame(content, SEGMENT, offset, FRAME.record, payload.length)
    ends.push(offset)
  }
  return { bytes: content.bytes, ends }
}

const readAll = (bytes: Uint8Array, limit = bytes.length) => {
  const reader = new SegmentReader(SEGMENT, sourceOf(bytes))
  const found: Uint8Array[] = []
  for (let frame = reader.next(limit); frame !== undefined; frame = reader.next(limit))
    found.push(frame.payload.slice())
  return { found, damaged: reader.damaged }
}

describe('frames', () => {
  const payloads = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 40 })

  test('are read as they were written', () => {
    fc.assert(
      fc.property(payloads, (written) => {
        const { bytes } = segmentOf(written, 40 * 400)
        expect(readAll(bytes)).toEqual({ found: written.map((each) => each.slice()), damaged: 0 })
      }),
    )
  })

  test('are read up to where they are complete', () => {
    const written = [1, 2, 3].map((byte) => new Uint8Array(20).fill(byte))
    const { bytes, ends } = segmentOf(written, 1_000)
    expect(readAll(bytes, ends[1]).found).toHaveLength(2)
  })

  test('longer than what is read at once', () => {
    const written = [new Uint8Array(700_000).fill(1), new Uint8Array(10).fill(2), new Uint8Array(1_300_000).fill(3)]
    const { bytes } = segmentOf(written, 3_000_000)
    expect(readAll(bytes).found.map(({ length }) => length)).toEqual([700_000, 10, 1_300_000])
  })

  test('of another segment, or from another place, are none', () => {
    const { bytes } = segmentOf([new Uint8Array(24).fill(1)], 200)
    const moved = new Uint8Array(200)
    moved.set(bytes.subarray(0, 100), 64)
    expect(readAll(moved).found).toEqual([])
    expect(new SegmentReader(SEGMENT + 1, sourceOf(bytes)).next(200)).toBeUndefined()
  })
})

describe('damage', () => {
  test('costs the frame that it hits, and no other', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { minLength: 1, maxLength: 20 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (written, place, flip) => {
          const { bytes, ends } = segmentOf(written, 20 * 400)
          const at = place % (ends.at(-1) ?? 1)
          bytes[at] = (bytes[at] ?? 0) ^ flip
          const hit = ends.findIndex((end) => at < end)
          const { found } = readAll(bytes)
          expect(found).toEqual(written.filter((_, index) => index !== hit))
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test('at the end costs what was not complete', () => {
    fc.assert(
      fc.property(payloadsOf(1, 20), fc.nat(), (written, place) => {
        const { bytes, ends } = segmentOf(written, 20 * 400)
        const cut = place % (ends.at(-1) ?? 1)
        // What was never written is zero; what was cut off is not there.
        const whole = written.filter((_, index) => (ends[index] ?? 0) <= cut)
        expect(readAll(bytes.slice(0, cut)).found).toEqual(whole)
        bytes.fill(0, cut)
        const sound = written.filter((each, index) => (ends[index] ?? 0) <= cut || isZero(each, ends[index] ?? 0, cut))
        expect(readAll(bytes).found).toEqual(sound)
      }),
      { numRuns: 2_000 },
    )
  })
})

const payloadsOf = (minLength: number, maxLength: number) =>
  fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { minLength, maxLength })

/** Whether the cut took only zeros of a frame. */
const isZero = (payload: Uint8Array, end: number, cut: number): boolean => {
  const from = end - frameBytes(payload.length) + HEADER_BYTES
  return cut >= from && payload.subarray(cut - from).every((byte) => byte === 0)
}
