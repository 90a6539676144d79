import { InvalidRequest } from '../../errors/gateway-error.ts'
import { readParametrised } from './parametrised.ts'

/** One field of a form. */
export interface FormPart {
  readonly name: string
  /** It came with the name of a file. */
  readonly isFile: boolean
  /** Of the part itself; empty when it has none. */
  readonly contentType: string
  readonly content: Uint8Array
}

const MAX_PARTS = 1_000
const MAX_HEADER_BYTES = 8 * 1024

/** RFC 2046, section 5.1.1. */
const BOUNDARY = /^[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]$/
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([^\r\n\0]*)$/
/** Printable, and nothing that some readers decode: `%` and backslashes. */
const NAME = /^[ !#$&-[\]-~]{1,200}$/
/** Encodings that leave the bytes as they are. Some readers decode the others, and others do not. */
const PLAIN_ENCODINGS = new Set(['7bit', '8bit', 'binary'])

/**
 * Takes a `multipart/form-data` body apart as RFC 7578 and RFC 2046 write it, and refuses all that lenient readers take in
 * different ways: bare line feeds, text around the parts, a boundary inside of a part, encoded names and contents.
 * @param boundary as `Content-Type` says it
 * @throws InvalidRequest that says what is wrong; never with a part of the body
 */
export const readMultipart = (body: Uint8Array, boundary: string | undefined): readonly FormPart[] => {
  if (boundary === undefined || !BOUNDARY.test(boundary)) throw unreadable('its `Content-Type` names no valid boundary')
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const mark = Buffer.from(`--${boundary}`)
  const parts: FormPart[] = []
  if (!startsAt(bytes, 0, mark.toString('latin1'))) throw unreadable('it does not begin with its boundary')
  let start = mark.length
  while (!startsAt(bytes, start, '--')) {
    if (!startsAt(bytes, start, '\r\n')) throw unreadable('a boundary does not stand alone in its line')
    const next = bytes.indexOf(mark, start)
    if (next === -1) throw unreadable('its last boundary is missing')
    if (!startsAt(bytes, next - 2, '\r\n')) throw unreadable('a boundary stands inside of a line')
    if (parts.length >= MAX_PARTS) throw unreadable(`it has more than ${MAX_PARTS} parts`)
    parts.push(readPart(bytes.subarray(start + 2, next - 2)))
    start = next + mark.length
  }
  const rest = bytes.subarray(start + 2)
  if (rest.length > 0 && rest.toString('latin1', 0, 3) !== '\r\n') throw unreadable('text follows its last boundary')
  return parts
}

/** @param part its headers, an empty line and its content */
const readPart = (part: Buffer): FormPart => {
  const end = part.indexOf('\r\n\r\n')
  if (end === -1 || end > MAX_HEADER_BYTES) throw unreadable('a part has no end of its headers')
  const headers = readHeaders(part.toString('latin1', 0, end))
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
    contentType: headers.get('content-type') ?? '',
    content: part.subarray(end + 4),
  }
}

const readHeaders = (text: string): ReadonlyMap<string, string> => {
  const headers = new Map<string, string>()
  for (const line of text.split('\r\n')) {
    const [, name, value] = HEADER.exec(line) ?? []
    if (name === undefined || value === undefined) throw unreadable('a part has a header that cannot be read')
    const key = name.toLowerCase()
    if (headers.has(key)) throw unreadable('a part has a header twice')
    headers.set(key, value.replace(/^[ \t]+/, ''))
  }
  return headers
}

/** Compares a few bytes. */
const startsAt = (bytes: Buffer, at: number, text: string): boolean =>
  at >= 0 && bytes.toString('latin1', at, at + text.length) === text

const unreadable = (problem: string): InvalidRequest =>
  new InvalidRequest(`The form in the request body cannot be read: ${problem}.`)
