import { decodeFrame, isRecord, SseFramer } from '#kit'
import { readJson } from './stream-data.ts'

/** Bytes that are held back at most: a stream that says nothing for longer begins as it is. */
export const MAX_HELD_BYTES = 64 * 1024

/** Fields that tell of a piece what it is, not what it says. */
const SILENT_FIELDS: ReadonlySet<string> = new Set(['role', 'type', 'index'])

/** Watches the first pieces of a stream for the first event that the client can do something with. */
export class Opening {
  readonly #framer = new SseFramer()
  #bytes = 0

  /** Whether nothing after this piece is to be held back. */
  endsWith(piece: Uint8Array): boolean {
    this.#bytes += piece.length
    return this.#bytes > MAX_HELD_BYTES || this.#framer.push(piece).some(isMeaningful)
  }
}

/**
 * Text, tool calls, reasoning, a refusal, or a finish reason. Not: comments, chunks that only name the role or are empty,
 * and usage alone. Whatever is no chunk of a chat or of a text completion counts.
 */
const isMeaningful = (frame: Uint8Array): boolean => {
  const data = decodeFrame(frame)?.data.trim()
  if (data === undefined || data === '') return false
  const body = readJson(data)
  if (!isRecord(body) || !Array.isArray(body.choices)) return true
  return body.choices.some(
    (choice) => isRecord(choice) && (isGiven(choice.finish_reason) || says(choice.delta) || says(choice.text)),
  )
}

const isGiven = (value: unknown): boolean => value !== null && value !== undefined

const says = (value: unknown): boolean => {
  if (typeof value === 'string') return value !== ''
  if (Array.isArray(value)) return value.some(says)
  return isRecord(value) && Object.entries(value).some(([name, field]) => !SILENT_FIELDS.has(name) && says(field))
}
