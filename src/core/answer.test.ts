import { describe, expect, test } from 'bun:test'
import { UpstreamTooLarge } from '../errors/gateway-error.ts'
import { type ByteStream, collect, concat, isByteStream } from './answer.ts'

/** Gives the pieces, then ends or throws; counts how often it was cancelled. */
const streamOf = (
  pieces: readonly Uint8Array[],
  failure?: Error,
): ByteStream & { cancelled: number; reads: number } => {
  const left = [...pieces]
  const stream = {
    cancelled: 0,
    reads: 0,
    read: () => {
      stream.reads++
      const piece = left.shift()
      return piece === undefined && failure !== undefined ? Promise.reject(failure) : Promise.resolve(piece)
    },
    cancel: () => {
      stream.cancelled++
    },
  }
  return stream
}

const bytes = (...values: number[]): Uint8Array => new Uint8Array(values)

describe('collect', () => {
  test('joins all pieces, empty ones too', async () => {
    const stream = streamOf([bytes(1), bytes(), bytes(2, 3)])
    expect(await collect(stream, 3)).toEqual(bytes(1, 2, 3))
    expect(stream.cancelled).toBe(0)
  })

  test('gives no bytes for a stream without any', async () => {
    expect(await collect(streamOf([]), 0)).toEqual(bytes())
  })

  test('gives up past the limit, cancels, and reads no more', async () => {
    const stream = streamOf([bytes(1, 2), bytes(3, 4), bytes(5)])
    expect(await collect(stream, 3).catch((thrown: unknown) => thrown)).toBeInstanceOf(UpstreamTooLarge)
    expect([stream.cancelled, stream.reads]).toEqual([1, 2])
  })

  test('an improper end is passed on, never taken for the end', async () => {
    const failure = new Error('cut')
    expect(await collect(streamOf([bytes(1)], failure), 10).catch((thrown: unknown) => thrown)).toBe(failure)
  })
})

test('concat copies nothing for a single piece', () => {
  const only = bytes(1, 2)
  expect(concat([only])).toBe(only)
  expect(concat([only, bytes(3)])).toEqual(bytes(1, 2, 3))
  expect(concat([])).toEqual(bytes())
})

test('isByteStream tells streams from bytes', () => {
  expect(isByteStream(bytes())).toBe(false)
  expect(isByteStream(streamOf([]))).toBe(true)
})
