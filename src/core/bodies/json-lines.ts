import { fromReader, nextPiece, type ReadyStream } from './ready-stream.ts'

/** A line of a stream of lines: JSON Lines are such, one value each. */
export interface Line {
  /** From 1; lines without anything in them count, and are not given. */
  readonly number: number
  /** Where its bytes begin in the stream. */
  readonly offset: number
  /** Without its end. Valid until the next one is asked for. */
  readonly bytes: Uint8Array
}

/** A line is longer than anybody reads. */
export class LineTooLong extends Error {
  /** Of the line, from 1. */
  readonly line: number

  constructor(line: number, maxLineBytes: number) {
    super(`Line ${line} is longer than ${maxLineBytes} bytes.`)
    this.line = line
  }
}

const NEWLINE = 10
const BYTE_ORDER_MARK = Uint8Array.of(0xef, 0xbb, 0xbf)

/**
 * The lines of a stream that have something in them, in their order. Holds one line at most; one that is too long is never held.
 * @throws LineTooLong; whatever the stream throws. The stream is cancelled then, and when the reader stops before its end.
 */
export async function* readLines(
  stream: ReadyStream,
  { maxLineBytes }: { readonly maxLineBytes: number },
): AsyncGenerator<Line> {
  let number = 1
  let begun: Uint8Array[] = []
  let length = 0
  let lineStart = 0
  let isOver = false
  const take = (piece: Uint8Array): void => {
    if (piece.length === 0) return
    length += piece.length
    if (length > maxLineBytes) throw new LineTooLong(number, maxLineBytes)
    begun.push(piece)
  }
  const line = (): Line | undefined => {
    const whole = begun.length === 1 && begun[0] !== undefined ? begun[0] : Buffer.concat(begun)
    const { from, to } = trimmed(whole, number === 1)
    const found = { number, offset: lineStart + from, bytes: whole.subarray(from, to) }
    begun = []
    lineStart += length + 1
    length = 0
    number++
    return from === to ? undefined : found
  }
  try {
    for (let piece = await nextPiece(stream); piece !== undefined; piece = await nextPiece(stream)) {
      let from = 0
      for (let end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, from)) {
        take(piece.subarray(from, end))
        from = end + 1
        const found = line()
        if (found !== undefined) yield found
      }
      take(piece.subarray(from))
    }
    isOver = true
    const last = length === 0 ? undefined : line()
    if (last !== undefined) yield last
  } finally {
    if (!isOver) stream.cancel()
  }
}

/**
 * A stream of other lines, made one by one of those of a stream as they are taken.
 * @param make the new line without its end; undefined leaves it out
 * @throws through the new stream: LineTooLong, and whatever `make` throws
 */
export const mapLines = (
  stream: ReadyStream,
  options: { readonly maxLineBytes: number },
  make: (line: Line) => string | undefined | Promise<string | undefined>,
): ReadyStream => {
  const lines = readLines(stream, options)
  return fromReader({
    async read() {
      for (;;) {
        const next = await lines.next()
        if (next.done === true) return undefined
        const made = await make(next.value)
        if (made !== undefined) return encoder.encode(`${made}\n`)
      }
    },
    cancel: () => {
      stream.cancel()
    },
  })
}

const encoder = new TextEncoder()

/** Without blanks around it, nor a byte order mark in front of the first line. */
const trimmed = (bytes: Uint8Array, isFirst: boolean): { readonly from: number; readonly to: number } => {
  let from = isFirst && BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte) ? BYTE_ORDER_MARK.length : 0
  let to = bytes.length
  while (from < to && isBlank(bytes[from])) from++
  while (to > from && isBlank(bytes[to - 1])) to--
  return { from, to }
}

const isBlank = (byte: number | undefined): boolean => byte === 32 || byte === 9 || byte === 13
