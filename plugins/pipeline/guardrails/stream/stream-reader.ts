import type { ReadEvent, StreamTexts, TextPiece } from '#core/guardrails'
import { decodeFrame, isRecord, parseJson } from '#kit'

/** What an event says, of which nobody has read the rest. */
export interface SaidEvent {
  /** As the texts of the stream gave it; of an event that only says more of the same text: the one that it is like. */
  readonly read: ReadEvent
  readonly pieces: readonly TextPiece[]
}

/** An event that says more of the text that another one is about. Its piece is made when it is asked for: mostly nobody does. */
export class MoreSaid implements SaidEvent {
  readonly read: ReadEvent
  /** What the piece would be but for its text. */
  readonly like: TextPiece
  readonly text: string

  constructor(read: ReadEvent, like: TextPiece, text: string) {
    this.read = read
    this.like = like
    this.text = text
  }

  get pieces(): readonly TextPiece[] {
    return [{ ...this.like, text: this.text }]
  }
}

/** What surrounds the text of an event: all that the events of a text have in common. */
interface Likeness {
  readonly before: string
  readonly after: string
  readonly read: ReadEvent
  readonly piece: TextPiece
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Reads the texts of a stream. Nearly every event says the next few characters of the same text and differs from the one before
 * in nothing else: it is not parsed.
 */
export class StreamReader {
  readonly #texts: StreamTexts
  #likeness: Likeness | undefined

  constructor(texts: StreamTexts) {
    this.#texts = texts
  }

  /** @returns undefined for an event without JSON @throws SyntaxError */
  read(frame: Uint8Array): SaidEvent | undefined {
    const written = decoder.decode(frame)
    const same = this.#likeness === undefined ? undefined : moreOf(this.#likeness, written)
    if (same !== undefined) return same
    const event = decodeFrame(frame)
    const read = event && this.#texts.read(event)
    this.#likeness = read && likenessOf(written, event.data, read)
    return read && { read, pieces: read.pieces }
  }
}

const moreOf = ({ before, after, read, piece }: Likeness, written: string): SaidEvent | undefined => {
  if (written.length < before.length + after.length || !written.startsWith(before) || !written.endsWith(after))
    return undefined
  const text = written.slice(before.length, written.length - after.length)
  if (text === '' || !isPlain(text)) return undefined
  return new MoreSaid(read, piece, text)
}

/** Whether a text stands in JSON, and in the lines of an event, as it is. */
const isPlain = (text: string): boolean =>
  !text.includes('"') && !text.includes('\\') && !text.includes('\n') && !text.includes('\r')

/** What other events of the same text would have in common with this one, where that is to be seen. */
const likenessOf = (written: string, data: string, read: ReadEvent): Likeness | undefined => {
  const [piece, ...others] = read.pieces
  if (piece === undefined || others.length > 0 || read.ends !== undefined || piece.isWhole === true) return undefined
  const quoted = JSON.stringify(piece.text)
  const at = data.indexOf(quoted)
  const start = written.indexOf(data)
  if (start === -1 || at === -1 || data.indexOf(quoted, at + 1) !== -1) return undefined
  if (!stands(piece, data, at, quoted.length)) return undefined
  const before = written.slice(0, start + at + 1)
  return { before, after: written.slice(start + at + quoted.length - 1), read, piece }
}

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
