import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { LineTooLong, mapLines, readLines } from './json-lines.ts'
import { fromPieces, nextPiece, type ReadyStream } from './ready-stream.ts'

const LIMIT = { maxLineBytes: 64 }
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const pieces = (...texts: readonly string[]): ReadyStream => fromPieces(texts.map(bytesOf))

const linesOf = async (stream: ReadyStream, options = LIMIT): Promise<readonly [number, string][]> => {
  const found: [number, string][] = []
  for await (const { number, bytes } of readLines(stream, options)) found.push([number, Buffer.from(bytes).toString()])
  return found
}

const textOf = async (stream: ReadyStream): Promise<string> => {
  let text = ''
  for (let piece = await nextPiece(stream); piece !== undefined; piece = await nextPiece(stream)) {
    text += Buffer.from(piece).toString()
  }
  return text
}

describe('lines', () => {
  test('have numbers, and those without anything in them only count', async () => {
    expect(await linesOf(pieces('\uFEFF{"a":1}\r\n\n  \n{"b":', '2}\n', '{"c":3}'))).toEqual([
      [1, '{"a":1}'],
      [4, '{"b":2}'],
      [5, '{"c":3}'],
    ])
    expect(await linesOf(pieces())).toEqual([])
  })

  test('are the same wherever the stream is cut', async () => {
    const lines = fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replaceAll(/[\n\r]/g, '')))
    await fc.assert(
      fc.asyncProperty(lines, fc.array(fc.nat(200)), async (texts, cuts) => {
        const whole = bytesOf(texts.join('\n'))
        const places = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b), whole.length]
        const cut = places.slice(1).map((end, index) => whole.subarray(places[index], end))
        const options = { maxLineBytes: 1024 }
        expect(await linesOf(fromPieces(cut), options)).toEqual(await linesOf(fromPieces([whole]), options))
      }),
    )
  })

  test('one that is too long is named and not held', async () => {
    let taken = 0
    const endless: ReadyStream = {
      take: () => {
        taken++
        return bytesOf('x'.repeat(40))
      },
      whenReady: queueMicrotask,
      cancel: () => {
        taken = -1
      },
    }
    await expect(linesOf(endless)).rejects.toThrow(new LineTooLong(1, 64))
    await expect(linesOf(pieces('short\n', 'y'.repeat(65)))).rejects.toThrow('Line 2 is longer than 64 bytes.')
    expect(taken).toBe(-1)
  })

  test('a reader who stops cancels the stream', async () => {
    let isCancelled = false
    const source = pieces('1\n2\n')
    const stream = {
      ...source,
      cancel: () => {
        isCancelled = true
      },
    }
    for await (const { number } of readLines(stream, LIMIT)) if (number === 1) break
    expect(isCancelled).toBe(true)
  })
})

describe('other lines', () => {
  test('are made one by one', async () => {
    const doubled = mapLines(pieces('1\n2\n\n', '3'), LIMIT, ({ bytes, number }) =>
      number === 2 ? undefined : `${Number(Buffer.from(bytes).toString()) * 2}`,
    )
    expect(await textOf(doubled)).toBe('2\n6\n')
  })

  test('what goes wrong is heard by who takes them', async () => {
    const broken = mapLines(pieces('1\n'), LIMIT, () => Promise.reject(new Error('no')))
    await expect(textOf(broken)).rejects.toThrow('no')
  })
})
