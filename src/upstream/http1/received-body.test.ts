import { beforeEach, describe, expect, test } from 'bun:test'
import { LATER, nextPiece } from '../../core/bodies/ready-stream.ts'
import { HIGH_WATER_BYTES, MAX_PIECE_BYTES } from './bounds.ts'
import { ReceivedBody } from './received-body.ts'

let resumed = 0
let destroyed = 0
let body: ReceivedBody
beforeEach(() => {
  resumed = 0
  destroyed = 0
  body = new ReceivedBody({ resume: () => resumed++, destroy: () => destroyed++ })
})

const piece = (text: string): Uint8Array => new TextEncoder().encode(text)
const read = async (): Promise<string | undefined> => {
  const bytes = await nextPiece(body)
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes)
}

describe('a body', () => {
  test('gives what waits, in order, and then its end', async () => {
    body.push(piece('a'))
    body.push(piece('b'))
    body.end()
    expect(body.over).toBe(false)
    expect([await read(), await read()]).toEqual(['a', 'b'])
    expect(body.over).toBe(true)
    expect([await read(), await read()]).toEqual([undefined, undefined])
    expect([resumed, destroyed]).toEqual([0, 0])
  })

  test('wakes a reader that waits, with a piece, with the end, with a failure', async () => {
    const first = read()
    body.push(piece('a'))
    expect(await first).toBe('a')
    const second = read()
    body.end()
    expect(await second).toBeUndefined()
    body = new ReceivedBody({ resume: () => resumed++, destroy: () => destroyed++ })
    const third = read()
    body.fail(new Error('broken'))
    await expect(third).rejects.toThrow('broken')
    await expect(read()).rejects.toThrow('broken')
  })

  test('that broke still gives what came before', async () => {
    body.push(piece('a'))
    body.fail(new Error('broken'))
    expect(await read()).toBe('a')
    await expect(read()).rejects.toThrow('broken')
    expect(body.over).toBe(false)
  })

  test('that is cancelled gives nothing, and breaks its connection once', async () => {
    body.push(piece('a'))
    body.cancel()
    body.cancel()
    expect(() => body.take()).toThrow('given up')
    await expect(read()).rejects.toThrow('given up')
    expect(destroyed).toBe(1)
  })

  test('that is cancelled while somebody waits lets nobody wait', async () => {
    const waiting = read()
    body.cancel()
    await expect(waiting).rejects.toThrow('given up')
  })

  test('that has come as a whole has no connection to break', () => {
    body.push(piece('a'))
    body.end()
    body.cancel()
    expect([destroyed, body.over]).toEqual([0, true])
  })

  test('is handed out in pieces of a bounded size, without a copy', async () => {
    const all = new Uint8Array(3 * MAX_PIECE_BYTES + 5).map((_, index) => index % 251)
    const first = nextPiece(body)
    body.push(all)
    const pieces = [await first, await nextPiece(body), await nextPiece(body), await nextPiece(body)]
    expect(pieces.map((each) => each?.length)).toEqual([MAX_PIECE_BYTES, MAX_PIECE_BYTES, MAX_PIECE_BYTES, 5])
    expect(Buffer.concat(pieces.map((each) => each ?? new Uint8Array(0))).equals(all)).toBe(true)
    expect(pieces.every((each) => each?.buffer === all.buffer)).toBe(true)
  })
})

describe('a reader that is behind', () => {
  test('is full past 64 KiB, what it has in its hands included', async () => {
    body.push(new Uint8Array(MAX_PIECE_BYTES))
    expect(body.full).toBe(false)
    await nextPiece(body)
    expect(body.full).toBe(false)
    body.push(new Uint8Array(HIGH_WATER_BYTES - MAX_PIECE_BYTES - 1_000))
    expect(body.full).toBe(false)
    body.push(new Uint8Array(1_000))
    expect(body.full).toBe(true)
  })

  test('is full with few bytes in many pieces', () => {
    for (let count = 0; count < 300; count++) body.push(piece('a'))
    expect(body.full).toBe(true)
  })

  test('lets the network go on only when it waits again', async () => {
    body.push(new Uint8Array(HIGH_WATER_BYTES))
    while (body.take() !== LATER);
    expect(resumed).toBe(0)
    const waiting = nextPiece(body)
    expect([resumed, body.full]).toEqual([1, false])
    body.end()
    await waiting
  })
})
