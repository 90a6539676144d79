import {
  type ByteStream,
  decodeFrame,
  eventText,
  isRecord,
  LATER,
  type ReadyStream,
  readReady,
  readyStream,
  type Taken,
} from '#kit'
import type { AdapterContext } from '#kit/provider'
import { EventReader } from './event-reader.ts'
import { readJson } from './stream-data.ts'
import { toTextChunk } from './via-chat-answer.ts'

const encoder = new TextEncoder()
const DONE = eventText('[DONE]')

/**
 * The stream of a chat as that of a text completion, event by event. Whether it came to a proper end, what it used and what
 * it failed with is told by the stream it reads from.
 */
export class ViaChatStream implements ReadyStream {
  readonly #source: ReadyStream
  readonly #events = new EventReader()
  readonly #context: AdapterContext
  #ended = false

  constructor(source: ByteStream, context: AdapterContext) {
    this.#source = readyStream(source)
    this.#context = context
  }

  take(): Taken {
    while (!this.#ended) {
      const piece = this.#source.take()
      if (piece === LATER) return LATER
      this.#ended = piece === undefined
      let text = ''
      for (const frame of piece === undefined ? this.#events.rest() : this.#events.push(piece)) {
        text += this.#translated(frame)
      }
      if (text !== '') return encoder.encode(text)
    }
    return undefined
  }

  whenReady(listener: () => void): void {
    this.#source.whenReady(listener)
  }

  read(): Promise<Uint8Array | undefined> {
    return readReady(this)
  }

  cancel(reason?: unknown): void {
    this.#ended = true
    this.#source.cancel(reason)
  }

  /** Comments and events without a meaning are left out. */
  #translated(frame: Uint8Array): string {
    const data = decodeFrame(frame)?.data
    if (data?.trim() === '[DONE]') return DONE
    const chunk = readJson(data)
    const text = isRecord(chunk) ? toTextChunk(chunk, this.#context) : undefined
    return text === undefined ? '' : eventText(JSON.stringify(text))
  }
}
