import { type AdapterContext, type ByteStream, concat, DONE_EVENT, decodeFrame, encodeEvent, isRecord } from '#kit'
import { EventReader } from './event-reader.ts'
import { parseJson } from './stream-data.ts'
import { toTextChunk } from './via-chat-answer.ts'

/**
 * The stream of a chat as that of a text completion, event by event. Whether it came to a proper end, what it used and what
 * it failed with is told by the stream it reads from.
 */
export class ViaChatStream implements ByteStream {
  readonly #source: ByteStream
  readonly #events: EventReader
  readonly #context: AdapterContext
  #ended = false

  constructor(source: ByteStream, context: AdapterContext) {
    this.#source = source
    this.#events = new EventReader(source)
    this.#context = context
  }

  async read(): Promise<Uint8Array | undefined> {
    while (!this.#ended) {
      const { frames, last } = await this.#events.next()
      this.#ended = last
      const events = frames.flatMap((frame) => this.#translated(frame))
      if (events.length > 0) return concat(events)
    }
    return undefined
  }

  cancel(reason?: unknown): void {
    this.#ended = true
    this.#source.cancel(reason)
  }

  /** Comments and events without a meaning are left out. */
  #translated(frame: Uint8Array): readonly Uint8Array[] {
    const data = decodeFrame(frame)?.data
    if (data?.trim() === '[DONE]') return [DONE_EVENT]
    const chunk = parseJson(data)
    const text = isRecord(chunk) ? toTextChunk(chunk, this.#context) : undefined
    return text === undefined ? [] : [encodeEvent(JSON.stringify(text))]
  }
}
