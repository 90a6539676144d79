import { InvalidRequest } from '../../errors/gateway-error.ts'
import { concat } from '../bodies/answer.ts'
import { free } from '../bodies/spent-pieces.ts'
import { readParametrised } from './parametrised.ts'

/** One field of a form. */
export interface FormPart {
  readonly name: string
  /** It came with the name of a file. */
  readonly isFile: boolean
  /** Name of the file as it was sent, which is nobody's path; empty when it has none. */
  readonly filename: string
  /** Content type of the part itself; empty when it has none. */
  readonly contentType: string
  /** Where the boundary in front of it begins in the form. */
  readonly mark: number
  /** Where its content begins. */
  readonly start: number
  /** The place behind its content, when all of it is here. */
  end?: number
  /** Content of a field that is looked for, when all of it is here; at most as much of it as is kept. */
  content?: Uint8Array
}

const MAX_PARTS = 1_000
const MAX_HEADER_BYTES = 8 * 1024
/** Bytes kept of a field, unless the reader is told otherwise. */
const MAX_FIELD_BYTES: number = 64 * 1024

/** RFC 2046, section 5.1.1. */
const BOUNDARY = /^[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]$/
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([^\r\n\0]*)$/
/** Printable, and nothing that some readers decode: `%` and backslashes. */
const NAME = /^[ !#$&-[\]-~]{1,200}$/
/** Encodings that leave the bytes as they are. Some readers decode the others, and others do not. */
const PLAIN_ENCODINGS = new Set(['7bit', '8bit', 'binary'])

const LINE_END = '\r\n'
const NOTHING = Buffer.alloc(0)

/**
 * Takes a `multipart/form-data` body apart, in pieces as they come, as RFC 7578 and RFC 2046 write it, and refuses all that
 * lenient readers take in different ways: bare line feeds, text around the parts, a boundary inside of a part, encoded names
 * and contents. Its errors say what is wrong, never with a part of the body. Nothing of a part is kept but a field that is
 * looked for.
 */
export class FormReader {
  readonly #mark: Buffer
  readonly #isWanted: (part: Pick<FormPart, 'name' | 'isFile'>) => boolean
  readonly #maxFieldBytes: number
  /** What the next byte belongs to; `mark`: right behind a boundary. */
  #place: 'beginning' | 'mark' | 'headers' | 'content' | 'end' = 'beginning'
  /** Not taken apart yet: what may go on with the next piece. */
  #rest: Buffer = NOTHING
  /** Where that begins in the form. */
  #at = 0
  /** Where the last boundary begins in the form. */
  #markAt = 0
  #wanted: Uint8Array[] | undefined
  #wantedBytes = 0
  readonly parts: FormPart[] = []

  /**
   * @param boundary as `Content-Type` says it
   * @param isWanted fields whose content is kept
   * @param maxFieldBytes bytes kept of each
   * @throws InvalidRequest
   */
  constructor(
    boundary: string | undefined,
    isWanted: (part: Pick<FormPart, 'name' | 'isFile'>) => boolean,
    maxFieldBytes: number = MAX_FIELD_BYTES,
  ) {
    if (boundary === undefined || !BOUNDARY.test(boundary)) {
      throw unreadable('its `Content-Type` names no valid boundary')
    }
    this.#mark = Buffer.from(`--${boundary}`)
    this.#isWanted = isWanted
    this.#maxFieldBytes = maxFieldBytes
  }

  /** @throws InvalidRequest */
  push(piece: Uint8Array): void {
    const own = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    const bytes = this.#rest.length === 0 ? own : Buffer.concat([this.#rest, own])
    let at = 0
    for (let next = this.#step(bytes, at); next !== -1; next = this.#step(bytes, at)) at = next
    // A copy, as the piece is not ours: at most headers, or as much as a boundary.
    this.#rest = Buffer.from(bytes.subarray(at))
    this.#at += at
    if (bytes !== own) free(bytes)
  }

  /** The last byte has come. @throws InvalidRequest */
  end(): void {
    if (this.#place === 'beginning') throw unreadable('it does not begin with its boundary')
    if (this.#place !== 'end') throw unreadable('its last boundary is missing')
    if (this.#rest.length === 1) throw unreadable('text follows its last boundary')
  }

  /** @returns the position behind what could be taken apart, or -1 when that takes more bytes */
  #step(bytes: Buffer, at: number): number {
    switch (this.#place) {
      case 'beginning':
        return this.#begin(bytes)
      case 'mark':
        return this.#afterMark(bytes, at)
      case 'headers':
        return this.#readHeaders(bytes, at)
      case 'content':
        return this.#readContent(bytes, at)
      case 'end':
        // One end of line, and nothing else.
        if (!LINE_END.startsWith(bytes.toString('latin1', at, at + 3)))
          throw unreadable('text follows its last boundary')
        return -1
    }
  }

  #begin(bytes: Buffer): number {
    const { length } = this.#mark
    if (!this.#mark.subarray(0, bytes.length).equals(bytes.subarray(0, length))) {
      throw unreadable('it does not begin with its boundary')
    }
    if (bytes.length < length) return -1
    this.#place = 'mark'
    return length
  }

  #afterMark(bytes: Buffer, at: number): number {
    if (bytes.length < at + 2) return -1
    const text = bytes.toString('latin1', at, at + 2)
    if (text !== '--' && text !== LINE_END) throw unreadable('a boundary does not stand alone in its line')
    this.#place = text === '--' ? 'end' : 'headers'
    return at + 2
  }

  #readHeaders(bytes: Buffer, at: number): number {
    const end = bytes.indexOf('\r\n\r\n', at)
    const known = bytes.subarray(at, end === -1 ? bytes.length : end)
    if (known.length > MAX_HEADER_BYTES || known.includes(this.#mark)) {
      throw unreadable('a part has no end of its headers')
    }
    if (end === -1) return -1
    if (this.parts.length >= MAX_PARTS) throw unreadable(`it has more than ${MAX_PARTS} parts`)
    const part = readHead(known.toString('latin1'), this.#markAt, this.#at + end + 4)
    this.parts.push(part)
    if (this.#isWanted(part)) this.#wanted = []
    this.#wantedBytes = 0
    this.#place = 'content'
    return end + 4
  }

  #readContent(bytes: Buffer, at: number): number {
    const mark = bytes.indexOf(this.#mark, at)
    if (mark === -1) {
      const end = this.#mayGoOn(bytes, at)
      if (end === at) return -1
      this.#keep(bytes, at, end)
      return end
    }
    if (mark < at + 2 || bytes.toString('latin1', mark - 2, mark) !== LINE_END) {
      throw unreadable('a boundary stands inside of a line')
    }
    this.#keep(bytes, at, mark - 2)
    this.#markAt = this.#at + mark
    const part = this.parts.at(-1)
    if (part !== undefined) {
      part.end = this.#markAt - 2
      if (this.#wanted !== undefined) part.content = concat(this.#wanted)
    }
    this.#wanted = undefined
    this.#place = 'mark'
    return mark + this.#mark.length
  }

  /** The first of the last bytes that may be the beginning of a boundary, its line included. */
  #mayGoOn(bytes: Buffer, from: number): number {
    for (let at = Math.max(from, bytes.length - this.#mark.length - 1); at < bytes.length; at++) {
      const length = bytes.length - at
      const byte = bytes[at]
      if (byte === 0x0d) {
        if (
          length === 1 ||
          (bytes[at + 1] === 0x0a && this.#mark.subarray(0, length - 2).equals(bytes.subarray(at + 2)))
        )
          return at
      } else if (byte === 0x2d && this.#mark.subarray(0, length).equals(bytes.subarray(at))) return at
    }
    return bytes.length
  }

  #keep(bytes: Buffer, from: number, to: number): void {
    if (this.#wanted === undefined || this.#wantedBytes >= this.#maxFieldBytes) return
    const kept = Uint8Array.from(bytes.subarray(from, Math.min(to, from + this.#maxFieldBytes - this.#wantedBytes)))
    this.#wanted.push(kept)
    this.#wantedBytes += kept.length
  }
}

/** @param text of a part's headers, one character a byte */
const readHead = (text: string, mark: number, start: number): FormPart => {
  const headers = readHeaders(text)
  const encoding = headers.get('content-transfer-encoding')?.trim().toLowerCase()
  if (encoding !== undefined && !PLAIN_ENCODINGS.has(encoding)) throw unreadable('a part is encoded')
  const disposition = readParametrised(headers.get('content-disposition') ?? '')
  if (disposition?.value !== 'form-data') throw unreadable('a part has no plain `Content-Disposition: form-data`')
  const { parameters } = disposition
  const name = parameters.get('name')
  // `name*` is another way to write `name`, which only some readers know.
  const isTwofold = [...parameters.keys()].some((key) => key.includes('*') && key !== 'filename*')
  if (name === undefined || isTwofold || !NAME.test(name)) throw unreadable('a part has no plain `name`')
  return {
    name,
    isFile: parameters.has('filename') || parameters.has('filename*'),
    filename: Buffer.from(parameters.get('filename') ?? '', 'latin1').toString(),
    contentType: headers.get('content-type') ?? '',
    mark,
    start,
  }
}

const readHeaders = (text: string): ReadonlyMap<string, string> => {
  const headers = new Map<string, string>()
  for (const line of text.split(LINE_END)) {
    const [, name, value] = HEADER.exec(line) ?? []
    if (name === undefined || value === undefined) throw unreadable('a part has a header that cannot be read')
    const key = name.toLowerCase()
    if (headers.has(key)) throw unreadable('a part has a header twice')
    headers.set(key, value.replace(/^[ \t]+/, ''))
  }
  return headers
}

const unreadable = (problem: string): InvalidRequest =>
  new InvalidRequest(`The form in the request body cannot be read: ${problem}.`)
