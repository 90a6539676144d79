import { textIn } from '../../core/bodies/bytes.ts'
import type { Cut } from './cuts.ts'
import { byteClass, LETTERS_AND_DIGITS, nextRun, type Run } from './runs.ts'

/** What is kept of an image, of sound or of any other bytes. */
export interface MediaNote {
  /** Content type. */
  readonly type: string
  readonly bytes: number
  /** Hex. Absent where more would have to be hashed than one message may cost. */
  readonly sha256?: string
}

/** Base64 shorter than this stays where it is: a signature, an id. Characters. */
const LEAST_CHARACTERS = 1024

/** Bytes that are hashed of one message: five milliseconds or so. */
const MAX_HASHED_BYTES = 8 * 1024 * 1024

/** Letters of Base64 in either alphabet; the backslash for JSON that escapes slashes. */
const BASE64 = byteClass(`${LETTERS_AND_DIGITS}+/-_=\\`)
/** Different letters in the beginning of Base64, at least: fewer are somebody's filling. */
const LEAST_LETTERS = 20
const BEGINNING = 256

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** What may stand in front of it. */
const DATA_URL = /data:([\w.+/\\-]{1,100})(?:;[\w=.-]{1,40})*;base64,$/
const MAX_PREFIX = 200

/** Finds the images, sound and files in a body of text, and what stands for each. @param maxBytes of the body that are kept */
export const mediaCuts = (body: Uint8Array, maxBytes: number): readonly Cut[] => {
  const cuts: Cut[] = []
  let hashed = 0
  let removed = 0
  let run = nextRun(body, BASE64, LEAST_CHARACTERS, 0)
  while (run !== undefined && run.start - removed <= maxBytes) {
    if (isBase64(body, run)) {
      const cut = mediaCut(body, run, MAX_HASHED_BYTES - hashed)
      hashed += cut.end - cut.start
      removed += cut.end - cut.start - cut.text.length
      cuts.push(cut)
    }
    run = nextRun(body, BASE64, LEAST_CHARACTERS, cuts.at(-1)?.end ?? run.end)
  }
  return cuts
}

const isBase64 = (body: Uint8Array, { start }: Run): boolean =>
  new Set(body.subarray(start, start + BEGINNING)).size >= LEAST_LETTERS

const mediaCut = (body: Uint8Array, run: Run, mayHash: number): Cut => {
  const before = textIn(body, 'latin1', Math.max(0, run.start - MAX_PREFIX), run.start)
  const url = DATA_URL.exec(before)
  const start = run.start - (url?.[0].length ?? 0)
  const content = textIn(body, 'latin1', run.start, run.end).replaceAll(/\\[nr]|\\/g, '')
  const note = describe(Buffer.from(content, 'base64'), url?.[1]?.replaceAll('\\', ''), mayHash)
  // One that has no end was cut off.
  const isWholeText = body[start - 1] === QUOTE && (body[run.end] === QUOTE || run.end === body.length)
  if (isWholeText && body[start - 2] !== BACKSLASH) {
    return { start: start - 1, end: Math.min(run.end + 1, body.length), text: JSON.stringify(note) }
  }
  // Inside of a text, which may be JSON in JSON.
  const end = body[run.end - 1] === BACKSLASH ? run.end - 1 : run.end
  const hash = note.sha256 === undefined ? '' : `, sha256 ${note.sha256}`
  return { start, end, text: `[${note.type}, ${note.bytes} bytes${hash}]` }
}

/** Describes bytes. @param type absent: what they look like. @param mayHash bytes that may be hashed */
export const describe = (bytes: Uint8Array, type?: string, mayHash = MAX_HASHED_BYTES): MediaNote => {
  const note = { type: type ?? looksLike(bytes), bytes: bytes.length }
  return bytes.length > mayHash ? note : { ...note, sha256: Bun.CryptoHasher.hash('sha256', bytes, 'hex') }
}

/** Beginnings of files, in Latin-1. */
const BEGINNINGS: readonly (readonly [beginning: RegExp, type: string])[] = [
  [/^\x89PNG/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8/, 'image/gif'],
  [/^RIFF.{4}WEBP/s, 'image/webp'],
  [/^RIFF.{4}WAVE/s, 'audio/wav'],
  [/^(?:ID3|\xff[\xf2\xf3\xfb])/, 'audio/mpeg'],
  [/^OggS/, 'audio/ogg'],
  [/^fLaC/, 'audio/flac'],
  [/^.{4}ftyp/s, 'video/mp4'],
  [/^%PDF/, 'application/pdf'],
]

const looksLike = (bytes: Uint8Array): string => {
  const text = textIn(bytes, 'latin1', 0, 16)
  return BEGINNINGS.find(([beginning]) => beginning.test(text))?.[1] ?? 'application/octet-stream'
}
