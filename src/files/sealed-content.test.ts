import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { free } from '../core/bodies/spent-pieces.ts'
import { ContentMissing } from './backend.ts'
import { opened, sealed } from './sealed-content.ts'

const key = randomBytes(32)

async function* inPieces(content: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < content.length; from += size) yield content.subarray(from, from + size)
}

const whole = async (pieces: AsyncIterable<Uint8Array>): Promise<Buffer> => Buffer.concat(await Array.fromAsync(pieces))

const seal = (content: Uint8Array, size = 100_000): Promise<Buffer> => whole(sealed(key, inPieces(content, size)))

const open = (stored: Uint8Array, bytes: number, start = 0, end = bytes): Promise<Buffer> =>
  whole(
    opened(key, { bytes, start, end }, async (from, length) => Uint8Array.from(stored.subarray(from, from + length))),
  )

const LENGTHS = [0, 1, 65_535, 65_536, 65_537, 131_072, 700_000]

describe('sealed content', () => {
  test.each(LENGTHS)('of %i bytes is what was written, whole and in parts', async (length) => {
    const content = randomBytes(length)
    const stored = await seal(content)
    expect((await open(stored, length)).equals(content)).toBeTrue()
    expect(stored.includes(content.subarray(0, 64)) && length > 64).toBeFalse()
    await fc.assert(
      fc.asyncProperty(fc.nat(length), fc.nat(length), async (one, other) => {
        const [start, end] = one < other ? [one, other] : [other, one]
        expect((await open(stored, length, start, end)).equals(content.subarray(start, end))).toBeTrue()
      }),
      { numRuns: 30 },
    )
  })

  test('is the same however it came', async () => {
    const content = randomBytes(200_000)
    expect((await seal(content, 7_001)).equals(await seal(content))).toBeTrue()
  })

  test('comes in pieces that are whole buffers, which who has written them can free', async () => {
    const pieces: Uint8Array[] = []
    for await (const piece of sealed(key, inPieces(randomBytes(200_000), 10_000))) {
      pieces.push(Uint8Array.from(piece))
      free(piece)
      expect(piece.byteLength).toBe(0)
    }
    // One that is freed is no part of the next.
    expect((await open(Buffer.concat(pieces), 200_000)).length).toBe(200_000)
  })

  test('does not open changed, shortened, moved or with another key', async () => {
    const content = randomBytes(200_000)
    const stored = await seal(content)
    const changed = Buffer.from(stored)
    changed.writeUInt8(changed.readUInt8(70_000) ^ 1, 70_000)
    const moved = Buffer.concat([
      stored.subarray(65_552, 131_104),
      stored.subarray(0, 65_552),
      stored.subarray(131_104),
    ])
    const isRefused = async (work: Promise<unknown>): Promise<void> => {
      await expect(work).rejects.toBeInstanceOf(ContentMissing)
    }
    await isRefused(open(changed, 200_000))
    await isRefused(open(moved, 200_000))
    await isRefused(open(stored.subarray(0, -1), 200_000))
    // Cut where a piece ends, and said to be no longer than that.
    await isRefused(open(stored.subarray(0, 131_104), 131_072))
    const other = opened(randomBytes(32), { bytes: 200_000, start: 0, end: 1 }, async (from, length) =>
      Uint8Array.from(stored.subarray(from, from + length)),
    )
    await isRefused(whole(other))
  })
})
