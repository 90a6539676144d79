import { describe, expect, test } from 'bun:test'
import { FRAME, HEADER_BYTES, sealFrame, toBytes } from '../../../src/records/spool/frame.ts'
import { bodiesHead, toRow } from '../../../src/records/spool/rows.ts'
import { SegmentReader } from '../../../src/records/spool/segment-reader.ts'
import { endedCall } from '../../support/spool/process.ts'

/** Every byte of the end of a segment with `TORN_STEP=1`; a part of them else. */
const STEP = Number(process.env.TORN_STEP ?? 61)
const LAST_BYTES = 64 * 1024
const SEGMENT = 9
const LONGEST_MS = 30_000 + (61 / STEP) * 20_000

const encoder = new TextEncoder()

/** A segment of records, and of bodies of all lengths, with the end of each. */
const written = () => {
  const content = toBytes(new Uint8Array(96 * 1024))
  const frames: { readonly name: string; readonly from: number; readonly end: number }[] = []
  let offset = 0
  for (let index = 0; offset < 72 * 1024; index++) {
    const record = endedCall(`call ${index}`)
    const head = encoder.encode(bodiesHead(record))
    const isBodies = index % 3 === 2
    const payload = isBodies
      ? Uint8Array.from([head.length, 0, 0, 0, ...head, ...new Uint8Array((index * 37) % 3_000).fill(index)])
      : encoder.encode(JSON.stringify(record))
    content.bytes.set(payload, offset + HEADER_BYTES)
    const end = sealFrame(content, SEGMENT, offset, isBodies ? FRAME.bodies : FRAME.record, payload.length)
    frames.push({ name: `${isBodies ? 'bodies' : 'record'} call ${index}`, from: offset, end })
    offset = end
  }
  return { bytes: content.bytes, frames, end: offset }
}

const namesIn = (bytes: Uint8Array): string[] => {
  const reader = new SegmentReader(SEGMENT, {
    length: bytes.length,
    read(into, at) {
      const part = bytes.subarray(at, at + into.length)
      into.set(part)
      return part.length
    },
    close: () => undefined,
  })
  const names: string[] = []
  for (let frame = reader.next(bytes.length); frame !== undefined; frame = reader.next(bytes.length)) {
    const row = toRow(frame)
    names.push(`${row.kind} ${row.kind === 'bodies' ? row.row.recordId : row.row.id}`)
  }
  return names
}

describe(`torn at each ${STEP}th byte of the last 64 KiB`, () => {
  const { bytes, frames, end } = written()

  test(
    'a segment that is cut off gives every row before the cut',
    () => {
      for (let cut = end - LAST_BYTES; cut < end; cut += STEP) {
        const before = frames.filter((frame) => frame.end <= cut).map(({ name }) => name)
        expect(namesIn(bytes.slice(0, cut)), `cut at ${cut}`).toEqual(before)
      }
    },
    LONGEST_MS,
  )

  test(
    'one whose end was never written gives every row before it, and the one of which only zeros are missing',
    () => {
      for (let cut = end - LAST_BYTES; cut < end; cut += STEP) {
        const torn = bytes.slice()
        torn.fill(0, cut)
        const before = frames.filter(
          (frame) =>
            frame.end <= cut || bytes.subarray(Math.max(cut, frame.from), frame.end).every((byte) => byte === 0),
        )
        expect(namesIn(torn), `zeros from ${cut}`).toEqual(before.map(({ name }) => name))
      }
    },
    LONGEST_MS,
  )

  test(
    'a byte that is another one costs the row that it is in',
    () => {
      const flipped = bytes.slice()
      for (let at = end - LAST_BYTES; at < end; at += STEP) {
        const was = flipped[at] ?? 0
        flipped[at] = was ^ (1 << (at % 8))
        const others = frames.filter((frame) => at < frame.from || at >= frame.end).map(({ name }) => name)
        expect(namesIn(flipped), `flip at ${at}`).toEqual(others)
        flipped[at] = was
      }
    },
    LONGEST_MS,
  )
})
