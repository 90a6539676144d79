import type { ReadEvent, StreamTexts, TextPiece } from '#core/guardrails'
import { decodeFrame, isRecord, parseJson, type SseEvent } from '#kit'

/** What an event says, of which nobody has read the rest. */
export interface SaidEvent {
  /** As the texts of the stream gave it; of an event that only says more of the same text: the one that it is like. */
  readonly read: ReadEvent
  readonly pieces: readonly TextPiece[]
}

/** Bytes around the text of an event: all that the events of a text have in common. */
interface Likeness {
  readonly before: Uint8Array
  readonly after: Uint8Array
  readonly read: ReadEvent
  readonly piece: TextPiece
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** What stands in JSON for something else than itself, or ends a text. */
const NOT_PLAIN = /["\\\p{Cc}]/u

/**
 * Reads the texts of a stream. Nearly every event says the next few characters of the same text and differs from the one before
 * in nothing else: it is told by its bytes, and not parsed.
 */
export class StreamReader {
  readonly #texts: StreamTexts
  #likeness: Likeness | undefined

  constructor(texts: StreamTexts) {
    this.#texts = texts
  }

  /** @returns undefined for an event without JSON @throws SyntaxError */
  read(frame: Uint8Array): SaidEvent | undefined {
    const same = this.#likeness === undefined ? undefined : moreOf(this.#likeness, frame)
    if (same !== undefined) return same
    const event = decodeFrame(frame)
    const read = event && this.#texts.read(event)
    this.#likeness = read && likenessOf(frame, event, read)
    return read && { read, pieces: read.pieces }
  }
}

const moreOf = ({ before, after, read, piece }: Likeness, frame: Uint8Array): SaidEvent | undefined => {
  const end = frame.length - after.length
  if (end < before.length || !hasAt(frame, 0, before) || !hasAt(frame, end, after)) return undefined
  const text = plainText(frame.subarray(before.length, end))
  return text === undefined ? undefined : { read, pieces: [{ ...piece, text }] }
}

const hasAt = (frame: Uint8Array, at: number, bytes: Uint8Array): boolean => {
  for (let index = 0; index < bytes.length; index++) if (frame[at + index] !== bytes[index]) return false
  return true
}

const plainText = (bytes: Uint8Array): string | undefined => {
  try {
    const text = decoder.decode(bytes)
    return NOT_PLAIN.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

/** What other events of the same text would have in common with this one, where that is to be seen. */
const likenessOf = (frame: Uint8Array, { data }: SseEvent, read: ReadEvent): Likeness | undefined => {
  const [piece, ...others] = read.pieces
  if (piece === undefined || others.length > 0 || read.ends !== undefined || piece.isWhole === true) return undefined
  const quoted = JSON.stringify(piece.text)
  const at = data.indexOf(quoted)
  if (at === -1 || data.indexOf(quoted, at + 1) !== -1 || !stands(piece, data, at, quoted.length)) return undefined
  const said = encoder.encode(data)
  const start = indexOf(frame, said)
  const textStart = start + encoder.encode(data.slice(0, at + 1)).length
  const textEnd = start + said.length - encoder.encode(data.slice(at + quoted.length - 1)).length
  return start === -1 ? undefined : { before: frame.slice(0, textStart), after: frame.slice(textEnd), read, piece }
}

const indexOf = (frame: Uint8Array, bytes: Uint8Array): number =>
  Buffer.from(frame.buffer, frame.byteOffset, frame.length).indexOf(bytes)

const PROBE = 'another text'

/** Whether these characters of the data are the text, and not something that looks like it. */
const stands = ({ path }: TextPiece, data: string, at: number, length: number): boolean => {
  let value = parseJson(`${data.slice(0, at)}"${PROBE}"${data.slice(at + length)}`)
  for (const key of path) {
    if (Array.isArray(value) && typeof key === 'number') value = value[key]
    else if (isRecord(value)) value = value[key]
    else return false
  }
  return value === PROBE
}
