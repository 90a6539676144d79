import { describe, expect, test } from 'bun:test'
import { UpstreamTooLarge } from '../../errors/gateway-error.ts'
import { collect, collectUpTo, concat } from './answer.ts'
import { fromPieces, fromReader, isReadyStream, nextPiece } from './ready-stream.ts'

/** Gives the pieces, then ends or throws; counts how often it was cancelled. */
const streamOf = (pieces: readonly Uint8Array[], failure?: Error) => {
  const left = [...pieces]
  const counts = { cancelled: 0, reads: 0 }
  const stream = fromReader({
    read: () => {
      counts.reads++
      const piece = left.shift()
      return piece === undefined && failure !== undefined ? Promise.reject(failure) : Promise.resolve(piece)
    },
    cancel: () => {
      counts.cancelled++
    },
  })
  return { stream, counts }
}

const bytes = (...values: number[]): Uint8Array => new Uint8Array(values)

describe('collect', () => {
  test('joins all pieces, empty ones too', async () => {
    const { stream, counts } = streamOf([bytes(1), bytes(), bytes(2, 3)])
    expect(await collect(stream, 3)).toEqual(bytes(1, 2, 3))
    expect(counts.cancelled).toBe(0)
  })

  test('gives no bytes for a stream without any', async () => {
    expect(await collect(streamOf([]).stream, 0)).toEqual(bytes())
  })

  test('gives up past the limit, cancels, and reads no more', async () => {
    const { stream, counts } = streamOf([bytes(1, 2), bytes(3, 4), bytes(5)])
    expect(await collect(stream, 3).catch((thrown: unknown) => thrown)).toBeInstanceOf(UpstreamTooLarge)
    expect([counts.cancelled, counts.reads]).toEqual([1, 2])
  })

  test('an improper end is passed on, never taken for the end', async () => {
    const failure = new Error('cut')
    expect(await collect(streamOf([bytes(1)], failure).stream, 10).catch((thrown: unknown) => thrown)).toBe(failure)
  })
})

describe('collectUpTo', () => {
  test('gives the bytes where they fit', async () => {
    const { stream, counts } = streamOf([bytes(1), bytes(2, 3)])
    expect(await collectUpTo(stream, 3)).toEqual(bytes(1, 2, 3))
    expect(counts).toEqual({ cancelled: 0, reads: 3 })
  })

  test('else the stream as it was, read no further than that shows', async () => {
    const failure = new Error('cut')
    const { stream, counts } = streamOf([bytes(1, 2), bytes(3, 4), bytes(5)], failure)
    const whole = await collectUpTo(stream, 3)
    if (!isReadyStream(whole)) throw new Error('they did not fit')
    expect(counts.reads).toBe(2)
    expect([await nextPiece(whole), await nextPiece(whole)]).toEqual([bytes(1, 2), bytes(3, 4)])
    expect(await nextPiece(whole)).toEqual(bytes(5))
    await expect(nextPiece(whole)).rejects.toBe(failure)
    whole.cancel()
    expect(counts.cancelled).toBe(1)
  })

  test('takes what is here without a promise for each piece', async () => {
    let turns = 0
    const pieces = Array.from({ length: 1_000 }, () => bytes(7))
    const collected = collectUpTo(fromPieces(pieces), 1_000)
    while (Bun.peek.status(collected) === 'pending' && turns < 10) {
      turns++
      await Promise.resolve()
    }
    expect([turns, (await collected).constructor]).toEqual([0, Uint8Array])
  })
})

test('concat copies nothing for a single piece', () => {
  const only = bytes(1, 2)
  expect(concat([only])).toBe(only)
  expect(concat([only, bytes(3)])).toEqual(bytes(1, 2, 3))
  expect(concat([])).toEqual(bytes())
})

test('isReadyStream tells streams from bytes', () => {
  expect(isReadyStream(bytes())).toBe(false)
  expect(isReadyStream(streamOf([]).stream)).toBe(true)
})
