import { concat } from '#core/bodies/answer'
import {
  decodeFrame,
  FirstTokenTimeout,
  isRecord,
  Pipe,
  type PipeMachine,
  type PipeOut,
  type ReadyStream,
  SseFramer,
} from '#kit'
import { readJson } from './stream-data.ts'

/** Bytes that are held back at most: a stream that says nothing for longer begins as it is. */
export const MAX_HELD_BYTES = 64 * 1024

/** Fields that tell of a piece what it is, not what it says. */
const SILENT_FIELDS: ReadonlySet<string> = new Set(['role', 'type', 'index'])

/**
 * Holds a stream back until its first meaningful event: a failure before that still gets a proper HTTP status, or goes
 * unseen to the next target.
 * @param name tells a failure, before that event or after it, in other words
 * @param firstTokenMs milliseconds until that event; passing them is a failure
 * @throws what the stream fails with meanwhile, and FirstTokenTimeout
 */
export const prime = async (
  stream: ReadyStream,
  name: (thrown: unknown) => unknown,
  firstTokenMs?: number,
): Promise<ReadyStream> => {
  const primed = new Pipe(stream, new Held(name))
  const tooLate = (): void =>
    primed.giveUp(new FirstTokenTimeout('The provider did not come to its first token within the limit.'))
  const timer = firstTokenMs === undefined ? undefined : setTimeout(tooLate, firstTokenMs)
  try {
    await primed.begin()
    return primed
  } finally {
    clearTimeout(timer)
  }
}

class Held implements PipeMachine {
  readonly #framer = new SseFramer()
  readonly #name: (thrown: unknown) => unknown
  #pieces: Uint8Array[] | undefined = []
  #bytes = 0

  constructor(name: (thrown: unknown) => unknown) {
    this.#name = name
  }

  push(piece: Uint8Array, out: PipeOut): void {
    if (this.#pieces === undefined) {
      out.write(piece)
      return
    }
    this.#pieces.push(piece)
    this.#bytes += piece.length
    if (this.#bytes > MAX_HELD_BYTES || this.#framer.push(piece).some(isMeaningful)) this.end(out)
  }

  end(out: PipeOut): void {
    const pieces = this.#pieces ?? []
    this.#pieces = undefined
    if (pieces.length > 0) out.write(concat(pieces))
  }

  fail(thrown: unknown): void {
    throw this.#name(thrown)
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
